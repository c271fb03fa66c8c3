#include "tessera/nd/ops/arrange/join.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/assemble.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

std::int64_t product_of(std::int64_t a, std::int64_t b, call_site here) {
  return in_call(here, [&] { return checked_multiply(a, b, "the number of elements of an array"); });
}

void require_arrays(const char* name, std::span<const array> arrays, call_site here) {
  for (const array& each : arrays) each.require_assigned(here);
  if (arrays.empty()) refuse(here, name, " of no arrays: one is needed at least");
}

scalar_kind type_of(std::span<const array> arrays) {
  const std::vector<operand> operands(arrays.begin(), arrays.end());
  return common_type(operands);
}

/// The shape of all arrays one behind the other.
extents joined_shape(std::span<const array> arrays, int axis, call_site here) {
  extents made = arrays[0].shape();
  for (const array& each : arrays.subspan(1)) {
    extents expected = each.shape();
    if (expected.rank() == made.rank()) expected[axis] = made[axis];
    if (expected != made)
      refuse(here, "arrays of the shapes ", to_string(arrays[0].shape()), " and ", to_string(each.shape()),
             " cannot be joined along axis ", axis, ": they agree on all other axes");
    made[axis] += each.shape()[axis];
  }
  return made;
}

std::vector<array> mapped(std::span<const array> arrays, array (*change)(const array&, call_site), call_site here) {
  std::vector<array> made;
  for (const array& each : arrays) made.push_back(change(each, here));
  return made;
}

std::span<const array> list(std::initializer_list<array> arrays) { return {arrays.begin(), arrays.size()}; }

/// A new array of the shape `joined` with the elements of `apart`, which is `a` with new axes, repeated to the shape
/// `repeated`: written by one launch through a view that has these axes.
array joined_repetition(const array& a, const array& apart, const extents& repeated, const extents& joined,
                        call_site here) {
  const array made = new_array(joined, a.type(), {&a, 1}, here);
  if (made.size() > 0) made.reshape(repeated, here).assign(broadcast_to(apart, repeated, here), here);
  return made;
}

/// `a` repeated `count` times along an axis, as a whole or element by element.
array repeated(const array& a, std::int64_t count, int axis, bool whole, call_site here) {
  if (a.rank() == max_rank) {  // no axis is left for the repetitions: it is a line of matrices
    const std::int64_t length = a.shape()[axis];
    std::int64_t before = 1, behind = 1;
    for (int k = 0; k < a.rank(); ++k) (k < axis ? before : behind) *= k == axis ? 1 : a.shape()[k];
    extents joined = a.shape();
    joined[axis] = product_of(length, count, here);
    return repeated(a.reshape({before, length, behind}, here), count, 1, whole, here).reshape(joined, here);
  }
  const int position = whole ? axis : axis + 1;
  const array apart = expand_dims(a, position, here);
  extents shape = apart.shape(), joined = a.shape();
  shape[position] = count;
  joined[axis] = product_of(joined[axis], count, here);
  return joined_repetition(a, apart, shape, joined, here);
}

/// An axis whose elements move by `distance` places, around its end.
std::vector<axis_piece> rolled_pieces(std::int64_t length, std::int64_t distance) {
  if (length == 0 || distance % length == 0) return {{0, length, 0, 1}};
  const std::int64_t moved = (distance % length + length) % length;
  return {{moved, length - moved, 0, 1}, {0, moved, length - moved, 1}};
}

std::vector<pad_width> widths_of(const array& a, std::span<const pad_width> widths, call_site here) {
  std::vector<pad_width> made(widths.begin(), widths.end());
  if (made.size() == 1) made.resize(index(a.rank(here)), widths[0]);
  if (static_cast<int>(made.size()) != a.rank(here))
    refuse(here, "pad with ", widths.size(), " widths for an array with ", a.rank(), " axes");
  for (const auto& [before, behind] : made)
    if (before < 0 || behind < 0) refuse(here, "pad by ", before, " and ", behind, " elements");
  return made;
}

extents padded_shape(const array& a, std::span<const pad_width> widths) {
  extents made = a.shape();
  for (int k = 0; k < a.rank(); ++k) made[k] += widths[index(k)].first + widths[index(k)].second;
  return made;
}

array padded_with_edges(const array& a, std::span<const pad_width> widths, call_site here) {
  std::vector<std::vector<axis_piece>> pieces(widths.size());
  for (int k = 0; k < a.rank(); ++k) {
    const std::int64_t length = a.shape()[k];
    const auto& [before, behind] = widths[index(k)];
    if (length == 0 && before + behind > 0) refuse(here, "pad with edges of axis ", k, ", which has no elements");
    pieces[index(k)].push_back({before, length, 0, 1});
    if (before > 0) pieces[index(k)].push_back({0, before, 0, 0});
    if (behind > 0) pieces[index(k)].push_back({before + length, behind, length - 1, 0});
  }
  const array made = new_array_of_parts(padded_shape(a, widths), a.type(), {&a, 1}, here);
  write_pieces(made, a, pieces, here);
  return made;
}

}  // namespace

array concat(std::span<const array> arrays, int axis, call_site here) {
  require_arrays("concat", arrays, here);
  const int along = resolve_axis(axis, arrays[0].rank(), here);
  const array made = new_array_of_parts(joined_shape(arrays, along, here), type_of(arrays), arrays, here);
  std::int64_t at = 0;
  for (const array& each : arrays) {
    const std::int64_t length = each.shape()[along];
    made.seen_through(slice_map(made.shape(), along, {at, at + length, 1})).assign(each, here);
    at += length;
  }
  return made;
}
array concat(std::initializer_list<array> arrays, int axis, call_site here) { return concat(list(arrays), axis, here); }

