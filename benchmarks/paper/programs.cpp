#include "benchmarks/paper/programs.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/paper/rivals/threads/threads.h"
#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench::paper {
namespace {

double number_of(std::int64_t n) { return static_cast<double>(n); }

double no_bytes(std::int64_t) { return 8; }
double nbody_bytes(std::int64_t n) { return 48 * number_of(square_root(n)); }
double correlator_bytes(std::int64_t n) { return 8 * number_of(n) * (correlator_samples + correlator_sums); }
double kmeans_bytes(std::int64_t n) { return 16 * number_of(n); }
double hotspot_bytes(std::int64_t n) { return 12 * number_of(n); }
double gemm_bytes(std::int64_t n) { return 12 * std::pow(number_of(cube_root(n)), 2); }
double spmv_bytes(std::int64_t n) {
  const ell_shape s = spmv_shape(n);
  return number_of(s.rows) * (8 * number_of(s.width) + 8);
}
double black_scholes_bytes(std::int64_t n) { return 20 * number_of(n); }
double cocluster_bytes(std::int64_t n) {
  const matrix_shape s = cocluster_shape(n);
  return 4 * number_of(s.rows) * number_of(s.columns);
}

constexpr std::int64_t K = 1000, M = 1000 * K, G = 1000 * M;

}  // namespace

const std::vector<paper_program>& paper_programs() {
  const std::string own = "benchmarks/paper/kernels/";
  // clang-format off
  static const std::vector<paper_program> all = {
      {"md5", "hashes", own + "md5.cu", no_bytes, our_md5, threads_md5, 1 * M, 100 * M, 20 * G, 0, 0},
      {"nbody", "pairs", own + "nbody.cu", nbody_bytes, our_nbody, threads_nbody, 1 * M, 100 * M, 60 * G, 0, 1e-3},
      {"correlator", "channels", own + "correlator.cu", correlator_bytes, our_correlator, threads_correlator, 4, 100, 16384, 0, 1e-3},
      {"kmeans", "records", own + "kmeans.cu", kmeans_bytes, our_kmeans, threads_kmeans, 100 * K, 4 * M, 1 * G, 5, 1e-3},
      {"hotspot", "points", "examples/hotspot.cu", hotspot_bytes, our_hotspot, threads_hotspot, 1 * M, 64 * M, 2 * G, 0, 1e-3},
      {"gemm", "multiplications", own + "gemm.cu", gemm_bytes, our_gemm, threads_gemm, 10 * M, 4 * G, 4096 * G, 0, 1e-2},
      {"spmv", "elements", own + "spmv.cu", spmv_bytes, our_spmv, threads_spmv, 25 * M, 4 * G, 1600 * G, 10, 1e-3},
      {"black_scholes", "options", "benchmarks/kernels/black_scholes.cu", black_scholes_bytes, our_black_scholes, threads_black_scholes, 1 * M, 20 * M, 1 * G, 0, 1e-3},
      {"cocluster", "elements", "examples/cocluster/cocluster.cu", cocluster_bytes, our_cocluster, threads_cocluster, 1 * M, 64 * M, 1250 * M, 11, 1e-3, 5e-3},
  };
  // clang-format on
  return all;
}

const paper_program& paper_program_named(const std::string& name) {
  std::vector<std::string> names;
  std::string list;
  for (const paper_program& p : paper_programs()) {
    if (p.name == name) return p;
    names.push_back(p.name);
    list += (list.empty() ? "" : ", ") + p.name;
  }
  const std::string near = nearest_name(name, names);
  throw argument_error(cat("there is no program '", name, "'", near.empty() ? "" : cat("; did you mean '", near, "'?"),
                           " There are ", list));
}

void require_agreement(const paper_program& p, const std::vector<double>& ours, const std::vector<double>& expected) {
  if (ours.size() != expected.size())
    throw error(cat(p.name, ": ", ours.size(), " numbers, not the rival's ", expected.size()));
  std::size_t differing = 0, first = 0;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - expected[i]) <= p.bound * std::max(1.0, std::abs(expected[i])))) {
      if (differing++ == 0) first = i;
    }
  if (static_cast<double>(differing) > p.share * static_cast<double>(ours.size()))
    throw error(cat(p.name, ": ", differing, " of ", ours.size(), " numbers differ from the rival's; number ", first,
                    " is ", ours[first], " and not ", expected[first]));
}

kernel_lines lines_of(const paper_program& p) {
  kernel_lines lines;
  std::istringstream text(read_text(source_path(p.kernels)));
  for (std::string line; std::getline(text, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    if (line.compare(begin, 10, "//@tessera") == 0)
      ++lines.annotations;
    else if (line.compare(begin, 2, "//") != 0)
      ++lines.code;
  }
  return lines;
}

}  // namespace tessera::bench::paper
