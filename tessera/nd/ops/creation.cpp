#include "tessera/nd/ops/creation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tessera/base/index.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/arrange/assemble.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {
namespace {

std::shared_ptr<graph> graph_of(const array_options& options) {
  return graph::of(options.ctx ? *options.ctx : default_context());
}

void require_extents(const extents& shape, call_site here) {
  for (const std::int64_t n : shape)
    if (n < 0) refuse(here, "an array of the shape ", to_string(shape), " has a negative extent");
  in_call(here, [&] { static_cast<void>(element_count(shape)); });
}

array filled(const std::shared_ptr<graph>& owner, const extents& shape, scalar_kind type,
             const std::array<std::byte, 16>& element, const layout& placement, call_site here) {
  const std::int64_t count = element_count(shape);
  if (placement.is_cut() || !owner->is_host_size(count, type))
    return {owner, in_call(here, [&] { return make_fill(type, shape, element, placement, here); })};
  auto value = std::make_shared<host_value>(index(count) * size_of(type));
  gather_elements(value->data(), element.data(), {shape, extents::uniform(shape.rank(), 0), 0}, size_of(type));
  return {owner, make_host(type, shape, std::move(value), here)};
}

array places(const std::shared_ptr<graph>& owner, const extents& shape, int axis, const layout& placement,
             call_site here) {
  const std::int64_t count = element_count(shape);
  if (placement.is_cut() || !owner->is_host_size(count, scalar_kind::int64))
    return {owner, in_call(here, [&] { return make_place(shape, axis, placement, here); })};
  auto value = std::make_shared<host_value>(index(count) * sizeof(std::int64_t));
  std::vector<std::int64_t> line(index(shape[axis]));
  for (std::size_t k = 0; k < line.size(); ++k) line[k] = static_cast<std::int64_t>(k);
  view repeated{shape, extents::uniform(shape.rank(), 0), 0};
  repeated.strides[axis] = 1;
  gather_elements(value->data(), reinterpret_cast<const std::byte*>(line.data()), repeated, sizeof(std::int64_t));
  return {owner, make_host(scalar_kind::int64, shape, std::move(value), here)};
}

}  // namespace

array full(const extents& shape, const number& value, scalar_kind type, const array_options& options, call_site here) {
  require_extents(shape, here);
  return filled(graph_of(options), shape, type, value.element(type, here), options.split.resolved(shape.rank(), here),
                here);
}

array empty(const extents& shape, scalar_kind type, const array_options& options, call_site here) {
  require_extents(shape, here);
  return undefined_array(graph_of(options), shape, type, options.split.resolved(shape.rank(), here), here);
}

array empty_like(const array& a, call_site here) {
  a.require_assigned(here);
  return undefined_array(a.owner(here), a.shape(), a.type(), a.split(), here);
}

array full_like(const array& a, const number& value, call_site here) {
  a.require_assigned(here);
  return filled(a.owner(here), a.shape(), a.type(), value.element(a.type(), here), a.split(), here);
}

array from_bytes(const extents& shape, scalar_kind type, std::span<const std::byte> data, const array_options& options,
                 call_site here) {
  require_extents(shape, here);
  const std::int64_t count = element_count(shape);
  if (data.size() != index(count) * size_of(type))
    refuse(here, data.size() / size_of(type), " elements for an array of the shape ", to_string(shape));
  const std::shared_ptr<graph> owner = graph_of(options);
  const layout where = options.split.resolved(shape.rank(), here);
  if (!where.is_cut() && owner->is_host_size(count, type)) {
    auto value = std::make_shared<host_value>(data.size());
    std::copy(data.begin(), data.end(), value->data());
    return {owner, make_host(type, shape, std::move(value), here)};
  }
  array_base made = owner->ctx().empty(shape, dtype::make(type), where.distribution_of(shape, owner->devices()), here);
  if (count > 0) made.write_bytes(data, here);
  const node_ptr stored = make_stored(std::move(made), where, here);
  owner->note_elements(*stored);
  return {owner, stored};
}

