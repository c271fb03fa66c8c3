#include "tessera/nd/ops/scan.h"

#include <cstring>

#include "tessera/base/index.h"
#include "tessera/kernel/scalar/loops/loops.h"
#include "tessera/nd/fuse/reduce.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {
namespace {

using kernels::contains;
namespace sets = kernels::type_sets;

/// A host value has one chunk at most, which goes through its elements in order.
std::shared_ptr<host_value> scan_here(const host_operand& from, scalar_kind type, kernels::opcode operation,
                                      const reduction_axes& rows) {
  const std::int64_t size = from.elements.size();
  std::vector<std::byte> together(index(size) * size_of(from.type)), line(index(size) * size_of(type));
  gather_elements(together.data(), from.data, selected(from.elements, rows.map), size_of(from.type));
  convert_elements(line.data(), type, together.data(), from.type, size);
  const auto combine =
      kernels::scalar_loops().operations[static_cast<std::size_t>(operation)][static_cast<std::size_t>(type)];
  const std::size_t bytes = size_of(type);
  for (std::int64_t row = 0; row < rows.rows; ++row)
    for (std::int64_t k = 1; k < rows.count; ++k) {
      std::byte* const at = line.data() + index(row * rows.count + k) * bytes;
      combine(at, at - bytes, at, nullptr, 1);
    }
  auto made = std::make_shared<host_value>(line.size());
  scatter_elements(made->data(), selected(view::whole(from.elements.shape), rows.map), line.data(), size_of(type));
  return made;
}

array scanned(const char* name, const array& a, combiner by, kernels::opcode operation, int axis, call_site here) {
  const bool is_sum = by == combiner::sum || by == combiner::product;
  if (!contains(is_sum ? sets::every : sets::ordered, a.type(here)))
    refuse<type_error>(here, name, " does not exist for ", to_string(dtype::make(a.type())));
  const int k = resolve_axis(axis, a.rank(), here);
  scalar_kind type = a.type();
  if (is_sum && contains(sets::bits, type))
    type = type >= scalar_kind::uint8 ? scalar_kind::uint64 : scalar_kind::int64;
  const bool is_small = type == scalar_kind::float16 || type == scalar_kind::bfloat16;
  if (is_small)
    return as_type(scanned(name, as_type(a, scalar_kind::float32, here), by, operation, k, here), type, here);
  const std::shared_ptr<graph>& owner = a.owner();
  if (a.size() == 0) return full(a.shape(), false, type, {a.split(), owner->ctx()}, here);
  if (a.is_host() && owner->is_host_size(a.size(), type))
    return {owner, make_host(type, a.shape(),
                             scan_here(a.on_host(), type, operation, reduction_axes::of_sequence(a.shape(), k)), here)};
  return in_call(here, [&]() -> array {
    return {owner, record_scan(*owner, a.expression(here), {by, k}, type, here)};
  });
}

array behind(const array& a, const number& first, int axis, call_site here) {
  extents shape = a.shape();
  const int k = resolve_axis(axis, a.rank(), here);
  ++shape[k];
  const array made = full(shape, first, a.type(), {a.split(), a.owner()->ctx()}, here);
  made.seen_through(slice_map(shape, k, _(1, end))).assign(a, here);
  return made;
}

}  // namespace

array cumulative_sum(const array& a, int axis, bool include_initial, call_site here) {
  const array made = scanned("cumulative_sum", a, combiner::sum, kernels::opcode::add, axis, here);
  return include_initial ? behind(made, 0, axis, here) : made;
}
array cumulative_prod(const array& a, int axis, bool include_initial, call_site here) {
  const array made = scanned("cumulative_prod", a, combiner::product, kernels::opcode::multiply, axis, here);
  return include_initial ? behind(made, 1, axis, here) : made;
}
array cumulative_min(const array& a, int axis, call_site here) {
  return scanned("cumulative_min", a, combiner::minimum, kernels::opcode::nan_minimum, axis, here);
}
array cumulative_max(const array& a, int axis, call_site here) {
  return scanned("cumulative_max", a, combiner::maximum, kernels::opcode::nan_maximum, axis, here);
}

}  // namespace tessera::nd
