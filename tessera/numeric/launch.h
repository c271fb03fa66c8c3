#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tessera/array/array.h"
#include "tessera/array/context.h"
#include "tessera/numeric/blas/product.h"
#include "tessera/numeric/fft/transform.h"
#include "tessera/numeric/lapack/factorisation.h"

/// Numeric work as launches: arrays of one context, seen as flat storage row by row. They return at once. A device that
/// lacks a library fails what is written (`missing_library`).
namespace tessera::numeric {

/// `to`, which is another array, gets the transforms of the lines of `from`, an array [outer, elements, inner].
/// Elements are float32, float64 or complex numbers of these. Where there are GPUs, `scale` must be 1 (`fft_scales`).
void launch_fft(context ctx, const array_base& to, const array_base& from, const fft_lines& lines, call_site here);

/// Whether all devices that launches of this context use multiply by the scale.
[[nodiscard]] bool fft_scales(const context& ctx);

/// Products of a stack of matrices.
struct product_stack {
  std::int64_t count = 1, rows = 0, columns = 0, depth = 0;
  bool a_is_one = false, b_is_one = false;  ///< One matrix for the whole stack.
  /// The array has the transposed matrices.
  bool a_is_transposed = false, b_is_transposed = false;
};
/// c[count, rows, columns] = a[count, rows, depth] b[count, depth, columns], all of one numeric type but float16 and
/// bfloat16; rows of c are shared by the devices. Nothing of c may be empty.
void launch_product(context ctx, const array_base& c, const array_base& a, const array_base& b,
                    const product_stack& stack, call_site here);

/// Products of matrices in host memory, at once, on the calling thread and by our own loops.
void multiply_here(const product_stack& stack, scalar_kind type, std::byte* c, const std::byte* a, const std::byte* b);

/// `results`, and `info`, an int32 for each of `count` matrices, from stacks of operands. Nothing may be empty. Throws
/// `missing_library` where this process finds no LAPACK.
void launch_factorisation(context ctx, const factorisation& form, std::int64_t count,
                          std::span<const array_base> operands, std::span<const array_base> results,
                          const array_base& info, call_site here);

}  // namespace tessera::numeric
