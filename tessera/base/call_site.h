#pragma once

namespace tessera {

/// The line of the user's program that made a call, for messages. As a default argument `current()` is the line that
/// calls the function.
struct call_site {
  const char* file = "";
  int line = 0;

  [[nodiscard]] static constexpr call_site current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

}  // namespace tessera
