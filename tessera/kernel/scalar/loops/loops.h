#pragma once

// Includes nothing: loops.inc is compiled without the standard headers.
namespace tessera::kernels {

/// One operation on `count` elements that lie one behind the other. The memory of the result may be that of an operand.
using scalar_loop = void (*)(void* result, const void* a, const void* b, const void* c, long count);

/// The loops of all operations, by opcode and by the `scalar_kind` in which they compute; null where there is none.
struct loop_table {
  enum : int {
#define TESSERA_LEAF(name) leaf_##name,
#define TESSERA_CONVERSION(name) conversion_##name,
#define TESSERA_OPCODE(name, operands, result, types, text) operation_##name,
#include "tessera/kernel/scalar/opcode.def"
    opcodes,
    kinds = 15
  };
  scalar_loop operations[opcodes][kinds];
  scalar_loop conversions[kinds][kinds];  ///< From, to. Those of 16 bits from and to float alone.
  scalar_loop saturations[kinds][kinds];  ///< From a float, to an integer.
  scalar_loop choices[17];                ///< `select`, by the bytes of an element.
  scalar_loop round_to_odd;               ///< From double to float, before rounding to 16 bits.
};

/// Those for the processor that this runs on. Results do not depend on it: whether products and sums are fused is never
/// left to the compiler.
[[nodiscard]] const loop_table& scalar_loops();

/// For any processor, and for one with AVX2 and FMA.
void fill_plain_loops(loop_table& table);
void fill_wide_loops(loop_table& table);

}  // namespace tessera::kernels
