#include "tessera/device/cpu/run/launch.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "tessera/base/checked.h"
#include "tessera/device/cpu/fiber/fiber.h"
#include "tessera/device/cpu/run/access_report.h"
#include "tessera/device/cpu/run/crash_report.h"

namespace tessera::device {
namespace {

struct aligned_delete {
  void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{128}); }
};

/// The dynamic shared memory of this OS thread: one block at a time uses it.
std::byte* shared_memory(std::int64_t bytes) {
  thread_local std::unique_ptr<std::byte, aligned_delete> room;
  thread_local std::int64_t size = 0;
  if (bytes > size) {
    room.reset();
    size = 0;
    room.reset(static_cast<std::byte*>(::operator new (static_cast<std::size_t>(bytes), std::align_val_t{128})));
    size = bytes;
  }
  return room.get();
}

std::int64_t axis_or(const extents& e, int axis, std::int64_t missing) { return axis < e.rank() ? e[axis] : missing; }

}  // namespace

block_range block_range::of(const launch_desc& launch) {
  block_range r;
  for (int a = 0; a < 3; ++a) {
    r.begin[static_cast<std::size_t>(a)] = axis_or(launch.begin, a, 0);
    r.end[static_cast<std::size_t>(a)] = axis_or(launch.end, a, 1);
  }
  return r;
}

std::int64_t block_range::blocks() const {
  std::int64_t n = 1;
  for (std::size_t a = 0; a < 3; ++a) n *= std::max<std::int64_t>(0, extent(a));
  return n;
}

block_range block_range::block(std::int64_t i) const {
  block_range one;
  for (std::size_t a = 0; a < 3; ++a) {
    one.begin[a] = begin[a] + i % extent(a);
    one.end[a] = one.begin[a] + 1;
    i /= extent(a);
  }
  return one;
}

std::int64_t threads_per_block(const launch_desc& launch) {
  std::int64_t n = 1;
  for (std::int64_t e : launch.block) n *= e;
  return n;
}

parameter_list::parameter_list(launch_desc& launch) {
  first_ = own_.data();
  if (launch.arguments.size() > own_.size()) {
    more_.resize(launch.arguments.size());
    first_ = more_.data();
  }
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) first_[i] = launch.arguments[i].data();
  for (const loaded_argument& l : launch.loaded) first_[l.parameter] = l.from;
}

void run_blocks(const launch_desc& launch, tessera_cpu_entry entry, const block_range& blocks,
                const parameter_list& params, const observer* watch, unsigned long long own) {
  tessera_cpu_launch l{};
  for (int a = 0; a < 3; ++a) {
    const auto k = static_cast<std::size_t>(a);
    l.grid_dim[a] = static_cast<unsigned>(axis_or(launch.grid, a, 1));
    l.block_dim[a] = static_cast<unsigned>(axis_or(launch.block, a, 1));
    l.block_begin[a] = static_cast<unsigned>(blocks.begin[k]);
    l.block_end[a] = static_cast<unsigned>(blocks.end[k]);
  }
  l.params = params.data();
  l.shared = shared_memory(launch.shared_bytes);
  l.shared_bytes = static_cast<unsigned long long>(launch.shared_bytes);
  l.fibers = &fiber_services();
  l.own = own;
  l.in_order = launch.in_order ? 1 : 0;
  if (launch.accesses) l.accesses = &access_services();
  const access_scope accesses(launch.accesses.get(), l.params, l.shared, launch.shared_bytes);
  const kernel_scope crashes(watch);
  entry(&l);
}

block_parts::block_parts(const block_range& whole, std::int64_t wanted) : whole_(whole) {
  for (std::size_t a = 3; a-- > 0 && wanted > 1;) {
    parts_[a] = std::min(whole.extent(a), wanted);
    wanted = ceil_div(wanted, parts_[a]);
  }
}

block_range block_parts::part(std::int64_t i) const {
  block_range r;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t k = i % parts_[a];
    i /= parts_[a];
    // Quotient and remainder apart: the product of two extents need not fit.
    const std::int64_t each = whole_.extent(a) / parts_[a];
    const std::int64_t rest = whole_.extent(a) % parts_[a];
    r.begin[a] = whole_.begin[a] + k * each + std::min(k, rest);
    r.end[a] = r.begin[a] + each + (k < rest ? 1 : 0);
  }
  return r;
}

std::int64_t cost_table::parts(function_id function, std::int64_t threads, int cores) const {
  constexpr std::int64_t parts_per_core = 4, long_parts = 16;
  constexpr double long_worth = 5;                    // of a part of a long launch, in parts of others
  constexpr std::int64_t unknown_threads = 16 << 10;  // a part of a kernel that has not run yet
  constexpr double part_picoseconds = 4e6;            // a part of one that has: a few times what waking a worker costs
  const std::uint32_t cost = picoseconds_[function % size].load(std::memory_order_relaxed);
  const double worth = cost == 0 ? static_cast<double>(threads) / unknown_threads
                                 : static_cast<double>(threads) * static_cast<double>(cost) / part_picoseconds;
  // As many for each core that takes part: with one more, all would wait for the one that has it.
  const auto sharers = static_cast<std::int64_t>(std::clamp(worth + 0.5, 1.0, static_cast<double>(cores)));
  const double each = std::clamp(worth / static_cast<double>(sharers), 1.0, static_cast<double>(parts_per_core));
  // Between the parts of a long launch others get their turn (see worker_pool::run_urgent).
  const bool lasts = cost != 0 && worth / static_cast<double>(sharers) > long_parts * long_worth;
  return sharers * (lasts ? long_parts : static_cast<std::int64_t>(each));
}

void cost_table::note(function_id function, std::int64_t threads, std::int64_t nanoseconds) {
  const double cost = static_cast<double>(nanoseconds) * 1e3 / static_cast<double>(std::max<std::int64_t>(threads, 1));
  const double most = std::numeric_limits<std::uint32_t>::max();
  picoseconds_[function % size].store(static_cast<std::uint32_t>(std::clamp(cost, 1.0, most)),
                                      std::memory_order_relaxed);
}

}  // namespace tessera::device
