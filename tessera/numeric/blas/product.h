#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "tessera/numeric/blas/tiles.h"
#include "tessera/numeric/parallel_loop.h"

namespace tessera::numeric {

/// c[rows, columns] = a[rows, depth] b[depth, columns]; rows of c lie `row_step` elements apart.
struct product {
  product_type type{};
  std::int64_t rows = 0, columns = 0, depth = 0;
  matrix_view a, b;
  void* c = nullptr;
  std::int64_t row_step = 0;
};

/// Bytes of memory that `multiply_blocks` packs blocks of b into.
inline constexpr std::int64_t product_spare_bytes = std::int64_t{4} << 20;

/// The product by our own loops. An element's bits depend on its row of a and its column of b alone. `spare` has
/// `product_spare_bytes`, aligned to 64.
void multiply_blocks(const product& p, std::byte* spare, const parallel_loop& run);

/// By OpenBLAS, whose threads are not used: rows are shared by `run`. False, and nothing is done, if there is none or
/// it does not take this product.
[[nodiscard]] bool multiply_by_library(const product& p, int cores, const parallel_loop& run);

}  // namespace tessera::numeric
