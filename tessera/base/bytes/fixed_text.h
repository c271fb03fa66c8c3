#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tessera {

/// Text of limited length that is built without allocating memory or taking a lock, so that a signal handler can build
/// it. What does not fit is left out.
class fixed_text {
 public:
  fixed_text& append(std::string_view part) noexcept {
    const std::size_t count = std::min(part.size(), characters_.size() - size_);
    std::copy_n(part.data(), count, characters_.data() + size_);
    size_ += count;
    return *this;
  }
  [[nodiscard]] std::string_view view() const noexcept { return {characters_.data(), size_}; }

 private:
  std::array<char, 1024> characters_{};
  std::size_t size_ = 0;
};

/// Appends digits to any text with `append(std::string_view)`, without allocating.
template <class Text>
void append_number(Text& text, std::int64_t number) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

/// As above: "0x7f00".
template <class Text>
void append_address(Text& text, std::uintptr_t address) {
  std::array<char, 24> digits{'0', 'x'};
  const auto end = std::to_chars(digits.data() + 2, digits.data() + digits.size(), address, 16).ptr;
  text.append(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

}  // namespace tessera
