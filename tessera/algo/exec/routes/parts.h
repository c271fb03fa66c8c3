#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/container/operand.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// Elements lo <= i < hi of a range, and the device where they are at home.
struct device_part {
  std::int64_t lo = 0;
  std::int64_t hi = 0;
  int device = 0;

  [[nodiscard]] std::int64_t size() const { return hi - lo; }
  bool operator==(const device_part&) const = default;
};

/// Bytes that every device may hold.
[[nodiscard]] std::int64_t memory_of_devices(const context& ctx);
/// Where the elements of `range` are at home, those of one device behind the other; no part is empty. Where they lie in
/// very many parts, or in boxes of several axes: even shares of all devices, which is then only a guess.
[[nodiscard]] std::vector<device_part> parts_of(const operand& range);
/// Even shares of all devices that launches use by themselves.
[[nodiscard]] std::vector<device_part> even_parts(std::int64_t size, const context& ctx);
/// `parts` in pieces of at most `size` elements.
[[nodiscard]] std::vector<device_part> in_pieces(const std::vector<device_part>& parts, std::int64_t size);

/// Requests for elements of a range that other devices have, as sizes tell it before they are looked at.
struct request_sizes {
  const std::vector<device_part>& from;   ///< Where requests are made.
  const std::vector<device_part>& owned;  ///< Where the elements are that they ask for.
  std::int64_t element_bytes = 0;         ///< Of what they ask for.
  std::int64_t request_bytes = 0;         ///< Of a request and its answer, where it is answered elsewhere.
};
/// True if every device that makes requests should read all elements: they fit there, and that moves no more bytes than
/// requests and answers do, of which each device is taken to get its share.
[[nodiscard]] bool reads_all(const request_sizes& sizes, const context& ctx);

}  // namespace tessera::algo
