#include "tessera/device/cpu/fiber/context_switch.h"

#include <cstdint>

namespace tessera::device {

#ifdef TESSERA_UCONTEXT

void prepare(flow& f, std::byte* bottom, std::size_t size, void (*entry)()) {
  getcontext(&f.context);
  f.context.uc_stack.ss_sp = bottom;
  f.context.uc_stack.ss_size = size;
  f.context.uc_link = nullptr;
  makecontext(&f.context, entry, 0);
}

#else

// Only what the calling convention asks a function to keep. The last step is pop and jump: a `ret` would be predicted
// to go back to the caller of this call, which is the one place it never goes.
asm(R"(
.text
.globl tessera_switch_stack
.hidden tessera_switch_stack
.type tessera_switch_stack, @function
.p2align 4
tessera_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size tessera_switch_stack, .-tessera_switch_stack
)");

void prepare(flow& f, std::byte* bottom, std::size_t size, void (*entry)()) {
  constexpr std::size_t kept_registers = 6;
  const auto top = (reinterpret_cast<std::uintptr_t>(bottom) + size) & ~std::uintptr_t{15};
  auto* const words = reinterpret_cast<std::uintptr_t*>(top);
  words[-1] = 0;  // a return address that ends every stack trace
  words[-2] = reinterpret_cast<std::uintptr_t>(entry);
  for (std::size_t r = 0; r < kept_registers; ++r) *(words - 3 - r) = 0;
  f.stack_pointer = words - 2 - kept_registers;
}

#endif

}  // namespace tessera::device
