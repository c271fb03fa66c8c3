#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// A kind of device, which one of it, and how many devices to make of each: "cuda:1*4" is {"cuda", 1, 4}.
struct device_request {
  std::string kind;
  int ordinal = -1;  ///< -1: all there are.
  int count = 1;
  bool operator==(const device_request&) const = default;
};

/// Which devices a context has; empty: as the machine offers.
class device_list {
 public:
  device_list() = default;
  /// Throws `argument_error` for fewer than one device or more than 1024 of a request.
  explicit device_list(std::vector<device_request> requests);
  /// "cpu*4", "cuda", "cuda:1", "cuda*4", or a list such as "cpu*4,cuda:1". Throws `argument_error` for anything else.
  /// Which kinds exist is known when a context is made.
  device_list(std::string_view text);                                            // NOLINT: "cpu*4" is the notation
  device_list(const char* text) : device_list(std::string_view(text)) {}         // NOLINT: as above
  device_list(const std::string& text) : device_list(std::string_view(text)) {}  // NOLINT: as above

  [[nodiscard]] bool empty() const { return requests_.empty(); }
  [[nodiscard]] const std::vector<device_request>& requests() const { return requests_; }
  /// As it could be written.
  [[nodiscard]] std::string text() const;
  bool operator==(const device_list&) const = default;

 private:
  std::vector<device_request> requests_;
};

}  // namespace tessera
