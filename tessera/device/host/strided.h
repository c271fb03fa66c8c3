#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/base/reduction.h"
#include "tessera/device/backend.h"

/// Loops over boxes of elements in host memory, with what lies together treated as one run.
namespace tessera::device {

/// A box walked in one or two memories: `rows` of `count` items. Axes that lie together in all of them are merged, and
/// if the innermost items are contiguous everywhere a row is one run of bytes.
class row_walk {
 public:
  /// Strides of the source are ignored where `source` is null.
  row_walk(const extents& count, const extents& target, const extents* source, std::int64_t element_bytes);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] std::int64_t count() const { return count_[0]; }
  [[nodiscard]] std::int64_t total() const { return rows_ * count_[0]; }
  [[nodiscard]] bool contiguous() const { return contiguous_; }
  [[nodiscard]] std::int64_t target_stride() const { return target_[0]; }
  [[nodiscard]] std::int64_t source_stride() const { return source_[0]; }

  /// Calls f(target offset, source offset, items) for the items [first, last) of the whole box, row by row.
  template <class F>
  void visit(std::int64_t first, std::int64_t last, F f) const;

 private:
  int rank_ = 1;  // axis 0 is the innermost
  std::array<std::int64_t, max_rank> count_{};
  std::array<std::int64_t, max_rank> target_{};
  std::array<std::int64_t, max_rank> source_{};
  std::int64_t rows_ = 1;
  bool contiguous_ = false;
};

/// Each does the items [first, last) of its box in the order of `row_walk`; parts may run beside each other.
void copy_items(const row_walk& walk, const copy_desc& copy, std::int64_t first, std::int64_t last);
void fill_items(const row_walk& walk, const strided& target, std::span<const std::byte> value, std::int64_t first,
                std::int64_t last);
void fold_items(const row_walk& walk, const fold_desc& fold, std::int64_t first, std::int64_t last);

/// The identity of a registered operation that was compiled for CPUs.
[[nodiscard]] std::vector<std::byte> identity_value(const reduction_code* code);

/// Whole boxes on the calling thread.
void fill_box(const strided& target, const extents& count, std::span<const std::byte> value);
void fold_box(const fold_desc& fold);

template <class F>
void row_walk::visit(std::int64_t first, std::int64_t last, F f) const {
  if (first >= last) return;
  std::array<std::int64_t, max_rank> at{};
  std::int64_t to = 0;
  std::int64_t from = 0;
  std::int64_t row = first / count_[0];
  for (int a = 1; a < rank_; ++a) {
    const auto k = static_cast<std::size_t>(a);
    at[k] = row % count_[k];
    row /= count_[k];
    to += at[k] * target_[k];
    from += at[k] * source_[k];
  }
  std::int64_t begin = first % count_[0];
  while (first < last) {
    const std::int64_t items = std::min(count_[0] - begin, last - first);
    f(to + begin * target_[0], from + begin * source_[0], items);
    first += items;
    begin = 0;
    for (std::size_t k = 1; k < static_cast<std::size_t>(rank_); ++k) {
      to += target_[k];
      from += source_[k];
      if (++at[k] < count_[k]) break;
      to -= count_[k] * target_[k];
      from -= count_[k] * source_[k];
      at[k] = 0;
    }
  }
}

}  // namespace tessera::device
