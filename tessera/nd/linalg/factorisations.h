#pragma once

#include <cstdint>

#include "tessera/nd/array.h"

/// Linear algebra with the names and defaults of the Array API standard, on stacks of matrices: the last two axes.
/// Float and complex numbers keep their type, 16-bit floats are computed as float, integers as float64. Factorisations
/// are LAPACK's: each matrix on one device, those of a stack on all. Calls do not wait.
///
/// Throw `argument_error` for shapes and types that do not fit and `missing_library` where there is no LAPACK. A matrix
/// that is singular, not positive definite or without convergence is a `linalg_error`: at once for host values, else
/// where a value is next looked at, as the place of the call. What was computed of that matrix is NaN.
namespace tessera::nd::linalg {

/// L, lower, with a = L L^H, or U, upper, with a = U^H U. Only that triangle of `a` is looked at.
[[nodiscard]] array cholesky(const array& a, bool upper = false, call_site here = call_site::current());
[[nodiscard]] array det(const array& a, call_site here = call_site::current());
struct slogdet_result {
  array sign, logabsdet;
};
/// The determinant as sign * exp(logabsdet); 0 and -infinity for singular matrices.
[[nodiscard]] slogdet_result slogdet(const array& a, call_site here = call_site::current());
[[nodiscard]] array inv(const array& a, call_site here = call_site::current());
/// x with a x = b. A `b` of one axis is one vector, else stacks of columns.
[[nodiscard]] array solve(const array& a, const array& b, call_site here = call_site::current());
enum class qr_mode : std::uint8_t { reduced, complete };
struct qr_result {
  array Q, R;  // NOLINT: names of the standard
};
[[nodiscard]] qr_result qr(const array& a, qr_mode mode = qr_mode::reduced, call_site here = call_site::current());

struct eigen_result {
  array eigenvalues, eigenvectors;
};
/// Of symmetric or Hermitian matrices, of which the lower triangle is looked at: real values, ascending.
[[nodiscard]] eigen_result eigh(const array& a, call_site here = call_site::current());
[[nodiscard]] array eigvalsh(const array& a, call_site here = call_site::current());
/// Of any square matrices; complex numbers always.
[[nodiscard]] eigen_result eig(const array& a, call_site here = call_site::current());
[[nodiscard]] array eigvals(const array& a, call_site here = call_site::current());

struct svd_result {
  array U, S, Vh;  // NOLINT: names of the standard
};
[[nodiscard]] svd_result svd(const array& a, bool full_matrices = true, call_site here = call_site::current());
[[nodiscard]] array svdvals(const array& a, call_site here = call_site::current());

}  // namespace tessera::nd::linalg
