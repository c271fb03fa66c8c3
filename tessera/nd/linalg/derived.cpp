#include "tessera/nd/linalg/derived.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/graph/graph.h"
#include "tessera/nd/linalg/factorisations.h"
#include "tessera/nd/linalg/products.h"
#include "tessera/nd/linalg/stack.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd::linalg {
namespace {

namespace sets = kernels::type_sets;

array_options beside(const array& a) { return {layout(), a.owner()->ctx()}; }

/// Below which singular values of `a` count as zero, relative to the largest.
double usual_tolerance(const array& a) {
  const scalar_kind type = kernels::real_kind(field_of(a.type()));
  const double epsilon = type == scalar_kind::float32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                                      : std::numeric_limits<double>::epsilon();
  return static_cast<double>(std::max(a.shape()[a.rank() - 1], a.shape()[a.rank() - 2])) * epsilon;
}

/// A tolerance for each matrix, as an array that is repeated along singular values.
array tolerances(const array& a, const array& rtol, call_site here) {
  return expand_dims(as_type(rtol, kernels::real_kind(field_of(a.type())), here), -1, here);
}
array tolerances(const array& a, std::optional<double> rtol, call_site here) {
  const scalar_kind type = kernels::real_kind(field_of(a.type()));
  return full({1}, rtol.value_or(usual_tolerance(a)), type, beside(a), here);
}

/// Whether each singular value counts as more than zero.
array counted(const array& values, const array& tolerance, call_site here) {
  return greater(values, multiply(tolerance, max(values, -1, true, here), here), here);
}

array pseudoinverse(const array& a, const array& tolerance, call_site here) {
  const auto [U, S, Vh] = svd(a, false, here);
  const extents& shape = a.shape();
  if (a.size() == 0) {
    const extents turned = with_last(without_last(shape, 2), {shape[a.rank() - 1], shape[a.rank() - 2]});
    return full(turned, 0, U.type(), beside(a), here);
  }
  const array inverse = where(counted(S, tolerance, here), reciprocal(S, here), 0, here);
  const array left = multiply(matrix_transpose(conj(Vh, here), here), expand_dims(inverse, -2, here), here);
  return matmul(left, matrix_transpose(conj(U, here), here), here);
}

array rank_of(const array& a, const array& tolerance, call_site here) {
  if (a.size() == 0) return full(without_last(a.shape(), 2), 0, scalar_kind::int64, beside(a), here);
  const array values = svdvals(a, here);
  return sum(as_type(counted(values, tolerance, here), scalar_kind::int64, here), -1, false, here);
}

}  // namespace

array matrix_power(const array& a, std::int64_t n, call_site here) {
  require_square("matrix_power", a, here);
  if (n == 0) {
    const std::int64_t rows = a.shape()[a.rank() - 1];
    return copy(broadcast_to(eye(rows, rows, 0, a.type(), beside(a), here), a.shape(), here), here);
  }
  array square = n < 0 ? inv(a, here) : a, made;
  for (std::uint64_t left = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);;) {
    if (left % 2 == 1) made = made.is_null() ? square : matmul(made, square, here);
    left /= 2;
    if (left == 0) break;
    square = matmul(square, square, here);
  }
  return n == 1 ? copy(made, here) : made;
}

array pinv(const array& a, std::optional<double> rtol, call_site here) {
  require_matrices("pinv", a, here);
  return pseudoinverse(a, tolerances(a, rtol, here), here);
}
array pinv(const array& a, const array& rtol, call_site here) {
  require_matrices("pinv", a, here);
  return pseudoinverse(a, tolerances(a, rtol, here), here);
}
array matrix_rank(const array& a, std::optional<double> rtol, call_site here) {
  require_matrices("matrix_rank", a, here);
  return rank_of(a, tolerances(a, rtol, here), here);
}
array matrix_rank(const array& a, const array& rtol, call_site here) {
  require_matrices("matrix_rank", a, here);
  return rank_of(a, tolerances(a, rtol, here), here);
}

array matrix_norm(const array& a, bool keepdims, matrix_order order, call_site here) {
  require_matrices("matrix_norm", a, here);
  const scalar_kind type = a.type();
  const array x = kernels::contains(sets::bits, type) ? as_type(a, scalar_kind::float64, here) : a;
  const axis_list both{-2, -1};
  const auto kept = [&](const array& found) { return keepdims ? expand_dims(found, both, here) : found; };
  // Sums along one axis, whose largest or least is the norm; matrices without elements have the norm 0.
  const auto extreme = [&](int along, bool largest) -> array {
    const array sums = sum(abs(x, here), along, true, here);
    if (sums.shape()[sums.rank() - (along == -2 ? 1 : 2)] == 0) return sum(sums, both, keepdims, here);
    const array found = largest ? max(sums, both, keepdims, here) : min(sums, both, keepdims, here);
    return found;
  };
  switch (order) {
    case matrix_order::frobenius:
      return vector_norm(x, both, keepdims, 2, here);
    case matrix_order::nuclear:
      return kept(sum(svdvals(x, here), -1, false, here));
    case matrix_order::one:
      return extreme(-2, true);
    case matrix_order::minus_one:
      return extreme(-2, false);
    case matrix_order::infinity:
      return extreme(-1, true);
    case matrix_order::minus_infinity:
      return extreme(-1, false);
    default:
      break;
  }
  const array values = svdvals(x, here);
  if (values.shape()[values.rank() - 1] == 0) return kept(sum(values, -1, false, here));
  return kept(order == matrix_order::two ? max(values, -1, false, here) : min(values, -1, false, here));
}

array vector_norm(const array& a, const axis_list& axes, bool keepdims, double order, call_site here) {
  const array x = kernels::contains(sets::bits, a.type(here)) ? as_type(a, scalar_kind::float64, here) : a;
  const array size = abs(x, here);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const axis_list along = axes.is_given() ? axes.resolved(a.rank(), here) : axis_list();
  bool is_empty = false;  // of no elements the largest is 0
  for (int k = 0; k < a.rank(); ++k)
    is_empty = is_empty || (a.shape()[k] == 0 && (!axes.is_given() || along.contains(k)));
  if (std::abs(order) == infinity) {
    if (is_empty) return sum(size, axes, keepdims, here);
    return order > 0 ? max(size, axes, keepdims, here) : min(size, axes, keepdims, here);
  }
  if (order == 0) return as_type(count_nonzero(size, axes, keepdims, here), size.type(), here);
  if (order == 1) return sum(size, axes, keepdims, here);
  if (order == 2) {
    // Without the root of each magnitude.
    const array squares = kernels::contains(sets::complexes, x.type())
                              ? add(square(real(x, here), here), square(imag(x, here), here), here)
                              : square(x, here);
    return sqrt(sum(squares, axes, keepdims, here), here);
  }
  return pow(sum(pow(size, order, here), axes, keepdims, here), 1 / order, here);
}

}  // namespace tessera::nd::linalg
