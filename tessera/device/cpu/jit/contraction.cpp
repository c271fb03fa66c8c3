#include "tessera/device/cpu/jit/contraction.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tessera/device/cpu/jit/elf.h"

namespace tessera::device {
namespace {

/// Opcodes of vfmaddsub and vfmsubadd in their three orders of operands.
bool is_opcode(std::byte b) {
  constexpr std::array<unsigned char, 6> opcodes{0x96, 0x97, 0xa6, 0xa7, 0xb6, 0xb7};
  return std::find(opcodes.begin(), opcodes.end(), static_cast<unsigned char>(b)) != opcodes.end();
}

bool has_bits(std::byte b, unsigned mask, unsigned wanted) { return (static_cast<unsigned>(b) & mask) == wanted; }

bool holds_text(std::span<const std::byte> bytes, std::string_view text) {
  const auto found = std::search(bytes.begin(), bytes.end(), text.begin(), text.end(),
                                 [](std::byte b, char c) { return static_cast<char>(b) == c; });
  return found != bytes.end();
}

}  // namespace

bool fuses_in_turns(std::span<const std::byte> library) {
#if defined(__x86_64__)
  const std::span<const std::byte> code = find_section(library, ".text");
  for (std::size_t i = 0; i + 4 < code.size(); ++i) {
    // The prefix, opcode map 0f38, operand size 66, and, where registers are of 512 bits, one more byte.
    const bool vex = code[i] == std::byte{0xc4} && has_bits(code[i + 1], 0x1f, 2) && has_bits(code[i + 2], 3, 1);
    const bool evex = code[i] == std::byte{0x62} && has_bits(code[i + 1], 0x0f, 2) && has_bits(code[i + 2], 7, 5);
    if ((vex && is_opcode(code[i + 3])) || (evex && is_opcode(code[i + 4]))) return true;
  }
#endif
  static_cast<void>(library);
  return false;
}

bool calls_fma(std::span<const std::byte> library) {
  using namespace std::string_view_literals;
  const std::span<const std::byte> names = find_section(library, ".dynstr");
  return holds_text(names, "\0fma\0"sv) || holds_text(names, "\0fmaf\0"sv);
}

}  // namespace tessera::device
