// Co-clustering against NumPy, which runs as a program of its own on the same machine.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/paper/contest.h"
#include "benchmarks/paper/rows.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench::paper {
namespace {

struct numpy_result {
  double seconds = 0;  ///< Of an iteration.
  double error = 0;    ///< What the clusters cost in the end.
};

/// The first of the usual interpreters that has NumPy.
std::string interpreter() {
  for (const char* name : {"python3", "/usr/bin/python3"})
    if (std::system(cat(name, " -c 'import numpy' 2>/dev/null").c_str()) == 0) return name;
  throw error("no python3 with NumPy was found (package python3-numpy)");
}

numpy_result run_numpy(const matrix_shape& shape) {
  const std::string command = cat(interpreter(), " ", source_path("benchmarks/paper/rivals/numpy/cocluster.py"), " ",
                                  shape.rows, " ", shape.columns, " ", cocluster_steps);
  const auto close = [](FILE* f) { pclose(f); };
  const std::unique_ptr<FILE, decltype(close)> output(popen(command.c_str(), "r"), close);
  numpy_result result;
  if (!output || std::fscanf(output.get(), "%lf %lf", &result.seconds, &result.error) != 2)
    throw error(cat("this printed no result: ", command));
  return result;
}

double ms_of_iteration(program& ours) { return median_time(ours, 5) / cocluster_steps * 1e3; }

std::unique_ptr<our_program> ours_of(const session& s, std::int64_t n) {
  return paper_program_named("cocluster").ours(context(on(s.devices())), {n});
}

void measure(session& s, std::int64_t n, double target) {
  const auto ours = ours_of(s, n);
  ours->prepare();
  ours->run();
  const numpy_result theirs = run_numpy(cocluster_shape(n));
  const double error_of_ours = ours->result().back();
  if (!(std::abs(error_of_ours - theirs.error) <= 1e-3 * std::abs(theirs.error)))
    throw error(cat("the clusters cost ", error_of_ours, ", NumPy's ", theirs.error));
  s.add_figures(cat("paper.numpy.cocluster.", n), ms_of_iteration(*ours), theirs.seconds * 1e3, "NumPy", "ms/iteration",
                target);
}

void measure_alone(session& s, std::int64_t n) {
  row r;
  r.name = cat("paper.numpy.cocluster.", n);
  r.ours = ms_of_iteration(*ours_of(s, n));
  r.unit = "ms/iteration";
  s.add(r);
}

}  // namespace

std::vector<benchmark> numpy_rows(const numpy_side& side) {
  const std::int64_t quick_n = paper_program_named("cocluster").quick_n;
  std::vector<benchmark> all;
  for (const std::int64_t n : side.sizes)
    all.push_back({cat("paper.numpy.cocluster.", n),
                   [=, target = side.target](session& s) { measure(s, s.quick() ? quick_n : n, target); }});
  for (const std::int64_t n : side.alone)
    all.push_back({cat("paper.numpy.cocluster.", n), [=](session& s) { measure_alone(s, s.quick() ? quick_n : n); }});
  return all;
}

}  // namespace tessera::bench::paper
