#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tessera/algo/container/coherence/linear_range.h"
#include "tessera/algo/container/options.h"
#include "tessera/array/array.h"
#include "tessera/array/host_memory.h"

namespace tessera::algo {

/// The host's view of a container: memory for all elements, row by row, and per portion which of them are valid there
/// and which the host has changed (docs/design/0033-host-windows.md). Portions are 1 MiB, one portion where all is less
/// than 64 MiB. Knows the engine array only through what it is given.
///
/// Elements of one portion that are valid form one range, and changed ones, with what lies between them, one within it.
class window {
 public:
  struct portion {
    linear_range valid, changed;
  };
  /// Where elements are that are not valid here.
  struct origin {
    array_base array;                 ///< Takes changes, too.
    std::span<const std::byte> fill;  ///< If not empty: they are all this value, whether or not there is an array.
  };

  /// For `capacity` elements in all, of which `shape` are in use. No memory until it is needed.
  void reset(const container_options& options, const extents& shape, std::int64_t capacity, std::uint32_t element);
  /// Another number of elements in use, at most the capacity.
  void set_shape(const extents& shape);
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// One element more (of a vector), for which the last portion has room: up to `end_of(portion)`.
  void extend_last() { shape_[0] = ++size_; }
  [[nodiscard]] std::int64_t end_of(std::size_t number) const {
    return std::min((static_cast<std::int64_t>(number) + 1) * portion_, capacity_);
  }
  /// The memory; made if there is none. Throws `out_of_memory`.
  std::byte* memory();
  /// Null before it is made.
  [[nodiscard]] std::byte* data() const { return data_; }
  /// Another capacity; what is valid stays so, as far as it is one range per portion. Nothing counts as changed.
  void grow(std::int64_t capacity);

  [[nodiscard]] std::size_t portion_of(std::int64_t offset) const {
    return static_cast<std::size_t>(offset / portion_);
  }
  [[nodiscard]] linear_range bounds(std::size_t number) const;
  [[nodiscard]] portion& at(std::size_t number) { return portions_[number]; }
  /// True if every element is valid; if every one, or any, has changed.
  [[nodiscard]] bool holds_all() const;
  [[nodiscard]] bool holds(const linear_range& range) const;
  [[nodiscard]] bool changed_all() const;
  [[nodiscard]] bool changed_any() const;

  /// Makes `range` valid. Waits.
  void fetch(const linear_range& range, const origin& from, call_site here);
  /// Makes `range` valid and changed without a look at its contents. Waits for nothing but transfers out of it.
  void overwrite(const linear_range& range, const origin& from, call_site here);
  /// Sends what has changed in the portions of `range` and overlaps it to `target`, if it is not overwritten there
  /// anyway; returns before the bytes have left. Touching ranges leave as one. False if there was nothing to send.
  bool send(const linear_range& range, bool is_overwritten, const array_base& target, call_site here);
  /// The elements of `range` are no longer valid. Called behind `send`.
  void forget(const linear_range& range);
  /// The host becomes the owner of all elements, which are valid.
  void own_all();
  /// Waits until nothing that leaves overlaps `range`, so that it may be written.
  void settle(const linear_range& range);

 private:
  struct leaving {
    linear_range range;
    transfer bytes;
  };
  void put(const std::vector<linear_range>& ranges, const array_base& target, call_site here);
  void get(const std::vector<linear_range>& ranges, const origin& from, call_site here);
  /// Makes room for `range` in its portions: what is valid there joins it, or has left. Returns what is missing of it.
  std::vector<linear_range> open(const linear_range& range, const origin& from, call_site here);
  [[nodiscard]] std::span<std::byte> bytes(const linear_range& range) const;

  container_options options_;
  extents shape_;
  std::int64_t size_ = 0, capacity_ = 0, portion_ = 1;
  std::int64_t element_ = 1;  // bytes
  std::vector<portion> portions_;
  host_memory locked_;
  std::shared_ptr<std::byte> plain_;
  std::byte* data_ = nullptr;
  std::vector<leaving> leaving_;  // ends before the memory does
};

}  // namespace tessera::algo
