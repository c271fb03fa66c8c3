// Co-clustering against NumPy, which runs as a program of its own on the same machine.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "benchmarks/frame/inputs.h"
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

void measure(session& s, std::int64_t paper_program::*size, double target) {
  const paper_program& p = paper_program_named("cocluster");
  const std::int64_t n = s.quick() ? p.quick_n : p.*size;
  options settings;
  settings.devices = s.devices();
  const auto ours = p.ours(context(settings), {n});
  ours->prepare();
  ours->run();
  const numpy_result theirs = run_numpy(cocluster_shape(n));
  const double error_of_ours = ours->result().back();
  if (!(std::abs(error_of_ours - theirs.error) <= 1e-3 * std::abs(theirs.error)))
    throw error(cat("the clusters cost ", error_of_ours, ", NumPy's ", theirs.error));
  std::vector<double> runs;
  for (int k = 0; k < 5; ++k) {
    ours->prepare();
    runs.push_back(seconds_of([&] { ours->run(); }) / cocluster_steps);
  }
  s.add_figures("paper.numpy.cocluster", quantile(runs, 0.5) * 1e3, theirs.seconds * 1e3, "NumPy", "ms/iteration",
                target);
}

}  // namespace

std::vector<benchmark> numpy_rows(std::int64_t paper_program::*size, double target) {
  return {{"paper.numpy.cocluster", [size, target](session& s) { measure(s, size, target); }}};
}

}  // namespace tessera::bench::paper
