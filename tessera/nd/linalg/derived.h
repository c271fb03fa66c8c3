#pragma once

#include <cstdint>
#include <optional>

#include "tessera/nd/array.h"
#include "tessera/nd/shape/axis_list.h"

/// What is made of factorisations and products (factorisations.h), with the names and defaults of the Array API
/// standard.
namespace tessera::nd::linalg {

/// Products of `n` factors; of -n inverses if n is negative.
[[nodiscard]] array matrix_power(const array& a, std::int64_t n, call_site here = call_site::current());

/// Singular values at most `rtol` times the largest count as zero; left out: max(rows, columns) * epsilon. For all
/// matrices alike, or one for each.
[[nodiscard]] array pinv(const array& a, std::optional<double> rtol = {}, call_site here = call_site::current());
[[nodiscard]] array pinv(const array& a, const array& rtol, call_site here = call_site::current());
/// int64.
[[nodiscard]] array matrix_rank(const array& a, std::optional<double> rtol = {}, call_site here = call_site::current());
[[nodiscard]] array matrix_rank(const array& a, const array& rtol, call_site here = call_site::current());

enum class matrix_order : std::uint8_t {
  frobenius,
  nuclear,
  one,        ///< The largest sum of magnitudes of a column.
  two,        ///< The largest singular value.
  infinity,   ///< The largest sum of magnitudes of a row.
  minus_one,  ///< The least ones of these.
  minus_two,
  minus_infinity
};
[[nodiscard]] array matrix_norm(const array& a, bool keepdims = false, matrix_order order = matrix_order::frobenius,
                                call_site here = call_site::current());
/// (sum of |x|^order)^(1/order) along axes, of all elements if none are given; infinity: the largest magnitude;
/// -infinity: the least; 0: how many are not zero.
[[nodiscard]] array vector_norm(const array& a, const axis_list& axes = {}, bool keepdims = false, double order = 2,
                                call_site here = call_site::current());

}  // namespace tessera::nd::linalg
