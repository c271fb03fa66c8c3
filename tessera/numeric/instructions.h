#pragma once

#include <cstdint>
#include <initializer_list>

namespace tessera::numeric {

/// What loops over vectors are compiled for, one source each (`*_plain.cpp`, ...): vectors of 16, 32 and 64 bytes.
enum class instruction_set : std::uint8_t { plain, wide, widest };

/// Whether this processor has it.
[[nodiscard]] inline bool has_instructions(instruction_set wanted) {
#if defined(__x86_64__)
  const bool has_wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (wanted == instruction_set::wide) return has_wide;
  if (wanted == instruction_set::widest)
    return has_wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
  return wanted == instruction_set::plain;
}

/// The widest that it has.
[[nodiscard]] inline instruction_set best_instructions() {
  for (const instruction_set each : {instruction_set::widest, instruction_set::wide})
    if (has_instructions(each)) return each;
  return instruction_set::plain;
}

}  // namespace tessera::numeric
