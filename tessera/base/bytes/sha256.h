#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tessera {

/// A SHA-256 value: names contents. Equal digests mean equal contents for every purpose here.
struct digest {
  std::array<std::uint8_t, 32> bytes{};
  constexpr auto operator<=>(const digest&) const = default;
};

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string to_string(const digest& d);

/// SHA-256 (FIPS 180-4) of bytes given piece by piece.
class sha256 {
 public:
  sha256& add(std::span<const std::byte> bytes);
  sha256& add(std::string_view text) { return add(std::as_bytes(std::span(text.data(), text.size()))); }

  /// Adds the length and then the text, so that ("ab", "c") and ("a", "bc") differ.
  sha256& add_field(std::string_view text);

  /// The digest of everything added. The object is used up.
  [[nodiscard]] digest finish();

 private:
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> block_{};  // bytes not yet part of a whole block
  std::uint64_t length_ = 0;
};

[[nodiscard]] inline digest sha256_of(std::span<const std::byte> bytes) { return sha256().add(bytes).finish(); }
[[nodiscard]] inline digest sha256_of(std::string_view text) { return sha256().add(text).finish(); }

}  // namespace tessera

template <>
struct std::hash<tessera::digest> {
  std::size_t operator()(const tessera::digest& d) const noexcept {
    std::size_t value = 0;
    std::memcpy(&value, d.bytes.data(), sizeof value);
    return value;
  }
};
