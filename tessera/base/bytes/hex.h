#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// Two digits for each byte, in their order.
[[nodiscard]] inline std::string hex(std::span<const std::byte> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte b : bytes) {
    text += digits[std::to_integer<unsigned>(b) >> 4];
    text += digits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

}  // namespace tessera
