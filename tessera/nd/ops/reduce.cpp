#include "tessera/nd/ops/reduce.h"

#include <limits>

#include "tessera/base/index.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/reduce_here.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {
namespace {

using kernels::contains;
namespace sets = kernels::type_sets;

/// What is combined, and what is left.
struct reduced_shape {
  std::array<bool, max_rank> axes{};
  extents shape;
  std::int64_t count = 1;

  reduced_shape(const extents& from, const axis_list& along, bool keepdims, call_site here) {
    if (!along.is_given()) axes.fill(true);
    for (const int axis : along.resolved(from.rank(), here)) axes[index(axis)] = true;
    std::vector<std::int64_t> left;
    for (int k = 0; k < from.rank(); ++k) {
      if (!axes[index(k)]) left.push_back(from[k]);
      if (axes[index(k)] && keepdims) left.push_back(1);
      if (axes[index(k)]) count *= from[k];
    }
    for (int k = from.rank(); k < max_rank; ++k) axes[index(k)] = false;
    shape = extents(left);
  }
};

array reduced(const array& a, combiner by, scalar_kind computed, scalar_kind result, const reduced_shape& to,
              double correction, call_site here) {
  const reduction_spec spec{by, to.axes, correction, computed};
  const std::shared_ptr<graph>& owner = a.owner();
  if (a.is_host() && owner->is_host_size(a.size(), a.type()))
    return {owner, make_host(result, to.shape, reduce_here(a.on_host(), {spec, result}), here)};
  return in_call(here, [&]() -> array {
    return {owner, record_reduction(*owner, a.expression(here), spec, result, to.shape, here)};
  });
}

array identity_of(const array& a, const number& value, scalar_kind type, const extents& shape, call_site here) {
  return full(shape, value, type, {.ctx = a.owner()->ctx()}, here);
}

/// The type in which integers are summed, and small floats.
scalar_kind sum_type(scalar_kind type) {
  if (!contains(sets::bits, type)) return type;
  return type >= scalar_kind::uint8 ? scalar_kind::uint64 : scalar_kind::int64;
}
scalar_kind computed_type(scalar_kind type) {
  return type == scalar_kind::float16 || type == scalar_kind::bfloat16 ? scalar_kind::float32 : type;
}
scalar_kind mean_type(scalar_kind type) { return contains(sets::bits, type) ? scalar_kind::float64 : type; }

array combined(const array& a, combiner by, const number& identity, const axis_list& along, bool keepdims,
               call_site here) {
  const reduced_shape to(a.shape(here), along, keepdims, here);
  const scalar_kind result = sum_type(a.type());
  if (a.size() == 0 || element_count(to.shape) == 0) return identity_of(a, identity, result, to.shape, here);
  return reduced(a, by, computed_type(result), result, to, 0, here);
}

array extreme(const char* name, const array& a, combiner by, scalar_kind result, const axis_list& along, bool keepdims,
              call_site here) {
  if (!contains(sets::ordered, a.type(here)))
    refuse<type_error>(here, name, " does not exist for ", to_string(dtype::make(a.type())));
  const reduced_shape to(a.shape(here), along, keepdims, here);
  if (to.count == 0) refuse(here, name, " of no elements: the shape is ", to_string(a.shape()));
  if (element_count(to.shape) == 0) return identity_of(a, false, result, to.shape, here);
  return reduced(a, by, a.type(), result, to, 0, here);
}

array truth(const array& a, combiner by, const axis_list& along, bool keepdims, call_site here) {
  const reduced_shape to(a.shape(here), along, keepdims, here);
  if (a.size() == 0) return identity_of(a, by == combiner::all, scalar_kind::boolean, to.shape, here);
  const array asked = a.type() == scalar_kind::boolean ? a : not_equal(a, 0, here);
  return reduced(asked, by, scalar_kind::boolean, scalar_kind::boolean, to, 0, here);
}

/// Means and variances, which are NaN where there is nothing to divide.
array averaged(const array& a, combiner by, const axis_list& along, double correction, bool keepdims, call_site here) {
  const reduced_shape to(a.shape(here), along, keepdims, here);
  const scalar_kind type = mean_type(a.type());
  const scalar_kind result = by == combiner::variance ? kernels::real_kind(type) : type;
  if (a.size() == 0) return identity_of(a, std::numeric_limits<double>::quiet_NaN(), result, to.shape, here);
  return reduced(a, by, computed_type(type), result, to, correction, here);
}

void require_one_axis(const char* name, const axis_list& along, call_site here) {
  if (along.is_given() && along.size() != 1)
    refuse(here, name, " along ", along.size(), " axes: give one, or none for all elements");
}

}  // namespace

