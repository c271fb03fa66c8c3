#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/frame/thread_team.h"
#include "benchmarks/paper/program.h"
#include "benchmarks/paper/programs/ours.h"

namespace tessera::bench::paper {

/// A program of the paper with all its sides.
struct paper_program {
  std::string name;
  std::string unit;                 ///< Of which there are n.
  std::string kernels;              ///< Its file, from the root of the source tree.
  double (*bytes)(std::int64_t n);  ///< Of all its arrays.
  std::unique_ptr<our_program> (*ours)(context ctx, const problem& p);
  std::unique_ptr<program> (*threads)(thread_team& team, const problem& p);
  std::int64_t quick_n;  ///< Milliseconds on two cores,
  std::int64_t cpu_n;    ///< a tenth of a second and more there,
  std::int64_t gpu_n;    ///< and on a large GPU.
  int passes;            ///< Times that a run reads inputs which are nearly all of its bytes; 0 if it has none such.
  /// Results agree if all numbers but this share of them differ by at most `bound` of the larger of 1 and the number.
  double bound;
  double share = 0;  ///< Where two clusters are nearly as good, a rounding decides.
};

/// The nine of the paper, in its order.
[[nodiscard]] const std::vector<paper_program>& paper_programs();
/// Throws argument_error with the nearest name.
[[nodiscard]] const paper_program& paper_program_named(const std::string& name);

/// Throws tessera::error that says where they differ.
void require_agreement(const paper_program& p, const std::vector<double>& ours, const std::vector<double>& expected);

/// Lines of a program's kernels.
struct kernel_lines {
  int code = 0;         ///< Neither empty nor comments.
  int annotations = 0;  ///< Of comments that Tessera reads. All else is what nvcc compiles for the rival.
};
[[nodiscard]] kernel_lines lines_of(const paper_program& p);

}  // namespace tessera::bench::paper
