#pragma once

#include <span>
#include <vector>

#include "tessera/nd/ops/creation.h"

/// Arrays whose elements follow from their places, and grids made of vectors, with the names of NumPy.
namespace tessera::nd {

/// `count` powers of `base`, whose exponents run evenly from first to last.
[[nodiscard]] array logspace(double first, double last, std::int64_t count, bool endpoint = true, double base = 10,
                             const array_options& options = {}, call_site here = call_site::current());
/// `count` numbers from first to last, each the same multiple of the one before it. Both have one sign, and are not 0.
[[nodiscard]] array geomspace(double first, double last, std::int64_t count, bool endpoint = true,
                              const array_options& options = {}, call_site here = call_site::current());

/// For each vector its elements at every place of the grid of all: array k varies along axis k. With `matrix_order`
/// false along axis 1 for the first vector and axis 0 for the second, as x and y are written.
[[nodiscard]] std::vector<array> meshgrid(std::span<const array> vectors, bool matrix_order = false,
                                          call_site here = call_site::current());
[[nodiscard]] std::vector<array> meshgrid(std::initializer_list<array> vectors, bool matrix_order = false,
                                          call_site here = call_site::current());

/// Ones where column - row is at most `distance`, zeros elsewhere.
[[nodiscard]] array tri(std::int64_t rows, std::int64_t columns, std::int64_t distance = 0,
                        scalar_kind type = scalar_kind::float64, const array_options& options = {},
                        call_site here = call_site::current());
/// A matrix with the elements of a vector where column - row is `distance`; of a matrix, a view of these elements.
[[nodiscard]] array diag(const array& a, std::int64_t distance = 0, call_site here = call_site::current());

}  // namespace tessera::nd
