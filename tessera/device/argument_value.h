#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace tessera::device {

/// The bytes of one kernel argument, aligned for any type. Most need no memory of their own.
class argument_value {
 public:
  argument_value() = default;
  argument_value(std::span<const std::byte> bytes) : size_(bytes.size()) {  // NOLINT: a value is what its bytes are
    if (size_ > own_.size()) more_.resize(size_);
    if (size_ > 0) std::memcpy(data(), bytes.data(), size_);
  }
  argument_value(const std::vector<std::byte>& bytes) : argument_value(std::span(bytes)) {}  // NOLINT: as above
  /// A pointer.
  argument_value(std::byte* address) : size_(sizeof address) {  // NOLINT: as above
    std::memcpy(own_.data(), &address, sizeof address);
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::byte* data() { return size_ > own_.size() ? more_.data() : own_.data(); }
  [[nodiscard]] const std::byte* data() const { return size_ > own_.size() ? more_.data() : own_.data(); }

 private:
  std::size_t size_ = 0;
  alignas(16) std::array<std::byte, 32> own_{};
  std::vector<std::byte> more_;
};

}  // namespace tessera::device
