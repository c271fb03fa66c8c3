#pragma once

#include <string>
#include <vector>

#include "benchmarks/frame/harness.h"

/// What the main functions of benchmark programs do.
namespace tessera::bench {

struct command {
  std::string json;  ///< Write the rows here; empty: nowhere.
  std::string csv;   ///< Write the rows of series here; empty: nowhere.
  std::string only;  ///< Run the benchmarks whose name contains this, or one of these between commas.
  /// The kind of device, for programs that run on any: "cpu", "cuda", "cuda:0".
  std::string devices = "cpu";
  bool quick = false;  ///< Few pairs: a look, not a result.
  bool list = false;   ///< Print the names and run none.
};

/// Throws argument_error for words it does not know.
[[nodiscard]] command parse_command_line(int argc, const char* const* argv);

/// Those that the command names, in order.
[[nodiscard]] std::vector<benchmark> selected(const std::vector<benchmark>& all, const command& asked);

/// Writes the files that the command names; throws io_error if one cannot be written.
void write_results(const session& results, const command& asked);

/// All that the main function of a benchmark program on one rank does. Returns 1 if results disagree or a benchmark
/// cannot run, 2 if the command line makes no sense or a file cannot be written; a target that is missed is shown, not
/// an error.
[[nodiscard]] int run_program(int argc, const char* const* argv, const std::vector<benchmark>& all);

}  // namespace tessera::bench
