#pragma once

#include <cstdint>

#include "tessera/numeric/instructions.h"

/// Products of blocks of matrices (tiles.inc): compiled once per instruction set, so plain data only.
namespace tessera::numeric {

/// What elements of a product are. Integers of both signs have the same bits; they wrap around.
enum class product_type : std::uint8_t { float32, float64, complex64, complex128, int8, int16, int32, int64 };
inline constexpr int product_types = 8;

/// Elements of a matrix; distances in elements.
struct matrix_view {
  const void* data = nullptr;
  std::int64_t row_step = 0, column_step = 1;
};

/// A block of a and one of b, packed: for a, `rows` elements of each column, panel by panel; for b, `columns` elements
/// of each row. Missing rows and columns are zeros.
struct tile_functions {
  int rows = 0, columns = 0;  ///< Of a panel.
  int element_bytes = 0;      ///< As packed.
  void (*pack_a)(void* to, const matrix_view& a, std::int64_t rows, std::int64_t depth) = nullptr;
  void (*pack_b)(void* to, const matrix_view& b, std::int64_t depth, std::int64_t columns) = nullptr;
  /// c[rows, columns], whose rows are `row_step` elements apart, is the product of packed blocks, or gets it added.
  /// Each element is one sum in the order of `depth`, whatever block it is part of.
  void (*multiply)(const void* a, const void* b, std::int64_t rows, std::int64_t columns, std::int64_t depth, void* c,
                   std::int64_t row_step, bool adds) = nullptr;
};

[[nodiscard]] const tile_functions& product_tiles(product_type type, instruction_set set);
[[nodiscard]] const tile_functions& product_tiles(product_type type);

}  // namespace tessera::numeric
