#pragma once

#include <cstdint>

#include "tessera/device/cpu/jit/line_table.h"

namespace tessera::device {

/// The source lines of one loaded library, known to the whole process from construction to destruction. Construction
/// and destruction are thread-safe.
class loaded_lines {
 public:
  /// `bias` is added to the addresses of `table` where the library is loaded.
  loaded_lines(line_table table, std::uintptr_t bias) noexcept;
  ~loaded_lines();
  loaded_lines(const loaded_lines&) = delete;
  loaded_lines& operator=(const loaded_lines&) = delete;

  /// The line of the instruction at `address`, if a library that is loaded has it; the result lives as long as that
  /// library. For signal handlers: takes no memory, and gives up where another thread holds the list for long.
  /// `aside` is that of `line_table::find`.
  [[nodiscard]] static line_table::place find(std::uintptr_t address, std::string_view aside = {}) noexcept;

 private:
  const line_table table_;
  const std::uintptr_t bias_;
  loaded_lines* next_ = nullptr;
};

}  // namespace tessera::device
