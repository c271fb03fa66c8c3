#include "tessera/nd/ops/grid.h"

#include <cmath>
#include <cstdlib>

#include "tessera/nd/ops/arrange/assemble.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {

array logspace(double first, double last, std::int64_t count, bool endpoint, double base, const array_options& options,
               call_site here) {
  return pow(base, linspace(first, last, count, endpoint, options, here), here);
}

array geomspace(double first, double last, std::int64_t count, bool endpoint, const array_options& options,
                call_site here) {
  if (!(first * last > 0) && !(first > 0 && last > 0) && !(first < 0 && last < 0))
    refuse(here, "geomspace from ", first, " to ", last, ": both have one sign, and are not 0");
  const double sign = first < 0 ? -1 : 1;
  const array line = logspace(std::log10(sign * first), std::log10(sign * last), count, endpoint, 10, options, here);
  const array place = indices({count}, 0, options, here);
  const array from_first = where(equal(place, 0, here), first, multiply(line, sign, here), here);
  return endpoint && count > 1 ? where(equal(place, count - 1, here), last, from_first, here) : from_first;
}

std::vector<array> meshgrid(std::span<const array> vectors, bool matrix_order, call_site here) {
  const int rank = static_cast<int>(vectors.size());
  if (rank > max_rank) in_call(here, [&] { throw_rank_too_large(vectors.size()); });
  const auto axis_of = [&](int k) { return matrix_order || rank < 2 || k > 1 ? k : 1 - k; };
  extents shape = extents::uniform(rank, 1);
  for (int k = 0; k < rank; ++k) {
    const array& each = vectors[static_cast<std::size_t>(k)];
    if (each.rank(here) > 1) refuse(here, "meshgrid of an array with ", each.rank(), " axes: vectors have one");
    shape[axis_of(k)] = each.size();
  }
  std::vector<array> made;
  for (int k = 0; k < rank; ++k) {
    index_map along{shape, 1, {}};
    along.terms[0] = {0, 1, axis_of(k)};
    made.push_back(copy(atleast_1d(vectors[static_cast<std::size_t>(k)], here).seen_through(along), here));
  }
  return made;
}

std::vector<array> meshgrid(std::initializer_list<array> vectors, bool matrix_order, call_site here) {
  return meshgrid(std::span(vectors.begin(), vectors.size()), matrix_order, here);
}

array tri(std::int64_t rows, std::int64_t columns, std::int64_t distance, scalar_kind type,
          const array_options& options, call_site here) {
  const array row = indices({rows, columns}, 0, options, here), column = indices({rows, columns}, 1, options, here);
  return as_type(less_equal(subtract(column, row, here), distance, here), type, here);
}

array diag(const array& a, std::int64_t distance, call_site here) {
  if (a.rank(here) == 2) return diagonal(a, distance, 0, 1, here);
  if (a.rank() != 1) refuse(here, "diag of an array with ", a.rank(), " axes: a vector or a matrix");
  const std::int64_t n = a.size() + std::abs(distance);
  const array made = new_array({n, n}, a.type(), {&a, 1}, layout(), here);
  made.assign(number(false), here);
  diagonal(made, distance, 0, 1, here).assign(a, here);
  return made;
}

}  // namespace tessera::nd
