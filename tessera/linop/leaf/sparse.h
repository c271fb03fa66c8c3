#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// A sparse matrix in host memory, row by row: the entries of row r are those from offsets[r] to offsets[r + 1].
struct csr_matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::int64_t> offsets{}, places{};  ///< `places` are columns.
  std::vector<std::complex<double>> values{};     ///< Empty: all are 1.
};
/// Entries in any order; those of one place are summed.
struct coo_entry {
  std::int64_t row = 0, column = 0;
  std::complex<double> value = 1;
};
[[nodiscard]] csr_matrix csr_of(std::int64_t rows, std::int64_t columns, const std::vector<coo_entry>& entries);

struct sparse_options {
  scalar_kind kind = scalar_kind::float32;  ///< Of the values as they are kept.
  named_sizes sizes{};
};

/// "N -> M": y = matrix * x. The matrix and its transpose are copied to arrays of the context; every rank gives the
/// same.
[[nodiscard]] op sparse(context ctx, const csr_matrix& matrix, std::string_view dimensions,
                        const sparse_options& options = {});
/// "Nx -> K": y[k] = x[places[k]]; places may be equal. The adjoint sums.
[[nodiscard]] op sampling(context ctx, const std::vector<std::int64_t>& places, std::int64_t size,
                          std::string_view dimensions);
/// "Nx Ny -> K": the elements where the mask is true, row by row; `shape` are sizes of the inputs.
[[nodiscard]] op sampling(context ctx, const std::vector<bool>& mask, const extents& shape,
                          std::string_view dimensions);

}  // namespace tessera::linop
