#include "tessera/linop/node/node.h"

#include "tessera/array/context.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {

void unify(known_extent& a, known_extent& b, const std::string& axis) {
  if (a.is_known() && b.is_known() && a.size != b.size)
    throw argument_error(cat(axis, " is ", a.size, " in ", a.said_by, ", but ", b.size, " in ", b.said_by));
  if (!a.is_known()) a = b;
  if (!b.is_known()) b = a;
}

op node::normal() const { return adjoint() * self(); }

op node::normal_of(const op& inner) const { return adjoint() * (inner * self()); }

extents result_shape(const node& a, const extents& x) {
  const signature& s = a.dimensions();
  const int batch = x.rank() - static_cast<int>(s.in.size());
  if (batch < 0)
    throw argument_error(cat(a.text(), " takes arrays with the axes (", to_string(s.in), ") at their end, but one of ",
                             x.rank(), " axes is given"));
  known_shape from, to(index(batch) + s.out.size());
  for (const std::int64_t n : x) from.push_back({n, "the given array"});
  a.fit(from, to);
  std::vector<std::int64_t> shape;
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (!to[k].is_known())
      throw argument_error(cat("the size of ", to_string(s.out[k - index(batch)]), " of ", a.text(),
                               " does not follow from the given array; give it where the operator is made"));
    shape.push_back(to[k].size);
  }
  return extents(std::span<const std::int64_t>(shape));
}

std::pair<known_shape, known_shape> own_shapes(const node& a) {
  known_shape x(a.dimensions().in.size()), y(a.dimensions().out.size());
  a.fit(x, y);
  return {x, y};
}

void require_consistent(const node& a) { static_cast<void>(own_shapes(a)); }

bool is_element_kind(scalar_kind kind) {
  return kind == scalar_kind::float32 || kind == scalar_kind::float64 || is_complex_kind(kind);
}

bool is_complex_kind(scalar_kind kind) { return kind == scalar_kind::complex64 || kind == scalar_kind::complex128; }

scalar_kind complex_of(scalar_kind kind) {
  return kind == scalar_kind::float64 || kind == scalar_kind::complex128 ? scalar_kind::complex128
                                                                         : scalar_kind::complex64;
}

scalar_kind real_of(scalar_kind kind) {
  return kind == scalar_kind::float64 || kind == scalar_kind::complex128 ? scalar_kind::float64 : scalar_kind::float32;
}

scalar_kind common_kind(scalar_kind a, scalar_kind b) {
  const bool is_wide = real_of(a) == scalar_kind::float64 || real_of(b) == scalar_kind::float64;
  const scalar_kind real = is_wide ? scalar_kind::float64 : scalar_kind::float32;
  return is_complex_kind(a) || is_complex_kind(b) ? complex_of(real) : real;
}

array_base make_array(const array_base& beside, const extents& shape, scalar_kind kind, call_site here) {
  return context::of(beside).empty(shape, dtype::make(kind), automatic(), here);
}

array_base part_of(const array_base& whole, const axis_ranges& ranges) {
  std::vector<std::pair<std::int64_t, std::int64_t>> list;
  const int batch = whole.rank() - static_cast<int>(ranges.size());
  for (int k = 0; k < whole.rank(); ++k) {
    const std::optional<axis_range> r = k >= batch ? ranges[index(k - batch)] : std::nullopt;
    list.emplace_back(r ? r->lo : 0, r ? r->hi : whole.shape()[k]);
  }
  return whole.slice(list);
}

}  // namespace tessera::linop
