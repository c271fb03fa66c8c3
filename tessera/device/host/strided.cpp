#include "tessera/device/host/strided.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/device/cpu/jit/abi.h"

namespace tessera::device {
namespace {

using byte16 = std::array<std::uint64_t, 2>;

/// Calls f with a value of an unsigned type of `bytes` bytes, or with null if there is none.
template <class F>
void with_word(std::int64_t bytes, F f) {
  switch (bytes) {
    case 1:
      return f(std::uint8_t{});
    case 2:
      return f(std::uint16_t{});
    case 4:
      return f(std::uint32_t{});
    case 8:
      return f(std::uint64_t{});
    case 16:
      return f(byte16{});
    default:
      return f(nullptr);
  }
}

void copy_scattered(std::byte* to, std::int64_t to_stride, const std::byte* from, std::int64_t from_stride,
                    std::int64_t items, std::int64_t bytes) {
  with_word(bytes, [&](auto word) {
    for (std::int64_t i = 0; i < items; ++i) {
      if constexpr (std::is_same_v<decltype(word), std::nullptr_t>)
        std::memcpy(to + i * to_stride, from + i * from_stride, static_cast<std::size_t>(bytes));
      else
        std::memcpy(to + i * to_stride, from + i * from_stride, sizeof word);
    }
  });
}

void fill_run(std::byte* to, std::int64_t items, std::span<const std::byte> value) {
  const auto bytes = static_cast<std::size_t>(items) * value.size();
  if (bytes == 0) return;
  if (std::all_of(value.begin(), value.end(), [&](std::byte b) { return b == value[0]; })) {
    std::memset(to, static_cast<int>(value[0]), bytes);
    return;
  }
  with_word(static_cast<std::int64_t>(value.size()), [&](auto word) {
    if constexpr (std::is_same_v<decltype(word), std::nullptr_t>) {
      for (std::int64_t i = 0; i < items; ++i)
        std::memcpy(to + i * static_cast<std::int64_t>(value.size()), value.data(), value.size());
    } else {
      std::memcpy(&word, value.data(), sizeof word);
      for (std::int64_t i = 0; i < items; ++i)
        std::memcpy(to + i * static_cast<std::int64_t>(sizeof word), &word, sizeof word);
    }
  });
}

const tessera_cpu_reduction& compiled(const reduction_code* code) {
  return *static_cast<const tessera_cpu_reduction*>(static_cast<const void*>(code));
}

}  // namespace

std::vector<std::byte> identity_value(const reduction_code* code) {
  std::vector<std::byte> value(compiled(code).bytes);
  compiled(code).identity(value.data());
  return value;
}

row_walk::row_walk(const extents& count, const extents& target, const extents* source, std::int64_t element_bytes) {
  count_[0] = 1;
  target_[0] = source_[0] = element_bytes;
  if (std::any_of(count.begin(), count.end(), [](std::int64_t n) { return n <= 0; })) rows_ = 0;
  std::size_t used = 0;
  for (int a = count.rank() - 1; a >= 0 && rows_ != 0; --a) {
    const std::int64_t to = target[a];
    const std::int64_t from = source != nullptr ? (*source)[a] : to;
    if (count[a] == 1) continue;
    if (used > 0 && to == count_[used - 1] * target_[used - 1] &&
        (from == count_[used - 1] * source_[used - 1] || planted("strides_merged"))) {
      count_[used - 1] *= count[a];
      continue;
    }
    count_[used] = count[a];
    target_[used] = to;
    source_[used] = from;
    ++used;
  }
  rank_ = std::max(1, static_cast<int>(used));
  for (std::size_t k = 1; k < static_cast<std::size_t>(rank_); ++k) rows_ *= count_[k];
  contiguous_ = target_[0] == element_bytes && source_[0] == element_bytes;
}

void copy_items(const row_walk& walk, const copy_desc& copy, std::int64_t first, std::int64_t last) {
  const std::int64_t bytes = copy.element_bytes;
  walk.visit(first, last, [&](std::int64_t to, std::int64_t from, std::int64_t items) {
    if (walk.contiguous())
      std::memcpy(copy.target.data + to, copy.source.data + from, static_cast<std::size_t>(items * bytes));
    else
      copy_scattered(copy.target.data + to, walk.target_stride(), copy.source.data + from, walk.source_stride(), items,
                     bytes);
  });
}

void fill_items(const row_walk& walk, const strided& target, std::span<const std::byte> value, std::int64_t first,
                std::int64_t last) {
  walk.visit(first, last, [&](std::int64_t to, std::int64_t, std::int64_t items) {
    if (walk.contiguous())
      fill_run(target.data + to, items, value);
    else
      copy_scattered(target.data + to, walk.target_stride(), value.data(), 0, items,
                     static_cast<std::int64_t>(value.size()));
  });
}

void fold_items(const row_walk& walk, const fold_desc& fold, std::int64_t first, std::int64_t last) {
  if (fold.overwrite) {
    const copy_desc plain{fold.target, fold.source, fold.count, fold.type.size};
    return copy_items(walk, plain, first, last);
  }
  walk.visit(first, last, [&](std::int64_t to, std::int64_t from, std::int64_t items) {
    std::byte* const target = fold.target.data + to;
    const std::byte* const source = fold.source.data + from;
    if (fold.code != nullptr)
      return compiled(fold.code).combine(target, walk.target_stride(), source, walk.source_stride(), items);
    if (walk.contiguous()) return combine(fold.op, fold.type, target, source, items);
    for (std::int64_t i = 0; i < items; ++i)
      combine(fold.op, fold.type, target + i * walk.target_stride(), source + i * walk.source_stride(), 1);
  });
}

void fill_box(const strided& target, const extents& count, std::span<const std::byte> value) {
  const row_walk walk(count, target.strides, nullptr, static_cast<std::int64_t>(value.size()));
  fill_items(walk, target, value, 0, walk.total());
}

void fold_box(const fold_desc& fold) {
  const row_walk walk(fold.count, fold.target.strides, &fold.source.strides, fold.type.size);
  fold_items(walk, fold, 0, walk.total());
}

}  // namespace tessera::device
