#include "tessera/device/cpu/fiber/fiber.h"

#include <sys/mman.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tessera/device/cpu/fiber/context_switch.h"
#include "tessera/device/host/sanitizer.h"

namespace tessera::device {
namespace {

constexpr unsigned warp_size = 32;
constexpr std::size_t page = 4096;
constexpr std::size_t stack_bytes = 64 << 10;
constexpr std::size_t slot_bytes = stack_bytes + page;  // the guard page lies below its stack
constexpr std::size_t slab_bytes = warp_size * slot_bytes;

/// The stacks of one OS thread, a warp at a time; kept until the thread ends.
class stack_pool {
 public:
  stack_pool() = default;
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;
  ~stack_pool() {
    for (std::byte* slab : slabs_) munmap(slab, slab_bytes);
  }

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(slabs_.size()) * warp_size; }

  void add_warp() {
    constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK;
    void* const slab = mmap(nullptr, slab_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (slab == MAP_FAILED) {
      // The caller is a compiled kernel, which exceptions cannot cross.
      std::fputs("tessera: no memory for the stacks of a kernel's threads\n", stderr);
      std::abort();
    }
    slabs_.push_back(static_cast<std::byte*>(slab));
    // A system that runs out of mappings gives no guard page; the stack works without.
    for (unsigned i = 0; i < warp_size; ++i) mprotect(slabs_.back() + i * slot_bytes, page, PROT_NONE);
  }

  [[nodiscard]] std::byte* bottom(unsigned i) const {
    return slabs_[i / warp_size] + (i % warp_size) * slot_bytes + page;
  }
  /// Tops are staggered: at equal distances they would compete for the same few lines of the cache.
  [[nodiscard]] static std::size_t usable(unsigned i) { return stack_bytes - (i * 7 % 32) * 128; }

 private:
  std::vector<std::byte*> slabs_;
};

/// The fibers of one OS thread and, while `run` lasts, of one block.
class block_fibers {
 public:
  ~block_fibers() {
    for (fiber& f : fibers_) f.stack.destroy();
  }

  void run(unsigned threads, void (*body)(void*, unsigned), void* state);
  void block_barrier();
  void warp_barrier();
  [[nodiscard]] bool running() const { return body_ != nullptr; }

 private:
  struct fiber {
    flow saved;
    sanitized_stack stack;
  };
  /// Bit i stands for lane i.
  struct warp {
    std::uint32_t live = 0;
    std::uint32_t active = 0;  // live and not at a block barrier
  };

  static void enter();
  void grow(unsigned threads);
  void leave_block();
  void go_on_with(unsigned next);
  [[nodiscard]] unsigned next_fiber();
  void switch_to(fiber& from, fiber& to, bool for_good);

  stack_pool stacks_;
  std::vector<fiber> fibers_;
  std::vector<warp> warps_;
  fiber main_;
  fiber* left_ = nullptr;  // the fiber switched away from last
  unsigned threads_ = 0;
  unsigned current_ = 0;
  void (*body_)(void*, unsigned) = nullptr;
  void* state_ = nullptr;
};

constexpr unsigned none = ~0u;

thread_local block_fibers fibers;

void block_fibers::grow(unsigned threads) {
  while (stacks_.size() < threads) stacks_.add_warp();
  for (auto i = static_cast<unsigned>(fibers_.size()); i < threads; ++i) {
    fibers_.emplace_back();
    fibers_.back().stack.create(stacks_.bottom(i), stack_bytes);
  }
}

void block_fibers::run(unsigned threads, void (*body)(void*, unsigned), void* state) {
  if (threads == 0) return;
  if (threads > fibers_.size()) grow(threads);
  for (unsigned i = 0; i < threads; ++i) {
    fibers_[i].stack.renew();
    prepare(fibers_[i].saved, stacks_.bottom(i), stack_pool::usable(i), &enter);
  }
  warps_.resize((threads + warp_size - 1) / warp_size);
  for (warp& w : warps_) w.live = w.active = ~0u;
  if (const unsigned rest = threads % warp_size; rest != 0)
    warps_.back().live = warps_.back().active = (1u << rest) - 1;
  threads_ = threads;
  body_ = body;
  state_ = state;
  current_ = 0;
  main_.stack.adopt_current();
  switch_to(main_, fibers_[0], false);
  body_ = nullptr;
}

void block_fibers::enter() {
  block_fibers& self = fibers;
  self.fibers_[self.current_].stack.arrive(self.left_->stack);
  self.body_(self.state_, self.current_);
  self.leave_block();
}

void block_fibers::leave_block() {
  warp& mine = warps_[current_ / warp_size];
  const std::uint32_t lane = 1u << (current_ % warp_size);
  mine.live &= ~lane;
  mine.active &= ~lane;
  fiber& from = fibers_[current_];
  const unsigned next = next_fiber();
  if (next != none) current_ = next;
  switch_to(from, next == none ? main_ : fibers_[next], true);
  __builtin_unreachable();
}

void block_fibers::block_barrier() {
  warps_[current_ / warp_size].active &= ~(1u << (current_ % warp_size));
  go_on_with(next_fiber());
}

void block_fibers::warp_barrier() { go_on_with(next_fiber()); }

void block_fibers::go_on_with(unsigned next) {
  if (next == current_) return;
  fiber& from = fibers_[current_];
  current_ = next;
  switch_to(from, fibers_[next], false);
}

/// The next active lane of the current warp, in turn; else the first of the next warp that has one; else all live
/// fibers stand at the block barrier, which opens.
unsigned block_fibers::next_fiber() {
  const unsigned w = current_ / warp_size;
  if (const std::uint32_t active = warps_[w].active; active != 0) {
    const std::uint32_t later = active & ~((2u << (current_ % warp_size)) - 1);
    return w * warp_size + static_cast<unsigned>(std::countr_zero(later != 0 ? later : active));
  }
  const auto count = static_cast<unsigned>(warps_.size());
  for (unsigned k = w + 1; k < count; ++k)
    if (warps_[k].active != 0) return k * warp_size + static_cast<unsigned>(std::countr_zero(warps_[k].active));
  unsigned first = none;
  for (unsigned k = count; k-- > 0;) {
    warps_[k].active = warps_[k].live;
    if (warps_[k].live != 0) first = k * warp_size + static_cast<unsigned>(std::countr_zero(warps_[k].live));
  }
  return first;
}

void block_fibers::switch_to(fiber& from, fiber& to, bool for_good) {
  left_ = &from;
  from.stack.leave(to.stack, for_good);
  switch_flow(from.saved, to.saved);
  from.stack.arrive(left_->stack);
}

void run_fibers(unsigned threads, void (*body)(void*, unsigned), void* state) { fibers.run(threads, body, state); }
void wait_for_block() {
  if (fibers.running()) fibers.block_barrier();
}
void wait_for_warp() {
  if (fibers.running()) fibers.warp_barrier();
}

}  // namespace

const tessera_fiber_services& fiber_services() noexcept {
  static constexpr tessera_fiber_services services{&run_fibers, &wait_for_block, &wait_for_warp};
  return services;
}

}  // namespace tessera::device
