#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tessera/base/dtype.h"

namespace tessera::numeric {

enum class factorisation_kind : std::uint8_t {
  cholesky,     ///< a -> l with a = l l^H, or u with a = u^H u; of a, only that triangle is looked at.
  determinant,  ///< a -> its sign (a number of magnitude 1, or 0), log |det|, det
  inverse,      ///< a -> a^-1
  solve,        ///< a, b -> a^-1 b
  qr,           ///< a -> q, r
  eigh,         ///< a, hermitian, by its lower triangle -> eigenvalues, ascending, and their vectors as columns
  svd,          ///< a -> u, s, v^H with a = u s v^H
  eig,          ///< a -> eigenvalues and their vectors as columns, complex numbers both
};

/// What is done with matrices of one shape. Matrices are rows one behind the other.
struct factorisation {
  factorisation_kind kind{};
  scalar_kind type = scalar_kind::float64;  ///< float32, float64, complex64 or complex128
  std::int64_t rows = 0, columns = 0;       ///< Of a; all but qr and svd want as many of both.
  std::int64_t right_sides = 0;             ///< solve: columns of b.
  bool upper = false;                       ///< cholesky
  bool vectors = true;                      ///< eigh, eig and svd: false for values alone, as the one result.
  bool full = false;                        ///< qr and svd: square q, u and v.

  /// Elements of one matrix of each operand and of each result, and the types of these.
  [[nodiscard]] std::vector<std::int64_t> operand_sizes() const;
  [[nodiscard]] std::vector<std::int64_t> result_sizes() const;
  [[nodiscard]] std::vector<scalar_kind> result_types() const;
  /// Bytes that one matrix needs besides.
  [[nodiscard]] std::int64_t workspace_bytes() const;
  /// Throws `argument_error` for matrices with more rows or columns than LAPACK counts.
  void require_countable() const;
};

/// One matrix by LAPACK, which has at least one element, on the calling thread; where `cores` is more than 1, also on
/// threads of the library. `workspace` has `workspace_bytes()`. Returns 0; if the matrix is one that this cannot be
/// done with, LAPACK's positive `info`, and results are NaN. Throws `missing_library`.
[[nodiscard]] int factorise(const factorisation& form, std::span<const std::byte* const> operands,
                            std::span<std::byte* const> results, std::byte* workspace, int cores);

}  // namespace tessera::numeric
