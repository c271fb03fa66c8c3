#include "tessera/nd/shape/index_map.h"

#include <algorithm>
#include <vector>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

/// The identity, of which the caller changes some terms.
index_map identity_of(const extents& shape) { return index_map::identity(shape); }

/// Moves the domain's axes behind `axis` by `distance`, in all terms.
void move_axes(index_map& map, int axis, int distance) {
  for (index_map::term& t : std::span(map.terms).first(index(map.source_rank)))
    if (t.axis >= axis) t.axis += distance;
}

/// Takes an axis out of the domain, whose terms have been changed not to use it.
void drop_axis(index_map& map, int axis) {
  map.domain = without_extent(map.domain, axis);
  move_axes(map, axis + 1, -1);
}

}  // namespace

extents without_extent(const extents& shape, int axis) {
  extents made = extents::uniform(shape.rank() - 1, 0);
  for (int k = 0; k < made.rank(); ++k) made[k] = shape[k < axis ? k : k + 1];
  return made;
}

extents with_extent(const extents& shape, int position, std::int64_t value) {
  if (shape.rank() == max_rank) throw_rank_too_large(max_rank + 1);
  extents made = extents::uniform(shape.rank() + 1, value);
  for (int k = 0; k < shape.rank(); ++k) made[k < position ? k : k + 1] = shape[k];
  return made;
}

index_map index_map::identity(const extents& shape) {
  index_map made{shape, shape.rank(), {}};
  for (int k = 0; k < shape.rank(); ++k) made.terms[index(k)] = {0, 1, k};
  return made;
}

bool index_map::is_identity(const extents& source) const { return source == domain && *this == identity(source); }

bool index_map::repeats() const {
  std::array<bool, max_rank> used{};
  for (int k = 0; k < source_rank; ++k)
    if (const term& t = terms[index(k)]; t.axis >= 0 && t.step != 0) used[index(t.axis)] = true;
  for (int axis = 0; axis < domain.rank(); ++axis)
    if (domain[axis] > 1 && !used[index(axis)]) return true;
  return false;
}

extents index_map::at(const extents& place) const {
  extents made = extents::uniform(source_rank, 0);
  for (int k = 0; k < source_rank; ++k) {
    const term& t = terms[index(k)];
    made[k] = t.first + (t.axis >= 0 ? t.step * place[t.axis] : 0);
  }
  return made;
}

index_map compose(const index_map& outer, const index_map& inner) {
  index_map made{inner.domain, outer.source_rank, {}};
  for (int k = 0; k < outer.source_rank; ++k) {
    const index_map::term& t = outer.terms[index(k)];
    if (t.axis < 0) {
      made.terms[index(k)] = t;
      continue;
    }
    const index_map::term& within = inner.terms[index(t.axis)];
    made.terms[index(k)] = {t.first + t.step * within.first, within.axis < 0 ? 0 : t.step * within.step, within.axis};
  }
  return made;
}

int resolve_axis(int axis, int rank, call_site here) {
  const int place = axis < 0 ? axis + rank : axis;
  if (place < 0 || place >= rank) refuse(here, "axis ", axis, " of an array with ", rank, " axes");
  return place;
}

index_map slice_map(const extents& shape, int axis, const slice& wanted, call_site here) {
  const int k = resolve_axis(axis, shape.rank(), here);
  const resolved_slice part = resolve(wanted, shape[k], here);
  index_map made = identity_of(shape);
  made.domain[k] = part.count;
  made.terms[index(k)] = {part.first, part.step, k};
  return made;
}

index_map pick_map(const extents& shape, int axis, std::int64_t place, call_site here) {
  const int k = resolve_axis(axis, shape.rank(), here);
  index_map made = identity_of(shape);
  made.terms[index(k)] = {resolve_index(place, shape[k], k, here), 0, -1};
  drop_axis(made, k);
  return made;
}

