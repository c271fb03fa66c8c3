#include "tessera/linop/leaf/product.h"

#include <algorithm>

#include "tessera/array/context.h"
#include "tessera/base/index.h"
#include "tessera/linop/step/prepare.h"

namespace tessera::linop {
namespace {

/// Fewer multiplications than these cost less than what a product of matrices costs besides.
constexpr std::int64_t few_multiplications = 1 << 15;
constexpr std::int64_t short_sum = 8;

/// The dimensions of an einsum by where they occur.
struct dim_classes {
  dims stack, rows, depth, columns;  // in all; in W and y; in W and x; in x and y
  bool is_product = true;            // there are no others

  dim_classes(const dims& w, const dims& x, const dims& y) {
    for (const dim& d : w) {
      const bool in_x = place_of(d, x) >= 0, in_y = place_of(d, y) >= 0;
      if (!in_x && !in_y) is_product = false;
      (in_x && in_y ? stack : in_y ? rows : depth).push_back(d);
    }
    for (const dim& d : x) {
      if (place_of(d, w) >= 0) continue;
      if (place_of(d, y) < 0) is_product = false;
      columns.push_back(d);
    }
    for (const dim& d : y)
      if (place_of(d, w) < 0 && place_of(d, x) < 0) is_product = false;
  }
};

dims joined(const dims& a, const dims& b, const dims& c) {
  dims made = a;
  made.insert(made.end(), b.begin(), b.end());
  made.insert(made.end(), c.begin(), c.end());
  return made;
}

std::int64_t volume(const dims& list, const dims& names, const extents& shape, std::size_t first) {
  std::int64_t n = 1;
  for (const dim& d : list) n *= shape[static_cast<int>(first) + place_of(d, names)];
  return n;
}

array_base conjugated_copy(const array_base& x, call_site here) {
  step s;
  s.result = make_array(x, x.shape(), x.type().kind, here);
  factor f{x};
  for (int k = 0; k < x.rank(); ++k) f.at.push_back(affine::of(index(k)));
  f.is_conjugated = true;
  s.factors.push_back(std::move(f));
  const array_base made = s.result;
  run_step(std::move(s), here);
  return made;
}

}  // namespace

std::optional<matrix_form> matrix_form_of(const leaf_call& call, const array_base& weight, const dims& w) {
  const array_base& x = call.of.x;
  const dim_classes of(w, call.x, call.y);
  if (!of.is_product || of.depth.empty() || weight.type() != x.type() || x.size() == 0 || weight.size() == 0)
    return std::nullopt;
  if (!is_contiguous(x) || !is_contiguous(weight)) return std::nullopt;
  const bool depth_last = w == joined(of.stack, of.rows, of.depth),
             rows_last = w == joined(of.stack, of.depth, of.rows);
  if (!depth_last && !rows_last) return std::nullopt;
  std::int64_t batch = 1;
  for (std::size_t k = 0; k < call.batch; ++k) batch *= x.shape()[static_cast<int>(k)];
  const std::int64_t stack = volume(of.stack, w, weight.shape(), 0), rows = volume(of.rows, w, weight.shape(), 0),
                     depth = volume(of.depth, w, weight.shape(), 0),
                     columns = volume(of.columns, call.x, x.shape(), call.batch);
  if (stack > 1 && batch > 1) return std::nullopt;
  if (depth < short_sum || batch * stack * rows * depth * columns < few_multiplications) return std::nullopt;
  matrix_form form;
  numeric::product_stack& p = form.stack;
  p.depth = depth;
  const bool right =
      call.x == joined(of.stack, of.columns, of.depth) && call.y == joined(of.stack, of.columns, of.rows);
  const bool left = call.x == joined(of.stack, of.depth, of.columns) && call.y == joined(of.stack, of.rows, of.columns);
  // Devices share rows of the result: of one vector, those of the weight.
  const bool is_vector = left && batch * columns == 1;
  if (right && !is_vector && (stack == 1 || batch == 1)) {
    form.weight_is_left = false;
    p.count = stack;
    p.rows = batch * columns;
    p.columns = rows;
    p.b_is_transposed = depth_last;
    return form;
  }
  if (!left) return std::nullopt;
  p.count = batch * stack;
  p.rows = rows;
  p.columns = columns;
  p.a_is_one = stack == 1 && batch > 1;
  p.a_is_transposed = rows_last && !depth_last;
  return form;
}

void run_product(const leaf_call& call, const array_base& weight, const matrix_form& form, bool conjugated) {
  const application& of = call.of;
  const scalar_kind kind = of.x.type().kind;
  const bool turns = conjugated && is_complex_kind(kind);
  const array_base x = turns ? conjugated_copy(of.x, of.here) : of.x;
  const bool goes_to_y = !turns && call.is_plain(kind) && is_contiguous(of.y);
  const array_base to = goes_to_y ? of.y : make_array(of.x, of.y.shape(), kind, of.here);
  const context ctx = context::of(of.x);
  if (form.weight_is_left)
    numeric::launch_product(ctx, to, weight, x, form.stack, of.here);
  else
    numeric::launch_product(ctx, to, x, weight, form.stack, of.here);
  if (goes_to_y) return;
  step s = call.make_step();
  factor f{to};
  for (int k = 0; k < to.rank(); ++k) f.at.push_back(affine::of(index(k)));
  f.is_conjugated = turns;
  s.factors.push_back(std::move(f));
  run_step(std::move(s), of.here);
}

}  // namespace tessera::linop
