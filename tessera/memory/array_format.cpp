#include "tessera/memory/array_format.h"

#include <algorithm>

#include "tessera/base/checked.h"

namespace tessera::memory {

array_format array_format::of(const extents& shape, const dtype& type) {
  array_format f{shape, type, shape, type.size, 0};
  for (int k = shape.rank() - 1; k >= 0; --k) {
    f.strides[k] = f.bytes;
    f.bytes = checked_multiply(f.bytes, shape[k], "the size of an array in bytes");
  }
  return f;
}

bool is_dense(const array_format& f, const box& bounds) {
  bool partial = false;  // an axis of more than one element further out must not lie around a partial one
  for (int k = bounds.rank() - 1; k >= 0; --k) {
    if (partial && bounds.extent(k) > 1) return false;
    partial = partial || bounds.extent(k) != f.shape[k];
  }
  return true;
}

namespace {

/// Appends the elements [first, last) of the array, counted in row-major order from axis `axis` on within `prefix`.
void append_run(const array_format& f, const box& prefix, int axis, std::int64_t first, std::int64_t last,
                std::vector<box>& out) {
  if (first >= last) return;
  const std::int64_t row = f.strides[axis] / f.type.size;
  if (axis + 1 == f.shape.rank()) {
    box b = prefix;
    b.lo[axis] = first, b.hi[axis] = last;
    out.push_back(b);
    return;
  }
  const std::int64_t begin = first / row, end = (last + row - 1) / row;
  const auto inner = [&](std::int64_t x, std::int64_t lo, std::int64_t hi) {
    box b = prefix;
    b.lo[axis] = x, b.hi[axis] = x + 1;
    append_run(f, b, axis + 1, lo, hi, out);
  };
  std::int64_t whole_begin = begin, whole_end = end;
  if (first % row != 0) inner(whole_begin++, first % row, std::min(row, last - begin * row));
  const bool partial_end = last % row != 0 && end - 1 >= whole_begin;
  if (partial_end) --whole_end;
  if (whole_begin < whole_end) {
    box b = prefix;
    b.lo[axis] = whole_begin, b.hi[axis] = whole_end;
    out.push_back(b);
  }
  if (partial_end) inner(end - 1, 0, last % row);
}

}  // namespace

std::vector<box> boxes_of_range(const array_format& f, std::int64_t begin, std::int64_t end) {
  std::vector<box> out;
  const std::int64_t first = std::max<std::int64_t>(0, begin - f.origin) / f.type.size;
  const std::int64_t last = (std::min(end, f.bytes) - f.origin + f.type.size - 1) / f.type.size;
  append_run(f, box::whole(f.shape), 0, first, last, out);
  return out;
}

}  // namespace tessera::memory
