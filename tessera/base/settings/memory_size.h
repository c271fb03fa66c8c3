#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

/// How much memory a setting allows: bytes, a percentage of what there is, or nothing said.
class memory_size {
 public:
  memory_size() = default;
  /// Throws `argument_error` for less than one byte.
  memory_size(std::int64_t bytes);  // NOLINT: `how.device_memory = 512 << 20` is the notation
  /// "4096", "512MiB", "2GB" or "50%"; empty: nothing said. Throws `argument_error` for anything else.
  memory_size(std::string_view text);                                            // NOLINT: "512MiB" is the notation
  memory_size(const char* text) : memory_size(std::string_view(text)) {}         // NOLINT: as above
  memory_size(const std::string& text) : memory_size(std::string_view(text)) {}  // NOLINT: as above

  [[nodiscard]] bool empty() const { return bytes_ == 0 && percent_ == 0; }
  /// In bytes, where `whole` is all there is. Requires that something is said.
  [[nodiscard]] std::int64_t of(std::int64_t whole) const { return percent_ > 0 ? whole / 100 * percent_ : bytes_; }
  /// As it could be written; empty if nothing is said.
  [[nodiscard]] std::string text() const;
  bool operator==(const memory_size&) const = default;

 private:
  std::int64_t bytes_ = 0;
  int percent_ = 0;
};

}  // namespace tessera
