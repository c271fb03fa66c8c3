#include "tessera/device/cpu/run/private_results.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "tessera/base/defects.h"
#include "tessera/device/host/pool.h"
#include "tessera/device/host/spin.h"
#include "tessera/device/host/strided.h"

namespace tessera::device {
namespace {

constexpr std::size_t alignment = box_buffer::extra;

/// Lowest and highest offset of the elements of a box that is not empty.
struct byte_hull {
  std::int64_t low;
  std::int64_t high;

  byte_hull(const extents& strides, const box& b) : low(offset_of(strides, b.lo)), high(low) {
    for (int a = 0; a < b.rank(); ++a) {
      const std::int64_t reach = (b.extent(a) - 1) * strides[a];
      (reach < 0 ? low : high) += reach;
    }
  }
};

/// Address arithmetic on a place that may lie outside of any object: only the elements of the box are real.
std::byte* moved(std::byte* p, std::int64_t bytes) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(p) + static_cast<std::uintptr_t>(bytes));
}

}  // namespace

void box_buffer::release::operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{alignment}); }

std::int64_t box_buffer::bytes(const private_result& of, const box& elements) {
  if (elements.empty()) return 0;
  const byte_hull all(of.strides, elements);
  return all.high - all.low + static_cast<std::int64_t>(of.type.size) + extra;
}

void box_buffer::prepare(const private_result& of, const box& elements, std::span<const std::byte> identity) {
  elements_ = elements;
  const bool empty = elements.empty();
  const std::int64_t low = empty ? 0 : byte_hull(of.strides, elements).low;
  const std::int64_t high = empty ? 0 : byte_hull(of.strides, elements).high;
  const std::size_t lead = reinterpret_cast<std::uintptr_t>(moved(of.origin, low)) % alignment;
  const std::size_t needed = lead + static_cast<std::size_t>(high - low) + of.type.size;
  const bool renew = needed > size_ || !planted("identity_not_renewed");
  if (needed > size_) {
    room_.reset();
    size_ = 0;
    room_.reset(static_cast<std::byte*>(::operator new (needed, std::align_val_t{alignment})));
    size_ = needed;
  }
  origin_ = moved(room_.get(), static_cast<std::int64_t>(lead) - low);
  if (empty || !renew) return;
  fill_box({moved(origin_, offset_of(of.strides, elements.lo)), of.strides}, elements.shape(), identity);
}

private_launch::private_launch(launch_desc& launch, tessera_cpu_entry entry, int cores, const observer* watch)
    : launch_(launch), entry_(entry), watch_(watch), range_(block_range::of(launch)) {
  for (const private_result& r : launch.results)
    results_.push_back({&r, r.code != nullptr ? identity_value(r.code) : identity_of(r.op, r.type)});
  shared_ = !launch.in_order && std::all_of(launch.results.begin(), launch.results.end(),
                                            [](const private_result& r) { return r.by_atomics; });
  runs_ = std::min<std::int64_t>(cores, range_.blocks());
  // Several for each core, where they cost next to nothing, so that no core waits for one that was preempted.
  constexpr std::int64_t most_per_core = 8, blocks_of_a_run = 8, small = 32 << 10;
  std::int64_t bytes = 0;
  for (const private_result& r : launch.results) bytes = std::max(bytes, r.most_bytes);
  if (runs_ > 0 && bytes <= small && !launch.in_order)
    runs_ *= std::clamp<std::int64_t>(range_.blocks() / (blocks_of_a_run * runs_), 1, most_per_core);
  // Copies of what is `atomic` are small, and no memory was planned for them.
  const bool planned = !shared_ || launch.workspace > 0;
  while (runs_ > 1 && planned && !fits(runs_)) runs_ /= 2;
  accumulators_.resize(static_cast<std::size_t>(runs_));
}

/// Every run has scratch memory for one block, and all but the first an accumulator.
bool private_launch::fits(std::int64_t runs) const {
  if (launch_.workspace == private_result::unlimited) return true;
  std::int64_t bounds = 0;
  for (const result& r : results_) bounds += r.spec->most_bytes + box_buffer::extra;
  if (bounds <= launch_.workspace / (2 * runs)) return true;
  std::int64_t bytes = 0, largest = 0;
  for (std::int64_t run = 0; run < runs; ++run) {
    const auto [first, last] = blocks_of(run, runs);
    for (const result& r : results_) {
      const std::int64_t end = r.spec->elements.is_uniform() ? first + 1 : last;
      for (std::int64_t b = first; b < end; ++b)
        largest = std::max(largest, box_buffer::bytes(*r.spec, elements(r, b)));
      if (run > 0 && !launch_.in_order) bytes += box_buffer::bytes(*r.spec, elements(r, first, last));
    }
  }
  return bytes + runs * largest * std::ssize(results_) <= launch_.workspace;
}

std::pair<std::int64_t, std::int64_t> private_launch::blocks_of(std::int64_t run, std::int64_t runs) const {
  const std::int64_t each = range_.blocks() / runs, rest = range_.blocks() % runs;
  const std::int64_t first = run * each + std::min(run, rest);
  return {first, first + each + (run < rest ? 1 : 0)};
}

box private_launch::elements(const result& r, std::int64_t block) const {
  const auto b = range_.block(block).begin;
  return r.spec->elements.of({b[0], b[1], b[2]});
}

