#pragma once

#include <complex>
#include <cstdint>
#include <string>

#include "tessera/array/array.h"
#include "tessera/base/geometry/intervals.h"

namespace tessera::linop {

/// One direction of a sparse matrix in a context.
struct sparse_rows {
  std::int64_t rows = 0, columns = 0;
  array_base offsets{}, places{};  ///< int64
  array_base values{};             ///< Not created: all are 1.
  intervals entries{};             ///< Of each row.
  intervals reach{};               ///< Of each row: from the first to the last column.
};

/// What the text of the kernel depends on.
struct rows_form {
  scalar_kind x{}, y{}, values{};
  bool has_values = false, conjugated = false, reads_y = false;

  [[nodiscard]] bool is_wide() const;
};
/// The text of the kernel `linop_rows`.
[[nodiscard]] std::string rows_text(const rows_form& form);

/// y[b, r] = alpha * sum of values * x[b, place] + beta * y[b, r]; x and y are seen as [batch, columns] and [batch,
/// rows], without gaps. `conjugated`: with the conjugates of the values.
void run_rows(const sparse_rows& matrix, bool conjugated, std::complex<double> alpha, const array_base& x,
              std::complex<double> beta, const array_base& y, call_site here);

}  // namespace tessera::linop
