#include "tessera/plan/access/view_boxes.h"

#include <algorithm>

#include "tessera/base/defects.h"

namespace tessera::plan {

namespace {

/// Runs are cheap until they are merged, but not free: beyond this many it is not tried whether they would merge.
constexpr std::int64_t max_runs = 16 * static_cast<std::int64_t>(max_boxes_per_rule);

/// Joins the last two boxes while they differ on one axis only and touch there.
void merge_last(std::vector<box>& out, std::size_t first) {
  while (out.size() >= first + 2) {
    box& a = out[out.size() - 2];
    const box& b = out.back();
    int differing = -1;
    for (int k = 0; k < a.rank(); ++k) {
      if (a.lo[k] == b.lo[k] && a.hi[k] == b.hi[k]) continue;
      if (differing >= 0) return;
      differing = k;
    }
    if (differing < 0 || a.hi[differing] != b.lo[differing]) return;
    a.hi[differing] = b.hi[differing];
    out.pop_back();
  }
}

/// Flat storage of an array, cut back into boxes of its own shape.
class flat_storage {
 public:
  explicit flat_storage(const extents& shape) : shape_(shape), stride_(extents::uniform(shape.rank(), 1)) {
    for (int a = shape.rank() - 2; a >= 0; --a) stride_[a] = stride_[a + 1] * shape[a + 1];
    size_ = shape.rank() == 0 ? 1 : stride_[0] * shape[0];
  }

  [[nodiscard]] std::int64_t size() const { return size_; }

  /// Appends the elements lo <= x < hi, which lie inside, as at most two boxes per axis.
  void append(std::int64_t lo, std::int64_t hi, std::vector<box>& out, std::size_t first) const {
    while (lo < hi) {
      int axis = 0;  // the slowest axis on which a whole step starts at lo and fits
      while (axis + 1 < shape_.rank() && (lo % stride_[axis] != 0 || hi - lo < stride_[axis])) ++axis;
      box b = box::whole(shape_);
      std::int64_t rest = lo;
      for (int a = 0; a < axis; ++a) {
        b.lo[a] = rest / stride_[a];
        b.hi[a] = b.lo[a] + 1;
        rest %= stride_[a];
      }
      if (shape_.rank() > 0) {
        b.lo[axis] = rest / stride_[axis];
        b.hi[axis] = std::min(shape_[axis], b.lo[axis] + (hi - lo) / stride_[axis]);
        lo += b.extent(axis) * stride_[axis];
      } else {
        lo = hi;
      }
      out.push_back(b);
      merge_last(out, first);
    }
  }

 private:
  extents shape_;
  extents stride_;
  std::int64_t size_ = 1;
};

/// The runs of consecutive elements that a box of a view is made of, in increasing order.
class view_runs {
 public:
  view_runs(const storage_view& view, const box& part) : part_(part), at_(part.lo) {
    const int rank = part.rank();
    stride_ = extents::uniform(rank, 1);
    for (int a = rank - 2; a >= 0; --a) stride_[a] = stride_[a + 1] * view.shape[a + 1];
    pivot_ = rank - 1;
    while (pivot_ > 0 && part.extent(pivot_) == view.shape[pivot_]) --pivot_;
    length_ = rank == 0 ? 1 : part.extent(pivot_) * stride_[pivot_];
    start_ = view.offset;
    last_ = view.offset;
    for (int a = 0; a < rank; ++a) {
      start_ += part.lo[a] * stride_[a];
      last_ += (a < pivot_ ? part.hi[a] - 1 : part.lo[a]) * stride_[a];
    }
  }

  [[nodiscard]] std::int64_t start() const { return start_; }
  [[nodiscard]] std::int64_t length() const { return length_; }
  [[nodiscard]] std::int64_t end_of_last() const { return last_ + length_; }

  /// Goes to the next run; false behind the last.
  bool next() {
    for (int a = pivot_ - 1; a >= 0; --a) {
      start_ += stride_[a];
      if (++at_[a] < part_.hi[a]) return true;
      start_ -= part_.extent(a) * stride_[a];
      at_[a] = part_.lo[a];
    }
    return false;
  }

 private:
  box part_;
  extents at_;
  extents stride_;
  int pivot_ = 0;
  std::int64_t length_ = 1;
  std::int64_t start_ = 0;
  std::int64_t last_ = 0;
};

}  // namespace

bool append_view_boxes(const storage_view& view, const box& part, const extents& shape, std::vector<box>& out) {
  if (view.offset == 0 && view.shape == shape) {
    out.push_back(part);
    return true;
  }
  const flat_storage storage(shape);
  view_runs runs(view, part);
  const std::size_t first = out.size();
  std::int64_t seen = 0;
  do {
    if (runs.start() >= storage.size()) return true;
    storage.append(runs.start(), std::min(runs.start() + runs.length(), storage.size()), out, first);
    if (out.size() - first > max_boxes_per_rule || ++seen > max_runs) {
      out.resize(first);
      append_view_bounds(view, part, shape, out);
      return false;
    }
    if (planted("view_row_lost") && seen == 2) return true;
  } while (runs.next());
  return true;
}

void append_view_bounds(const storage_view& view, const box& part, const extents& shape, std::vector<box>& out) {
  if (view.offset == 0 && view.shape == shape) return out.push_back(part);
  const flat_storage storage(shape);
  const view_runs runs(view, part);
  const std::size_t first = out.size();
  storage.append(runs.start(), std::min(runs.end_of_last(), storage.size()), out, first);
  for (; out.size() > first + 1; out.pop_back()) out[first] = hull(out[first], out.back());
}

}  // namespace tessera::plan
