#pragma once

#include <cstddef>

#if !defined(__x86_64__) || defined(TESSERA_USE_UCONTEXT)
#include <ucontext.h>
#define TESSERA_UCONTEXT 1
#endif

namespace tessera::device {

/// Where a suspended flow of control goes on. Flows stay on the OS thread that made them.
struct flow {
#ifdef TESSERA_UCONTEXT
  ucontext_t context;
#else
  void* stack_pointer = nullptr;
#endif
};

/// Makes `f` begin with entry() on the stack [bottom, bottom + size) when it is next switched to. `entry` never
/// returns.
void prepare(flow& f, std::byte* bottom, std::size_t size, void (*entry)());

#ifdef TESSERA_UCONTEXT
inline void switch_flow(flow& from, flow& to) { swapcontext(&from.context, &to.context); }
#else
extern "C" void tessera_switch_stack(void** from, void* to);
/// Suspends `from` here and goes on with `to`; returns when another fiber switches to `from`.
inline void switch_flow(flow& from, flow& to) { tessera_switch_stack(&from.stack_pointer, to.stack_pointer); }
#endif

}  // namespace tessera::device
