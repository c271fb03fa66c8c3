#include "tessera/nd/linalg/products.h"

#include <algorithm>
#include <vector>

#include "tessera/base/index.h"
#include "tessera/kernel/scalar/opcode.h"
#include "tessera/nd/linalg/stack.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/join.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/opaque.h"
#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/refuse.h"
#include "tessera/numeric/launch.h"

namespace tessera::nd {
namespace {

using linalg::with_last;
using linalg::without_last;
using numeric::product_stack;

/// A matrix on the left or the right of a product: its own stack, and whether all of that is one matrix.
struct factor {
  array elements;
  extents stack;
  array turned{};  ///< If the elements are a view of transposed matrices: these.

  [[nodiscard]] std::int64_t rows() const { return elements.shape()[elements.rank() - 2]; }
  [[nodiscard]] std::int64_t columns() const { return elements.shape()[elements.rank() - 1]; }
  [[nodiscard]] bool is_one() const { return element_count(stack) == 1; }
  /// The array that a product reads; matrices of a stack are repeated.
  [[nodiscard]] array stored(const extents& wanted, call_site here) const {
    const array& own = turned.is_null() ? elements : turned;
    if (is_one()) return own;
    return broadcast_to(own, with_last(wanted, {own.shape()[own.rank() - 2], own.shape()[own.rank() - 1]}), here);
  }
};

factor factor_of(const array& elements, call_site here) {
  factor made{elements, without_last(elements.shape(), 2)};
  // Products read transposed matrices as they are: no copy is made of such a view.
  if (elements.is_whole() || elements.is_host()) return made;
  if (const array other = matrix_transpose(elements, here); other.is_whole()) made.turned = other;
  return made;
}

/// The product of matrices of one numeric type that has no empty axis; of `depth` 0, zeros.
array multiply_stacks(const factor& a, const factor& b, const extents& stack, call_site here) {
  const scalar_kind type = a.elements.type();
  const extents shape = with_last(stack, {a.rows(), b.columns()});
  product_stack form{.count = element_count(stack),
                     .rows = a.rows(),
                     .columns = b.columns(),
                     .depth = a.columns(),
                     .a_is_one = a.is_one(),
                     .b_is_one = b.is_one(),
                     .a_is_transposed = !a.turned.is_null(),
                     .b_is_transposed = !b.turned.is_null()};
  if (form.b_is_one && !form.a_is_one && !form.a_is_transposed &&
      a.stack == stack) {  // rows of all matrices are rows of one
    form.rows *= form.count;
    form.count = 1;
    form.a_is_one = true;
  }
  const std::array<array, 2> operands{a.stored(stack, here), b.stored(stack, here)};
  const opaque_operation work(operands, here);
  const std::array<std::pair<extents, scalar_kind>, 1> wanted{{{shape, type}}};
  if (work.is_here(wanted)) {
    const std::vector<std::byte> x = work.elements(0), y = work.elements(1);
    auto made = std::make_shared<host_value>(index(element_count(shape)) * size_of(type));
    numeric::multiply_here(form, type, made->data(), x.data(), y.data());
    return work.result(shape, type, std::move(made));
  }
  const array_base to = work.make(shape, type);
  const std::vector<array_base> from = work.stored();
  numeric::launch_product(work.owner().ctx(), to, from[0], from[1], form, here);
  ++work.owner().counters().launches;
  return work.result(to);
}

array as_computed(const array& a, scalar_kind type, call_site here) {
  using namespace kernels::type_sets;
  if (type == scalar_kind::boolean) return as_type(a, scalar_kind::int32, here);
  const bool is_half = type == scalar_kind::float16 || type == scalar_kind::bfloat16;
  return as_type(a, is_half ? scalar_kind::float32 : type, here);
}

array as_result(const array& a, scalar_kind type, call_site here) {
  return type == scalar_kind::boolean ? not_equal(a, 0, here) : as_type(a, type, here);
}

array without_axis(const array& a, int axis, call_site here) {
  return a.seen_through(pick_map(a.shape(), axis, 0, here), here);
}

}  // namespace

array matmul(const array& a, const array& b, call_site here) {
  if (a.rank(here) == 0 || b.rank(here) == 0) refuse(here, "matmul of an array without axes");
  const bool a_is_row = a.rank() == 1, b_is_column = b.rank() == 1;
  const scalar_kind type = promoted(a.type(), b.type());
  const array left = as_computed(a_is_row ? a(new_axis) : a, type, here),
              right = as_computed(b_is_column ? b(nd::all, new_axis) : b, type, here);
  const factor x = factor_of(left, here), y = factor_of(right, here);
  if (x.columns() != y.rows())
    refuse(here, "matmul: shapes ", to_string(a.shape()), " and ", to_string(b.shape()), ": ", x.columns(),
           " elements of a row meet ", y.rows(), " of a column");
  const extents stack = broadcast_shape(x.stack, y.stack, here);
  const extents shape = with_last(stack, {x.rows(), y.columns()});
  const bool is_empty = element_count(shape) == 0 || x.columns() == 0;
  array made = is_empty ? full(shape, 0, left.type(), {layout(), left.owner()->ctx()}, here)
                        : multiply_stacks(x, y, stack, here);
  if (b_is_column) made = without_axis(made, made.rank() - 1, here);
  if (a_is_row) made = without_axis(made, made.rank() - (b_is_column ? 1 : 2), here);
  return as_result(made, type, here);
}

array tensordot(const array& a, const array& b, int count, call_site here) {
  if (count < 0 || count > a.rank(here) || count > b.rank(here))
    refuse(here, "tensordot over ", count, " axes of arrays with ", a.rank(), " and ", b.rank());
  std::vector<int> of_a, of_b;
  for (int k = 0; k < count; ++k) {
    of_a.push_back(a.rank() - count + k);
    of_b.push_back(k);
  }
  return tensordot(a, b, axis_list(of_a), axis_list(of_b), here);
}

namespace {

/// The axes of an array that a list does not name, before those that it does or behind them; and the shape as a matrix.
struct arrangement {
  std::vector<int> order;
  extents kept;
  std::int64_t outer = 1, inner = 1;
};
arrangement arranged(const array& a, const axis_list& summed, bool summed_last) {
  arrangement made;
  std::vector<int> sums(summed.begin(), summed.end());
  for (int k = 0; k < a.rank(); ++k)
    if (!summed.contains(k)) {
      made.order.push_back(k);
      made.kept = with_extent(made.kept, made.kept.rank(), a.shape()[k]);
      made.outer *= a.shape()[k];
    }
  for (const int k : sums) made.inner *= a.shape()[k];
  made.order.insert(summed_last ? made.order.end() : made.order.begin(), sums.begin(), sums.end());
  return made;
}

}  // namespace

array tensordot(const array& a, const array& b, const axis_list& of_a, const axis_list& of_b, call_site here) {
  const axis_list left = of_a.resolved(a.rank(here), here), right = of_b.resolved(b.rank(here), here);
  if (left.size() != right.size())
    refuse(here, "tensordot over ", left.size(), " axes of one array and ", right.size(), " of the other");
  for (std::size_t k = 0; k < left.size(); ++k)
    if (a.shape()[left[k]] != b.shape()[right[k]])
      refuse(here, "tensordot: axis ", left[k], " of ", a.shape()[left[k]], " elements meets axis ", right[k], " of ",
             b.shape()[right[k]]);
  const arrangement x = arranged(a, left, true), y = arranged(b, right, false);
  extents shape = x.kept;
  for (const std::int64_t each : y.kept) shape = with_extent(shape, shape.rank(), each);
  const array rows = permute_dims(a, axis_list(x.order), here).reshape({x.outer, x.inner}, here),
              columns = permute_dims(b, axis_list(y.order), here).reshape({y.inner, y.outer}, here);
  return matmul(rows, columns, here).reshape(shape, here);
}

array vecdot(const array& a, const array& b, int axis, call_site here) {
  const int rank = std::min(a.rank(here), b.rank(here));
  if (rank == 0) refuse(here, "vecdot of an array without axes");
  if (axis >= 0 || axis < -rank)
    refuse(here, "vecdot along axis ", axis, " of arrays with ", a.rank(), " and ", b.rank());
  if (a.shape()[a.rank() + axis] != b.shape()[b.rank() + axis])
    refuse(here, "vecdot of vectors with ", a.shape()[a.rank() + axis], " and ", b.shape()[b.rank() + axis],
           " elements");
  const scalar_kind type = promoted(a.type(), b.type());
  const array x = as_computed(a, type, here), y = as_computed(b, type, here);
  const bool is_complex = kernels::contains(kernels::type_sets::complexes, type);
  return as_result(sum(multiply(is_complex ? conj(x, here) : x, y, here), axis, false, here), type, here);
}

array outer(const array& a, const array& b, call_site here) {
  if (a.rank(here) != 1 || b.rank(here) != 1)
    refuse(here, "outer of arrays with ", a.rank(), " and ", b.rank(), " axes: it takes vectors");
  const array x = a(nd::all, new_axis), y = b(new_axis);
  return a.type() == scalar_kind::boolean && b.type() == scalar_kind::boolean ? logical_and(x, y, here)
                                                                              : multiply(x, y, here);
}

array cross(const array& a, const array& b, int axis, call_site here) {
  const int rank = std::max(a.rank(here), b.rank(here)), along = resolve_axis(axis, rank, here) - rank;
  const auto check = [&](const array& x) {
    if (x.rank() < -along || x.shape()[x.rank() + along] != 3)
      refuse(here, "cross of vectors along axis ", axis, " of shapes ", to_string(a.shape()), " and ",
             to_string(b.shape()), ": they have 3 elements");
  };
  check(a);
  check(b);
  const auto part = [&](const array& x, int k) {
    return x.seen_through(pick_map(x.shape(), x.rank() + along, k, here), here);
  };
  const auto component = [&](int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return subtract(multiply(part(a, i), part(b, j), here), multiply(part(a, j), part(b, i), here), here);
  };
  return stack({component(0), component(1), component(2)}, along, here);
}

}  // namespace tessera::nd
