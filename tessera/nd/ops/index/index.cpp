#include "tessera/nd/ops/index/index.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tessera/nd/fuse/compress.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {
namespace {

array places_of(const array& indices, call_site here) {
  if (!kernels::contains(kernels::type_sets::integers, indices.type(here)))
    refuse<type_error>(here, "places of type ", to_string(dtype::make(indices.type())), ": they are integers");
  return as_type(indices, scalar_kind::int64, here);
}

array gathered(const array& a, const array& places, const gather_spec& spec, call_site here) {
  const std::shared_ptr<graph>& owner = a.is_host() ? places.owner() : a.owner();
  if (!a.is_host() && !places.is_host() && a.owner() != places.owner()) refuse_different_contexts(here);
  if (element_count(spec.source.domain) == 0)
    return full(spec.source.domain, false, a.type(), {.ctx = owner->ctx()}, here);
  return in_call(here, [&]() -> array {
    return {owner, record_gather(*owner, a.expression(here), places.expression(here), spec, here)};
  });
}

void require_mask(const array& mask, const extents& shape, call_site here) {
  if (mask.type(here) != scalar_kind::boolean || mask.shape() != shape)
    refuse<index_error>(here, "a mask of the shape ", to_string(mask.shape()), " and type ",
                        to_string(dtype::make(mask.type())), " for an array of the shape ", to_string(shape),
                        ": it has that shape, and booleans");
}

}  // namespace

void check_places(const array& indices, std::int64_t extent, int axis, call_site here) {
  const array places = places_of(indices, here);
  if (places.size() == 0) return;
  if (extent == 0) refuse<index_error>(here, "places of axis ", axis, ", which has no elements");
  const array least = min(places, {}, false, here), greatest = max(places, {}, false, here);
  places.owner()->check_places(least.expression(here), greatest.expression(here), extent, axis, here);
  if (places.is_host()) places.owner()->run_checks(here);
}

array take(const array& a, const array& indices, int axis, call_site here) {
  const int k = resolve_axis(axis, a.rank(here), here);
  const array places = places_of(indices, here);
  check_places(places, a.shape()[k], k, here);
  const int more = places.rank();
  std::vector<std::int64_t> shape;
  gather_spec spec{k, {{}, a.rank(), {}}, {{}, more, {}}};
  for (int axis_of_a = 0; axis_of_a < a.rank(); ++axis_of_a) {
    if (axis_of_a == k) {
      for (int j = 0; j < more; ++j) {
        spec.indices.terms[index(j)] = {0, 1, static_cast<int>(shape.size())};
        shape.push_back(places.shape()[j]);
      }
      continue;
    }
    spec.source.terms[index(axis_of_a)] = {0, 1, static_cast<int>(shape.size())};
    shape.push_back(a.shape()[axis_of_a]);
  }
  spec.source.domain = spec.indices.domain = in_call(here, [&] { return extents(shape); });
  return gathered(a, places, spec, here);
}

array take_along_axis(const array& a, const array& indices, int axis, call_site here) {
  if (a.rank(here) != indices.rank(here))
    refuse(here, "places with ", indices.rank(), " axes for an array with ", a.rank());
  const int k = resolve_axis(axis, a.rank(here), here);
  const array places = places_of(indices, here);
  check_places(places, a.shape()[k], k, here);
  extents others = a.shape();
  others[k] = places.shape()[k];
  extents of_places = places.shape();
  const extents shape = broadcast_shape(others, of_places, here);
  gather_spec spec{k, broadcast_map(others, shape), broadcast_map(of_places, shape)};
  spec.source.terms[index(k)] = {0, 0, -1};
  return gathered(a, places, spec, here);
}

array compress(const array& mask, const array& a, call_site here) {
  require_mask(mask, a.shape(here), here);
  const std::shared_ptr<graph>& owner = a.is_host() ? mask.owner() : a.owner();
  if (a.size() == 0) return full({0}, false, a.type(), {.ctx = owner->ctx()}, here);
  return {owner, run_compress(*owner, mask.expression(here), a.expression(here), here)};
}

array flatnonzero(const array& a, call_site here) {
  const array mask = a.type(here) == scalar_kind::boolean ? a : not_equal(a, 0, here);
  const array places = arange(a.size(), {.ctx = a.owner()->ctx()}, here);
  return compress(mask.reshape({-1}, here), places, here);
}

std::vector<array> nonzero(const array& a, call_site here) {
  if (a.rank(here) == 0) refuse(here, "nonzero of an array without axes");
  array left = flatnonzero(a, here);
  std::vector<array> places(index(a.rank()));
  for (int k = a.rank() - 1; k > 0; --k) {
    const std::int64_t n = std::max<std::int64_t>(a.shape()[k], 1);
    places[index(k)] = remainder(left, n, here);
    left = floor_divide(left, n, here);
  }
  places[0] = left;
  return places;
}

void put_mask(const array& a, const array& mask, const array& value, call_site here) {
  require_mask(mask, a.shape(here), here);
  if (!can_store(a.type(), value.type(here)))
    refuse<type_error>(here, "elements of type ", to_string(dtype::make(value.type())), " for an array of ",
                       to_string(dtype::make(a.type())));
  a.assign_result(where(mask, as_type(value, a.type(), here), a, here), here);
}

void put_mask(const array& a, const array& mask, const number& value, call_site here) {
  require_mask(mask, a.shape(here), here);
  a.assign_result(where(mask, full({}, value, a.type(), {.ctx = a.owner()->ctx()}, here), a, here), here);
}

}  // namespace tessera::nd
