#include "tessera/numeric/blas/product.h"

#include <algorithm>
#include <complex>
#include <limits>
#include <string>

#include "tessera/numeric/library/openblas.h"
#include "tessera/numeric/scratch.h"

namespace tessera::numeric {
namespace {

/// Terms that are summed up before they are added to an element; decides about bits.
constexpr std::int64_t block_depth = 256;
/// Bytes of a block of a, which stays in a core's cache.
constexpr std::int64_t a_bytes = 192 << 10;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

matrix_view moved(const matrix_view& m, std::int64_t row, std::int64_t column, int element_bytes) {
  return {static_cast<const std::byte*>(m.data) + (row * m.row_step + column * m.column_step) * element_bytes,
          m.row_step, m.column_step};
}

}  // namespace

void multiply_blocks(const product& p, std::byte* spare, const parallel_loop& run) {
  const tile_functions& tiles = product_tiles(p.type);
  const int bytes = tiles.element_bytes;
  const std::int64_t depth_bytes = block_depth * bytes;
  const std::int64_t rows = std::max<std::int64_t>(1, a_bytes / depth_bytes / tiles.rows) * tiles.rows;
  const std::int64_t columns = product_spare_bytes / depth_bytes / tiles.columns * tiles.columns;
  for (std::int64_t j = 0; j < p.columns; j += columns)
    for (std::int64_t k = 0; k == 0 || k < p.depth; k += block_depth) {
      const std::int64_t wide = std::min(columns, p.columns - j), deep = std::min(block_depth, p.depth - k);
      const std::int64_t panels = ceil_div(wide, tiles.columns);
      run(panels, [&](std::int64_t panel) {
        const std::int64_t first = panel * tiles.columns;
        tiles.pack_b(spare + first * deep * bytes, moved(p.b, k, j + first, bytes), deep,
                     std::min<std::int64_t>(tiles.columns, wide - first));
      });
      // Few rows are cut such that all threads have some.
      const std::int64_t each = std::min(rows, ceil_div(ceil_div(p.rows, 16), tiles.rows) * tiles.rows);
      run(ceil_div(p.rows, each), [&](std::int64_t part) {
        struct block_tag {};
        const std::int64_t first = part * each, high = std::min(each, p.rows - first);
        std::byte* const packed =
            thread_scratch<block_tag>(static_cast<std::size_t>((each + tiles.rows) * depth_bytes));
        tiles.pack_a(packed, moved(p.a, first, k, bytes), high, deep);
        tiles.multiply(packed, spare, high, wide, deep, static_cast<std::byte*>(p.c) + (first * p.row_step + j) * bytes,
                       p.row_step, k > 0);
      });
    }
}

namespace {

/// Fortran's product of matrices whose columns are in one piece.
template <class T>
using gemm = void (*)(const char* a_form, const char* b_form, const int* rows, const int* columns, const int* depth,
                      const T* alpha, const T* a, const int* a_step, const T* b, const int* b_step, const T* beta, T* c,
                      const int* c_step, std::size_t, std::size_t);

/// How a library sees a matrix of rows: as the transpose of one of columns.
struct library_matrix {
  const char* form = nullptr;
  std::int64_t step = 0;
};
library_matrix library_form(const matrix_view& m, std::int64_t rows, std::int64_t columns) {
  if (m.column_step == 1 && (m.row_step >= columns || rows == 1)) return {"N", std::max(m.row_step, columns)};
  if (m.row_step == 1 && (m.column_step >= rows || columns == 1)) return {"T", std::max(m.column_step, rows)};
  return {};
}

template <class T>
bool call_gemm(const char* name, const product& p, int cores, const parallel_loop& run) {
  const library_matrix a = library_form(p.a, p.rows, p.depth), b = library_form(p.b, p.depth, p.columns);
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (a.form == nullptr || b.form == nullptr ||
      std::max({p.rows, p.columns, p.depth, a.step, b.step, p.row_step}) > most)
    return false;
  const openblas& library = openblas::find();
  static const auto function = library.function<gemm<T>>(name);
  const std::int64_t parts = std::min<std::int64_t>(cores, ceil_div(p.rows, 64)),
                     each = ceil_div(p.rows, std::max<std::int64_t>(parts, 1));
  library.with_one_thread([&] {
    run(ceil_div(p.rows, each), [&](std::int64_t part) {
      const std::int64_t first = part * each;
      const int m = static_cast<int>(std::min(each, p.rows - first)), n = static_cast<int>(p.columns),
                k = static_cast<int>(p.depth), a_step = static_cast<int>(a.step), b_step = static_cast<int>(b.step),
                c_step = static_cast<int>(p.row_step);
      const T one(1), zero(0);
      const auto* const rows_of_a = static_cast<const T*>(p.a.data) + first * p.a.row_step;
      // c^T = b^T a^T, by columns.
      function(b.form, a.form, &n, &m, &k, &one, static_cast<const T*>(p.b.data), &b_step, rows_of_a, &a_step, &zero,
               static_cast<T*>(p.c) + first * p.row_step, &c_step, 1, 1);
    });
  });
  return true;
}

}  // namespace

bool multiply_by_library(const product& p, int cores, const parallel_loop& run) {
  if (!openblas::find().has_products() || p.depth == 0 || p.rows == 0 || p.columns == 0) return false;
  switch (p.type) {
    case product_type::float32:
      return call_gemm<float>("sgemm", p, cores, run);
    case product_type::float64:
      return call_gemm<double>("dgemm", p, cores, run);
    case product_type::complex64:
      return call_gemm<std::complex<float>>("cgemm", p, cores, run);
    case product_type::complex128:
      return call_gemm<std::complex<double>>("zgemm", p, cores, run);
    default:
      return false;
  }
}

}  // namespace tessera::numeric
