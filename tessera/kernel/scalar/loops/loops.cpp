#include "tessera/kernel/scalar/loops/loops.h"

#include "tessera/kernel/scalar/opcode.h"

namespace tessera::kernels {

static_assert(loop_table::kinds == static_cast<int>(scalar_kind::structure));
static_assert(loop_table::opcodes == static_cast<int>(opcode::make_complex) + 1);

const loop_table& scalar_loops() {
  static const loop_table table = [] {
    loop_table made{};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      fill_wide_loops(made);
    else
#endif
      fill_plain_loops(made);
    return made;
  }();
  return table;
}

}  // namespace tessera::kernels
