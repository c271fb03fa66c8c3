#include "tessera/nd/ops/index/places.h"

#include <algorithm>
#include <vector>

#include "tessera/base/index.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/index/index.h"
#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/ops/scan.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {
namespace {

/// The axes that are indexed, and where their places stand in the result.
struct indexed_axes {
  std::vector<int> axes, others;
  int position = 0;
};

indexed_axes find_axes(std::span<const array> places) {
  indexed_axes found;
  for (std::size_t k = 0; k < places.size(); ++k)
    (places[k].is_null() ? found.others : found.axes).push_back(static_cast<int>(k));
  const auto& axes = found.axes;
  if (axes.back() - axes.front() + 1 == static_cast<int>(axes.size())) found.position = axes.front();
  return found;
}

/// The place in the elements of all indexed axes together. Throws for places that are none, since one axis' mistake may
/// be another place here.
array joint_places(const array& a, const indexed_axes& of, std::span<const array> places, call_site here) {
  array joint;
  for (const int axis : of.axes) {
    const array& given = places[index(axis)];
    const std::int64_t n = a.shape()[axis];
    check_places(given, n, axis, here);
    const array wide = as_type(given, scalar_kind::int64, here);
    const array place = where(less(wide, 0, here), add(wide, n, here), wide, here);
    joint = joint.is_null() ? place : add(multiply(joint, n, here), place, here);
  }
  return joint;
}

/// `a` with the indexed axes in front, as one.
array with_joint_axis(const array& a, const indexed_axes& of, call_site here) {
  std::vector<int> order = of.axes;
  order.insert(order.end(), of.others.begin(), of.others.end());
  std::vector<std::int64_t> shape{1};
  for (const int axis : of.axes) shape[0] *= a.shape()[axis];
  for (const int axis : of.others) shape.push_back(a.shape()[axis]);
  return permute_dims(a, std::span<const int>(order), here).reshape(extents(shape), here);
}

}  // namespace

array at_places(const array& a, std::span<const array> places, call_site here) {
  const indexed_axes of = find_axes(places);
  if (of.axes.size() == 1) return take(a, places[index(of.axes[0])], of.axes[0], here);
  const array joint = joint_places(a, of, places, here);
  const array taken = take(with_joint_axis(a, of, here), joint, 0, here);
  std::vector<int> from, to;
  for (int k = 0; k < joint.rank(); ++k) from.push_back(k), to.push_back(of.position + k);
  return from.empty() ? taken : moveaxis(taken, std::span<const int>(from), std::span<const int>(to), here);
}

void put_at_places(const array& a, std::span<const array> places, const array& value, call_site here) {
  if (!can_store(a.type(here), value.type(here)))
    refuse<type_error>(here, "elements of type ", to_string(dtype::make(value.type())), " for an array of ",
                       to_string(dtype::make(a.type())));
  // What the places are of an array whose elements are their own places.
  const array all = arange(a.size(), {.ctx = a.owner()->ctx()}, here).reshape(a.shape(), here);
  const array targets = at_places(all, places, here);
  const array fitting = broadcast_to(as_type(value, a.type(), here), targets.shape(), here);
  const std::vector<std::byte> from = elements_of(fitting, here), at = elements_of(targets, here);
  std::vector<std::byte> elements = elements_of(a, here);
  const std::size_t size = size_of(a.type());
  for (std::size_t k = 0; k < from.size() / size; ++k) {
    std::int64_t place = 0;
    std::memcpy(&place, at.data() + k * sizeof place, sizeof place);
    std::memcpy(elements.data() + index(place) * size, from.data() + k * size, size);
  }
  a.assign(from_bytes(a.shape(), a.type(), elements, {a.split(), a.owner()->ctx()}, here), here);
}

void put_in_order(const array& a, const array& mask, const array& value, call_site here) {
  if (value.size(here) == 1) return put_mask(a, mask, value.reshape({}, here), here);
  if (mask.shape(here) != a.shape(here)) return put_mask(a, mask, value, here);  // which refuses it
  const std::int64_t wanted = count_nonzero(mask, {}, false, here).item<std::int64_t>(here);
  if (value.rank() != 1 || value.size() != wanted)
    refuse(here, "elements of the shape ", to_string(value.shape()), " for ", wanted, " places where a mask is true");
  if (wanted == 0) return;
  const array order = subtract(cumulative_sum(mask.reshape({-1}, here), 0, false, here), 1, here);
  const array chosen = take(value, maximum(order, 0, here), 0, here).reshape(a.shape(), here);
  put_mask(a, mask, chosen, here);
}

}  // namespace tessera::nd
