#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/device/backend.h"

/// Runs the system's C++ compiler. Kernel source is the user's own code and is trusted; the surroundings are not:
/// no shell, no environment variable that redirects the compiler, no file that another user could read or replace.
namespace tessera::device {

struct compiler_settings {
  /// Path of the compiler. Empty: $TESSERA_CXX, else g++, c++ or clang++ on PATH, looked up once per process.
  std::string executable;
  std::chrono::milliseconds timeout{30'000};        ///< Then the compiler and its children are killed.
  std::int64_t max_memory = std::int64_t{8} << 30;  ///< Address space of each compiler process, bytes.
  std::int64_t max_file = std::int64_t{256} << 20;  ///< Of each file the compiler writes, bytes.
  std::size_t max_messages = std::size_t{1} << 20;  ///< Kept of what the compiler prints; the rest is dropped.
};

/// The shared library made from `source`, with exactly its flags, or from its other form if there is one and need be;
/// include paths may be relative to the working directory. Blocks for as long as the compiler runs; thread-safe. Throws
/// `compile_error` with the compiler's messages, or with the remedy if the compiler is missing, hangs, is killed or
/// makes nothing.
[[nodiscard]] std::vector<std::byte> compile_shared_object(const source_desc& source,
                                                           const compiler_settings& settings = {});

/// What besides the source decides the library: compiler path and version, processor features, kernel ABI. Runs the
/// compiler once per process and executable; thread-safe. Throws `compile_error` as above.
[[nodiscard]] std::string compiler_identity(const compiler_settings& settings = {});

}  // namespace tessera::device