box private_launch::elements(const result& r, std::int64_t first, std::int64_t last) const {
  box all = elements(r, first);
  if (r.spec->elements.is_uniform()) return all;
  for (std::int64_t b = first + 1; b < last; ++b) all = hull(all, elements(r, b));
  return all;
}

void private_launch::prepare_accumulators(std::int64_t run, std::int64_t first, std::int64_t last) {
  std::vector<box_buffer>& own = accumulators_[static_cast<std::size_t>(run)];
  own.resize(results_.size());
  for (std::size_t r = 0; r < results_.size(); ++r) {
    own[r].prepare(*results_[r].spec, elements(results_[r], first, last), results_[r].identity);
  }
}

/// What a block, or the blocks of a run, reduce into belongs to the thread that runs them.
unsigned long long private_launch::own_parameters() const {
  unsigned long long own = 0;
  for (const result& r : results_)
    if (r.spec->parameter < 64) own |= 1ULL << r.spec->parameter;
  return own;
}

template <class Next, class Combine>
void private_launch::run_each(Next next, Combine combine) {
  constexpr int blocks_between_looks = 8;
  int done = 0;
  parameter_list params(launch_);
  std::vector<box_buffer> scratch(results_.size());
  std::vector<std::byte*> pointers(results_.size());
  const unsigned long long own = own_parameters();
  for (std::int64_t b = next(); b >= 0; b = next()) {
    for (std::size_t r = 0; r < results_.size(); ++r) {
      scratch[r].prepare(*results_[r].spec, elements(results_[r], b), results_[r].identity);
      pointers[r] = scratch[r].origin();
      params.replace(results_[r].spec->parameter, &pointers[r]);
    }
    run_blocks(launch_, entry_, range_.block(b), params, watch_, own);
    combine(b, scratch);
    if (++done % blocks_between_looks == 0) worker_pool::instance().run_urgent();
  }
}

void private_launch::do_run(std::int64_t run) {
  if (launch_.in_order) return do_blocks_in_turn();
  const auto [first, last] = blocks_of(run, runs_);
  if (run > 0) prepare_accumulators(run, first, last);
  if (shared_) return do_shared_run(run, first, last);
  std::int64_t at = first;
  run_each([&, last = last] { return at < last ? at++ : -1; },
           [&, first = first, last = last](std::int64_t b, const std::vector<box_buffer>& scratch) {
             if (planted("wave_cut_short") && b + 1 == last && last - first < blocks_of(0, runs_).second) return;
             for (std::size_t r = 0; r < results_.size(); ++r) {
               std::byte* const target =
                   run == 0 ? results_[r].spec->origin : accumulators_[static_cast<std::size_t>(run)][r].origin();
               combine_into(results_[r], target, scratch[r]);
             }
           });
}

void private_launch::do_shared_run(std::int64_t run, std::int64_t first, std::int64_t last) {
  parameter_list params(launch_);
  std::vector<std::byte*> pointers(results_.size());
  const unsigned long long own = own_parameters();
  for (std::size_t r = 0; r < results_.size() && run > 0; ++r) {  // the first run works on the target itself
    pointers[r] = accumulators_[static_cast<std::size_t>(run)][r].origin();
    params.replace(results_[r].spec->parameter, &pointers[r]);
  }
  constexpr std::int64_t looks = 64;
  const std::int64_t most = std::max<std::int64_t>(1, (last - first) / looks);
  for (std::int64_t b = first; b < last;) {
    block_range row = range_.block(b);
    row.end[0] = std::min({range_.end[0], row.begin[0] + last - b, row.begin[0] + most});
    run_blocks(launch_, entry_, row, params, watch_, own);
    b += row.extent(0);
    worker_pool::instance().run_urgent();
  }
}

/// A block that waits for its turn waits for one that has begun.
void private_launch::do_blocks_in_turn() {
  const auto take = [&] {
    const std::int64_t b = next_++;
    return b < range_.blocks() && !failed_ ? b : -1;
  };
  try {
    run_each(take, [&](std::int64_t b, const std::vector<box_buffer>& scratch) {
      if (!await_turn(b)) return;
      for (std::size_t r = 0; r < results_.size(); ++r) combine_into(results_[r], results_[r].spec->origin, scratch[r]);
      turn_.store(b + 1, std::memory_order_release);
    });
  } catch (...) {
    failed_ = true;
    throw;
  }
}

bool private_launch::await_turn(std::int64_t block) const {
  constexpr int pauses = 1000;
  for (int tries = 0; turn_.load(std::memory_order_acquire) != block; ++tries) {
    if (failed_) return false;
    tries < pauses ? relax() : static_cast<void>(sched_yield());
  }
  return true;
}

void private_launch::combine_runs() {
  if (launch_.in_order) return;
  for (std::int64_t run = 1; run < runs_; ++run)
    for (std::size_t r = 0; r < results_.size(); ++r)
      for (int times = planted("combined_twice") && run + 1 == runs_ ? 2 : 1; times > 0; --times)
        combine_into(results_[r], results_[r].spec->origin, accumulators_[static_cast<std::size_t>(run)][r]);
}

void private_launch::combine_into(const result& r, std::byte* target_origin, const box_buffer& from) {
  const box& b = from.elements();
  if (b.empty()) return;
  const std::int64_t first = offset_of(r.spec->strides, b.lo);
  fold_box({{moved(target_origin, first), r.spec->strides},
            {moved(from.origin(), first), r.spec->strides},
            b.shape(),
            r.spec->type,
            r.spec->op,
            false,
            r.spec->code});
}

}  // namespace tessera::device
