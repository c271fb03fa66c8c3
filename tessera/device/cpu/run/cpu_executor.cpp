#include "tessera/device/cpu/run/cpu_executor.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/device/cpu/run/crash_report.h"
#include "tessera/device/cpu/run/private_results.h"
#include "tessera/device/host/strided.h"

namespace tessera::device {
namespace {

using clock = std::chrono::steady_clock;

std::int64_t nanoseconds_since(clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start).count();
}

class cpu_native_context final : public native_context {
 public:
  /// `watch` names the work if it crashes; may be null.
  cpu_native_context(int device, int cores, const observer* watch) : device_(device), cores_(cores), watch_(watch) {}
  [[nodiscard]] int device() const override { return device_; }
  [[nodiscard]] int cores() const override { return cores_; }

  [[nodiscard]] std::byte* workspace(std::int64_t bytes) override {
    constexpr std::size_t alignment = 256;
    const std::size_t whole = (static_cast<std::size_t>(bytes) + alignment - 1) / alignment * alignment;
    block memory(static_cast<std::byte*>(std::aligned_alloc(alignment, std::max(whole, alignment))));
    if (!memory) throw out_of_memory(cat("no room for ", bytes, " bytes of workspace"));
    return workspaces_.emplace_back(std::move(memory)).get();
  }

  void parallel_for(std::int64_t n, const std::function<void(std::int64_t)>& body) override {
    constexpr std::int64_t parts_per_core = 16;
    const std::int64_t each = std::max<std::int64_t>(1, n / (parts_per_core * cores_));
    if (n <= 0) return;
    crew::run_and_wait(ceil_div(n, each), cores_, [&](std::int64_t part) {
      const kernel_scope crashes(watch_);
      for (std::int64_t i = part * each; i < std::min(n, (part + 1) * each); ++i) body(i);
    });
  }

 private:
  struct deallocate {
    void operator()(std::byte* data) const { std::free(data); }
  };
  using block = std::unique_ptr<std::byte, deallocate>;

  int device_;
  int cores_;
  const observer* watch_;
  std::vector<block> workspaces_;
};

}  // namespace

bool cpu_executor::execute(work& what, crew& team) {
  return std::visit([&](auto& w) { return execute(w, team); }, what);
}

/// Calls f(first, last) for consecutive ranges of items that make up [0, items), on several cores if it is worth it.
template <class F>
bool cpu_executor::share_items(std::int64_t items, std::int64_t bytes, crew& team, F f) const {
  constexpr std::int64_t shared_from = 1 << 20;
  constexpr std::int64_t part_bytes = 256 << 10;
  const std::int64_t parts = std::min({items, bytes / part_bytes, std::int64_t{4} * cores_});
  if (cores_ == 1 || bytes < shared_from || parts < 2) {
    f(std::int64_t{0}, items);
    return true;
  }
  const auto part = [=](std::int64_t p) {
    const auto cut = [&](std::int64_t k) { return k * (items / parts) + std::min(k, items % parts); };
    f(cut(p), cut(p + 1));
  };
  return team.run(parts, part, nullptr);
}

bool cpu_executor::execute(copy_desc& what, crew& team) const {
  const row_walk walk(what.count, what.target.strides, &what.source.strides, what.element_bytes);
  const auto part = [&what, walk](std::int64_t first, std::int64_t last) { copy_items(walk, what, first, last); };
  return share_items(walk.total(), walk.total() * what.element_bytes, team, part);
}

bool cpu_executor::execute(fill_desc& what, crew& team) const {
  const auto bytes = static_cast<std::int64_t>(what.value.size());
  const row_walk walk(what.count, what.target.strides, nullptr, bytes);
  const auto part = [&what, walk](std::int64_t first, std::int64_t last) {
    fill_items(walk, what.target, what.value, first, last);
  };
  return share_items(walk.total(), walk.total() * bytes, team, part);
}

bool cpu_executor::execute(fold_desc& what, crew& team) const {
  const row_walk walk(what.count, what.target.strides, &what.source.strides, what.type.size);
  const auto part = [&what, walk](std::int64_t first, std::int64_t last) { fold_items(walk, what, first, last); };
  return share_items(walk.total(), walk.total() * what.type.size, team, part);
}

bool cpu_executor::execute(launch_work& what, crew& team) const {
  const block_range whole = block_range::of(what.what);
  const std::int64_t blocks = whole.blocks();
  if (blocks == 0) return true;
  if (!what.what.results.empty()) return execute_private(what, team);
  const std::int64_t threads = blocks * threads_per_block(what.what);
  what.parts = std::min(blocks, costs_.parts(what.what.function, threads, cores_));
  const auto part = [this, &what](std::int64_t p) { run_part(what, p); };
  if (what.parts > 1) return team.run(block_parts(whole, what.parts).count(), part, nullptr);
  part(0);
  return true;
}

void cpu_executor::run_part(launch_work& what, std::int64_t part) const {
  const block_range range = block_parts(block_range::of(what.what), what.parts).part(part);
  if (part != 0) return run_blocks(what.what, what.entry, range, parameter_list(what.what), what.watch);
  const auto start = clock::now();
  run_blocks(what.what, what.entry, range, parameter_list(what.what), what.watch);
  costs_.note(what.what.function, range.blocks() * threads_per_block(what.what), nanoseconds_since(start));
}

bool cpu_executor::execute_private(launch_work& what, crew& team) const {
  struct counted_launch {
    device_heap::loan memory;
    private_launch launch;
  };
  const std::int64_t bytes = what.what.workspace == private_result::unlimited ? 0 : what.what.workspace;
  const std::shared_ptr<counted_launch> shared(
      new counted_launch{{memory_, bytes}, {what.what, what.entry, cores_, what.watch}});
  private_launch& launch = shared->launch;
  const auto run = [shared](std::int64_t r) { shared->launch.do_run(r); };
  if (launch.runs() > 1) return team.run(launch.runs(), run, [shared] { shared->launch.combine_runs(); });
  run(0);
  return true;
}

bool cpu_executor::execute(native_work& what, crew&) const {
  cpu_native_context context(device_, cores_, what.watch);
  const kernel_scope crashes(what.watch);
  what.function(context);
  return true;
}

}  // namespace tessera::device
