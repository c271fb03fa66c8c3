#pragma once

#include <tessera/tessera.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/frame/random.h"
#include "tests/fuzz/program/program.h"
#include "tests/fuzz/reference/launch.h"

/// Real CUDA kernels for random programs. Each is compiled once (the disk cache keeps it) and has a sequential
/// reference of its own. Arrays are the parameters p0, p1, ..., integers s0, s1, ... follow.
namespace tessera::fuzz {

/// A random launch of a random kernel of the pool on arrays that exist; nothing if none suits.
[[nodiscard]] std::optional<launch_op> draw_source_launch(random_source& random, const reference& state);

/// What the launch's kernel declares, as rules; nothing if the launch does not suit the kernel.
[[nodiscard]] std::optional<kernel> source_kernel(const launch_op& o);

/// True if the scalars describe these arguments and no thread is added that would not write what it declares.
[[nodiscard]] bool suits_source(const launch_op& o, const std::vector<plain_handle>& arguments);

/// What a thread does, written independently of the kernel's text.
[[nodiscard]] thread_body source_body(const launch_op& o);

/// Loads the kernel, sets the variables of its file and appends its scalar arguments.
[[nodiscard]] tessera::kernel load_source(context& c, const launch_op& o, std::vector<argument>& arguments);

/// `compile(...)` as C++.
[[nodiscard]] std::string source_text(const launch_op& o);

/// What sets the variables of the file of `kernel`, as C++; empty if there is nothing to set.
[[nodiscard]] std::string preparation_text(const launch_op& o, const std::string& kernel);

/// How many of 100 launches are drawn from the pool.
inline constexpr int source_percent = 12;

/// Enough `extern __shared__` memory for every kernel of the pool.
inline constexpr std::int64_t source_shared_bytes = 256;

}  // namespace tessera::fuzz
