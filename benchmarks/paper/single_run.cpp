// tessera_paper: one program of the paper, as a user would run it. See the usage below.
#include <charconv>
#include <cstdio>
#include <exception>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "benchmarks/paper/programs.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

using namespace tessera::bench::paper;
using tessera::cat;

namespace {

constexpr const char* usage =
    R"(usage: tessera_paper PROGRAM [--n N] [--chunk BYTES] [--devices LIST] [--runs N] [--verify] [--json FILE]
  --n        size of the problem; the work is proportional to it
  --chunk    bytes of a part of the largest array; left out: one part for each device
  --devices  as TESSERA_DEVICES spells them: cpu, cpu*3, cuda, cuda:0*4
  --runs     runs that are measured, behind one that is not; the mean is printed (5)
  --verify   compare the result with threads by hand
  --json     write the figures to a file, too
)";

struct request {
  std::string program, devices, json;
  std::int64_t n = 0, chunk = 0, runs = 5;
  bool verify = false;
};

/// What makes no sense on the command line.
struct usage_error : tessera::argument_error {
  using argument_error::argument_error;
};

std::int64_t positive_number(std::string_view option, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status == std::errc::result_out_of_range) throw usage_error(cat(option, ": ", text, " is beyond 64 bits"));
  if (status != std::errc() || end != text.data() + text.size() || value <= 0)
    throw usage_error(cat(option, " takes a whole number above 0, not '", text, "'"));
  return value;
}

request parse(const std::vector<std::string>& words) {
  request asked;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    const auto value = [&]() -> const std::string& {
      if (k + 1 == words.size()) throw usage_error(cat(word, " needs a value"));
      return words[++k];
    };
    if (word == "--n")
      asked.n = positive_number(word, value());
    else if (word == "--chunk")
      asked.chunk = positive_number(word, value());
    else if (word == "--runs")
      asked.runs = positive_number(word, value());
    else if (word == "--devices")
      asked.devices = value();
    else if (word == "--json")
      asked.json = value();
    else if (word == "--verify")
      asked.verify = true;
    else if (asked.program.empty() && !word.starts_with("-"))
      asked.program = word;
    else
      throw usage_error(cat("unknown option '", word, "'"));
  }
  if (asked.program.empty()) throw usage_error("which program?");
  return asked;
}

/// Arrays must not be larger than 64 bits count; what kernels cannot count, their launches refuse.
void require_size(const paper_program& p, std::int64_t n) {
  if (p.bytes(n) > 8e18) throw usage_error(cat("--n ", n, ": arrays of ", p.bytes(n), " bytes"));
}

void run(const request& asked) {
  const paper_program& p = paper_program_named(asked.program);
  const problem size{asked.n > 0 ? asked.n : p.cpu_n, asked.chunk};
  require_size(p, size.n);
  tessera::options settings;
  if (!asked.devices.empty()) settings.devices = asked.devices;
  tessera::context ctx(settings);
  const auto ours = p.ours(ctx, size);
  const kernel_lines lines = lines_of(p);
  const bool speaks = ctx.rank() == 0;
  if (speaks)
    std::printf("%s: n = %lld %s, %.3g bytes; %d lines of kernels, 0 changed, %d of annotations\n", p.name.c_str(),
                static_cast<long long>(size.n), p.unit.c_str(), p.bytes(size.n), lines.code, lines.annotations);
  double seconds = 0;
  for (std::int64_t k = 0; k <= asked.runs; ++k) {
    ours->prepare();
    const double taken = tessera::bench::seconds_of([&] { ours->run(); });
    if (k > 0) seconds += taken / static_cast<double>(asked.runs);
    if (speaks) std::printf("  run %lld%s: %.4g s\n", static_cast<long long>(k), k == 0 ? ", not counted" : "", taken);
  }
  const double rate = static_cast<double>(size.n) / seconds;
  if (speaks) std::printf("%.4g s, %.4g %s/s\n", seconds, rate, p.unit.c_str());
  if (asked.verify) {
    tessera::bench::thread_team team(static_cast<int>(std::thread::hardware_concurrency()));
    const auto expected = p.threads(team, {size.n});
    expected->prepare();
    expected->run();
    require_agreement(p, ours->result(), expected->result());
    if (speaks) std::puts("equal to threads by hand");
  }
  if (asked.json.empty() || !speaks) return;
  std::ofstream file(asked.json);
  file << cat("{\"program\": \"", p.name, "\", \"n\": ", size.n, ", \"chunk\": ", size.chunk,
              ", \"bytes\": ", p.bytes(size.n), ", \"ranks\": ", ctx.ranks(),
              ", \"devices\": ", ctx.machine().devices.size(), ", \"seconds\": ", seconds, ", \"rate\": ", rate, "}\n");
  if (!file.flush()) throw tessera::io_error(cat("cannot write ", asked.json));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(parse({argv + 1, argv + argc}));
    return 0;
  } catch (const usage_error& e) {
    std::fprintf(stderr, "tessera_paper: %s\n%s", e.what(), usage);
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera_paper: %s\n", e.what());
    return 1;
  }
}