index_map new_axis_map(const extents& shape, int position, call_site here) {
  const int k = resolve_axis(position, shape.rank() + 1, here);
  index_map made = identity_of(shape);
  move_axes(made, k, 1);
  made.domain = in_call(here, [&] { return with_extent(shape, k, 1); });
  return made;
}

index_map dropped_axis_map(const extents& shape, int axis, call_site here) {
  const int k = resolve_axis(axis, shape.rank(), here);
  if (shape[k] != 1) refuse(here, "axis ", axis, " cannot be left out: it has ", shape[k], " elements");
  return pick_map(shape, k, 0);
}

index_map permutation_map(const extents& shape, std::span<const int> axes, call_site here) {
  if (static_cast<int>(axes.size()) != shape.rank())
    refuse(here, "a permutation of ", axes.size(), " axes for an array with ", shape.rank());
  index_map made = identity_of(shape);
  std::array<bool, max_rank> used{};
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const int axis = resolve_axis(axes[k], shape.rank(), here);
    if (used[index(axis)]) refuse(here, "a permutation names axis ", axis, " twice");
    used[index(axis)] = true;
    made.domain[static_cast<int>(k)] = shape[axis];
    made.terms[index(axis)] = {0, 1, static_cast<int>(k)};
  }
  return made;
}

index_map flip_map(const extents& shape, int axis, call_site here) {
  return slice_map(shape, axis, {slice::open, slice::open, -1}, here);
}

index_map diagonal_map(const extents& shape, std::int64_t distance, int axis, int other, call_site here) {
  const int a = resolve_axis(axis, shape.rank(), here), b = resolve_axis(other, shape.rank(), here);
  if (a == b) refuse(here, "a diagonal of axis ", a, " and itself");
  const std::int64_t row = std::max<std::int64_t>(-distance, 0), column = std::max<std::int64_t>(distance, 0);
  const std::int64_t count = std::max<std::int64_t>(std::min(shape[a] - row, shape[b] - column), 0);
  index_map made = identity_of(shape);
  made.terms[index(a)] = made.terms[index(b)] = {0, 0, -1};
  drop_axis(made, std::max(a, b));
  drop_axis(made, std::min(a, b));
  const int last = made.domain.rank();
  made.domain = with_extent(made.domain, last, count);
  made.terms[index(a)] = {count > 0 ? row : 0, 1, last};
  made.terms[index(b)] = {count > 0 ? column : 0, 1, last};
  return made;
}

extents broadcast_shape(const extents& a, const extents& b, call_site here) {
  if (a == b) return a;
  const int rank = std::max(a.rank(), b.rank());
  extents made = extents::uniform(rank, 1);
  for (int k = 1; k <= rank; ++k) {
    const std::int64_t m = k <= a.rank() ? a[a.rank() - k] : 1, n = k <= b.rank() ? b[b.rank() - k] : 1;
    if (m != n && m != 1 && n != 1)
      refuse(here, "shapes ", to_string(a), " and ", to_string(b), " do not fit: ", m, " and ", n, " elements on axis ",
             -k);
    made[rank - k] = m == 1 ? n : m;
  }
  return made;
}

index_map broadcast_map(const extents& shape, const extents& wanted, call_site here) {
  index_map made{wanted, shape.rank(), {}};
  int more = wanted.rank() - shape.rank();
  bool fits = more >= 0;
  for (int k = 0; fits && k < shape.rank(); ++k) fits = shape[k] == 1 || shape[k] == wanted[k + more];
  if (!fits) refuse(here, "an array of the shape ", to_string(shape), " cannot be repeated to ", to_string(wanted));
  if (planted("repeated_behind") && shape.rank() == 1 && wanted[0] == shape[0]) more = 0;
  for (int k = 0; k < shape.rank(); ++k)
    if (shape[k] != 1 || wanted[k + more] == 1) made.terms[index(k)] = {0, 1, k + more};
  return made;
}

}  // namespace tessera::nd