array from_engine(const array_base& elements, call_site here) {
  const dtype type = elements.type();
  if (type.kind == scalar_kind::structure || type.lanes != 1)
    refuse(here, "an array of ", to_string(type), " elements, which are no numbers");
  if (elements.bounds() != box::whole(elements.record() ? elements.bounds().hi : extents()))
    refuse(here, "a part of an engine array: give the whole one, and take a view of it");
  const std::shared_ptr<graph> owner = graph::of(context::of(elements));
  const node_ptr stored = make_stored(elements, layout(), here);
  owner->note_elements(*stored);
  return {owner, stored};
}

array indices(const extents& shape, int axis, const array_options& options, call_site here) {
  require_extents(shape, here);
  return places(graph_of(options), shape, resolve_axis(axis, shape.rank(), here),
                options.split.resolved(shape.rank(), here), here);
}

array arange(std::int64_t n, const array_options& options, call_site here) {
  return indices({std::max<std::int64_t>(n, 0)}, 0, options, here);
}

array arange(std::int64_t first, std::int64_t last, std::int64_t step, const array_options& options, call_site here) {
  if (step == 0) refuse(here, "arange: the step is not 0");
  std::int64_t distance = 0;
  const bool is_too_long =
      step > 0 ? __builtin_sub_overflow(last, first, &distance) : __builtin_sub_overflow(first, last, &distance);
  if (is_too_long && (step > 0) == (last > first)) refuse(here, "arange from ", first, " to ", last, ": too far");
  const auto size = step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
  const bool is_empty = step > 0 ? last <= first : first <= last;
  const std::uint64_t count = is_empty ? 0 : (static_cast<std::uint64_t>(distance) - 1) / size + 1;
  const array places = indices({static_cast<std::int64_t>(count)}, 0, options, here);
  return add(multiply(places, step, here), first, here);
}

array arange_of_reals(double first, double last, double step, const array_options& options, call_site here) {
  if (step == 0 || std::isnan(step)) refuse(here, "arange: the step is not 0");
  const double wanted = std::ceil((last - first) / step);
  if (!(wanted < 9e18)) refuse(here, "arange: more elements than can be counted");
  const array places = indices({wanted > 0 ? static_cast<std::int64_t>(wanted) : 0}, 0, options, here);
  // As in NumPy, multiples of the first difference.
  const double difference = (first + step) - first;
  return add(multiply(as_type(places, scalar_kind::float64, here), difference, here), first, here);
}

array linspace(double first, double last, std::int64_t count, bool endpoint, const array_options& options,
               call_site here) {
  if (count < 0) refuse(here, "linspace of ", count, " numbers");
  const std::int64_t gaps = endpoint ? count - 1 : count;
  const array places = as_type(indices({count}, 0, options, here), scalar_kind::float64, here);
  if (gaps <= 0) return add(multiply(places, 0.0, here), first, here);
  const array line = add(multiply(places, (last - first) / static_cast<double>(gaps), here), first, here);
  if (!endpoint) return line;
  return where(equal(places, static_cast<double>(count - 1), here), last, line, here);
}

array linspace(double first, double last, std::int64_t count, bool endpoint, scalar_kind type,
               const array_options& options, call_site here) {
  const array line = linspace(first, last, count, endpoint, options, here);
  return as_type(kernels::contains(kernels::type_sets::integers, type) ? floor(line, here) : line, type, here);
}

array eye(std::int64_t rows, std::int64_t columns, std::int64_t distance, scalar_kind type,
          const array_options& options, call_site here) {
  const array row = indices({rows, columns}, 0, options, here), column = indices({rows, columns}, 1, options, here);
  return as_type(equal(subtract(column, row, here), distance, here), type, here);
}

namespace {

/// Where column - row of the last two axes is on the wanted side of `distance`.
array triangle(const array& a, std::int64_t distance, bool below, call_site here) {
  if (a.rank(here) < 2) refuse(here, "a triangle of an array with ", a.rank(), " axes");
  const array_options like{a.split(), a.owner()->ctx()};
  const array gap = subtract(indices(a.shape(), -1, like, here), indices(a.shape(), -2, like, here), here);
  const array kept = below ? less_equal(gap, distance, here) : greater_equal(gap, distance, here);
  return where(kept, a, zeros_like(a, here), here);
}

}  // namespace

array tril(const array& a, std::int64_t distance, call_site here) { return triangle(a, distance, true, here); }
array triu(const array& a, std::int64_t distance, call_site here) { return triangle(a, distance, false, here); }

}  // namespace tessera::nd
