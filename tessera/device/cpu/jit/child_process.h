#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::device {

/// A program to run without a shell. It sees a cleaned environment (PATH, HOME, LANG=C and TMPDIR only), a process
/// group of its own and none of this process's open files.
struct child_program {
  std::string executable;              ///< Absolute path.
  std::vector<std::string> arguments;  ///< Without the program's own name.
  std::string_view input;              ///< What it reads from its standard input.
  std::string directory;               ///< Working directory and TMPDIR.
  std::chrono::milliseconds timeout{0};
  std::int64_t max_memory = 0;
  std::int64_t max_file = 0;
  std::size_t max_output = 0;
};

struct child_result {
  enum class end : std::uint8_t { exited, killed, timed_out, not_started };
  end ending = end::exited;
  int code = 0;        ///< Exit status, signal or errno.
  std::string output;  ///< Standard output and error, at most `max_output` bytes.
};

/// Runs the program to its end, or kills it with all its children after the timeout. Thread-safe; blocks. Throws
/// `compile_error` if this process is out of files or memory.
[[nodiscard]] child_result run(const child_program& program);

}  // namespace tessera::device
