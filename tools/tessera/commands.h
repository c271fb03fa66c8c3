#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/// The commands of the program `tessera`. Each returns the exit status: 0 well, 1 an error was found, 2 a command line
/// that cannot be carried out.
namespace tessera::tool {

/// A command line that makes no sense; the message says what was expected.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct compile_request {
  std::string file;
  std::string kernel;          ///< Empty: all of them.
  std::string target = "cpu";  ///< Or sm_NN, for GPUs of compute capability N.N.
  std::string tier;            ///< Empty: as TESSERA_CPU_TIER says, else chosen from the source.
  std::vector<std::pair<std::string, std::string>> defines;
};

/// Throws `usage_error`.
[[nodiscard]] compile_request parse_compile(std::span<const std::string> arguments);

/// Prints each kernel's parameters, annotation and tier, and compiles it: on CPUs for 256 threads per block.
int compile(const compile_request& request);

struct run_request {
  int ranks = 0;
  std::string devices;  ///< Of each rank; empty: as TESSERA_DEVICES says.
  std::vector<std::string> command;
};

/// Throws `usage_error`.
[[nodiscard]] run_request parse_run(std::span<const std::string> arguments);

/// Becomes the launcher of MPI, with all that it has to be told. Returns only if there is none.
int run(const run_request& request);

/// Prints the version, the devices a context would use, the compiler, the cache and the settings in effect.
int info();

struct tune_request {
  std::int64_t most = std::int64_t{1} << 24;  ///< Elements of the largest container.
};

/// Throws `usage_error`.
[[nodiscard]] tune_request parse_tune(std::span<const std::string> arguments);

/// Measures the skeletons on each kind of devices, prints the times and keeps them for later contexts.
int tune(const tune_request& request);

[[nodiscard]] std::string version_text();

}  // namespace tessera::tool