array stack(std::span<const array> arrays, int axis, call_site here) {
  require_arrays("stack", arrays, here);
  const int along = resolve_axis(axis, arrays[0].rank() + 1, here);
  std::vector<array> deeper;
  for (const array& each : arrays) {
    if (each.shape() != arrays[0].shape())
      refuse(here, "stack of arrays of the shapes ", to_string(arrays[0].shape()), " and ", to_string(each.shape()),
             ": all have one shape");
    deeper.push_back(expand_dims(each, along, here));
  }
  return concat(deeper, along, here);
}
array stack(std::initializer_list<array> arrays, int axis, call_site here) { return stack(list(arrays), axis, here); }

array hstack(std::span<const array> arrays, call_site here) {
  require_arrays("hstack", arrays, here);
  const std::vector<array> deeper = mapped(arrays, atleast_1d, here);
  return concat(deeper, deeper[0].rank() == 1 ? 0 : 1, here);
}
array hstack(std::initializer_list<array> arrays, call_site here) { return hstack(list(arrays), here); }

array vstack(std::span<const array> arrays, call_site here) {
  require_arrays("vstack", arrays, here);
  return concat(mapped(arrays, atleast_2d, here), 0, here);
}
array vstack(std::initializer_list<array> arrays, call_site here) { return vstack(list(arrays), here); }

array tile(const array& a, const extents& counts, call_site here) {
  for (const std::int64_t count : counts)
    if (count < 0) refuse(here, "tile by ", to_string(counts), ": an array is repeated 0 times or more");
  array made = a;
  while (made.rank(here) < counts.rank()) made = expand_dims(made, 0, here);
  const int more = made.rank() - counts.rank();
  int splits = 0;
  for (const std::int64_t count : counts) splits += count != 1 ? 1 : 0;
  if (made.rank() + splits > max_rank) {  // too many axes for one launch
    for (int k = 0; k < counts.rank(); ++k)
      if (counts[k] != 1) made = repeated(made, counts[k], k + more, true, here);
    return made;
  }
  array apart = made;
  extents joined = made.shape();
  for (int k = counts.rank() - 1; k >= 0; --k) {
    joined[k + more] = product_of(joined[k + more], counts[k], here);
    if (counts[k] != 1) apart = expand_dims(apart, k + more, here);
  }
  extents shape = apart.shape();
  for (int k = 0, at = more; k < counts.rank(); ++k, ++at)
    if (counts[k] != 1) shape[at++] = counts[k];
  return joined_repetition(made, apart, shape, joined, here);
}

array repeat(const array& a, std::int64_t count, int axis, call_site here) {
  if (count < 0) refuse(here, "repeat of elements ", count, " times");
  return repeated(a, count, resolve_axis(axis, a.rank(here), here), false, here);
}
array repeat(const array& a, std::int64_t count, call_site here) { return repeat(ravel(a, here), count, 0, here); }

array roll(const array& a, const extents& distances, const axis_list& axes, call_site here) {
  a.require_assigned(here);
  if (distances.rank() != 1 && distances.rank() != static_cast<int>(axes.size()))
    refuse(here, "roll by ", distances.rank(), " distances along ", axes.size(), " axes");
  std::vector<std::vector<axis_piece>> pieces;
  for (const std::int64_t length : a.shape(here)) pieces.push_back(rolled_pieces(length, 0));
  const axis_list along = axes.resolved(a.rank(), here);
  for (std::size_t k = 0; k < along.size(); ++k)
    pieces[index(along[k])] =
        rolled_pieces(a.shape()[along[k]], distances[distances.rank() == 1 ? 0 : static_cast<int>(k)]);
  const array made = new_array_of_parts(a.shape(), a.type(), {&a, 1}, here);
  write_pieces(made, a, pieces, here);
  return made;
}
array roll_line(const array& a, std::int64_t distance, call_site here) {
  a.require_assigned(here);
  const array made = new_array(a.shape(here), a.type(), {&a, 1}, here);
  const std::vector<std::vector<axis_piece>> line{rolled_pieces(a.size(), distance)};
  write_pieces(made.reshape({-1}, here), ravel(a, here), line, here);
  return made;
}

array pad(const array& a, std::span<const pad_width> widths, pad_mode mode, call_site here) {
  if (mode == pad_mode::constant) return pad(a, widths, number(false), here);
  return padded_with_edges(a, widths_of(a, widths, here), here);
}
array pad(const array& a, std::initializer_list<pad_width> widths, pad_mode mode, call_site here) {
  return pad(a, std::span(widths.begin(), widths.size()), mode, here);
}

/// A constant array, of which a part is written: two launches, where pieces around the array would be many.
array pad(const array& a, std::span<const pad_width> widths, const number& value, call_site here) {
  const std::vector<pad_width> around = widths_of(a, widths, here);
  const extents shape = padded_shape(a, around);
  const array made = new_array(shape, a.type(), {&a, 1}, here);
  made.assign(value, here);
  index_map inside = index_map::identity(shape);
  inside.domain = a.shape();
  for (int k = 0; k < a.rank(); ++k) inside.terms[index(k)].first = around[index(k)].first;
  made.seen_through(inside).assign(a, here);
  return made;
}
array pad(const array& a, std::initializer_list<pad_width> widths, const number& value, call_site here) {
  return pad(a, std::span(widths.begin(), widths.size()), value, here);
}

}  // namespace tessera::nd