array sum(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return combined(a, combiner::sum, 0, along, keepdims, here);
}
array prod(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return combined(a, combiner::product, 1, along, keepdims, here);
}
array min(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return extreme("min", a, combiner::minimum, a.type(here), along, keepdims, here);
}
array max(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return extreme("max", a, combiner::maximum, a.type(here), along, keepdims, here);
}
array any(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return truth(a, combiner::any, along, keepdims, here);
}
array all_elements::operator()(const array& a, const axis_list& along, bool keepdims, call_site here) const {
  return truth(a, combiner::all, along, keepdims, here);
}
array mean(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return averaged(a, combiner::mean, along, 0, keepdims, here);
}
array var(const array& a, const axis_list& along, double correction, bool keepdims, call_site here) {
  return averaged(a, combiner::variance, along, correction, keepdims, here);
}
array std(const array& a, const axis_list& along, double correction, bool keepdims, call_site here) {
  return sqrt(var(a, along, correction, keepdims, here), here);
}
array argmin(const array& a, const axis_list& along, bool keepdims, call_site here) {
  require_one_axis("argmin", along, here);
  return extreme("argmin", a, combiner::argmin, scalar_kind::int64, along, keepdims, here);
}
array argmax(const array& a, const axis_list& along, bool keepdims, call_site here) {
  require_one_axis("argmax", along, here);
  return extreme("argmax", a, combiner::argmax, scalar_kind::int64, along, keepdims, here);
}
array count_nonzero(const array& a, const axis_list& along, bool keepdims, call_site here) {
  return sum(a.type(here) == scalar_kind::boolean ? a : not_equal(a, 0, here), along, keepdims, here);
}
array trace(const array& a, std::int64_t distance, call_site here) {
  if (a.rank(here) < 2) refuse(here, "the trace of an array with ", a.rank(), " axes");
  return sum(a.seen_through(diagonal_map(a.shape(), distance, -2, -1, here)), -1, false, here);
}

array array::sum(const axis_list& along, bool keepdims, call_site here) const {
  return nd::sum(*this, along, keepdims, here);
}
array array::prod(const axis_list& along, bool keepdims, call_site here) const {
  return nd::prod(*this, along, keepdims, here);
}
array array::min(const axis_list& along, bool keepdims, call_site here) const {
  return nd::min(*this, along, keepdims, here);
}
array array::max(const axis_list& along, bool keepdims, call_site here) const {
  return nd::max(*this, along, keepdims, here);
}
array array::mean(const axis_list& along, bool keepdims, call_site here) const {
  return nd::mean(*this, along, keepdims, here);
}
array array::var(const axis_list& along, double correction, bool keepdims, call_site here) const {
  return nd::var(*this, along, correction, keepdims, here);
}
array array::std(const axis_list& along, double correction, bool keepdims, call_site here) const {
  return nd::std(*this, along, correction, keepdims, here);
}
array array::argmin(const axis_list& along, bool keepdims, call_site here) const {
  return nd::argmin(*this, along, keepdims, here);
}
array array::argmax(const axis_list& along, bool keepdims, call_site here) const {
  return nd::argmax(*this, along, keepdims, here);
}

}  // namespace tessera::nd
