#pragma once

#include <complex>
#include <cstdint>

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

/// y[b, r] = alpha * sum of values * x[b, place] + beta * y[b, r]; x and y are seen as [batch, columns] and [batch,
/// rows], without gaps. `conjugated`: with the conjugates of the values.
void run_rows(const sparse_rows& matrix, bool conjugated, std::complex<double> alpha, const array_base& x,
              std::complex<double> beta, const array_base& y, call_site here);

}  // namespace tessera::linop
