#include "tessera/device/cpu/run/cpu_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"
#include "tessera/device/cpu/run/crash_report.h"
#include "tessera/device/cpu/run/private_results.h"
#include "tessera/device/host/strided.h"

namespace tessera::device {
namespace {

using clock = std::chrono::steady_clock;

std::int64_t nanoseconds_since(clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start).count();
}

/// Puts into the variables of a launch's module what they are to hold.
void put_variables(const launch_desc& launch) {
  for (const variable_contents& v : launch.variables) {
    module_variable& target = *v.variable;
    if (v.stamp != 0 && target.held == v.stamp) continue;
    if (planted("variable_kept") && target.held != 0) continue;
    std::memcpy(target.address, v.contents, static_cast<std::size_t>(target.bytes));
    target.held = v.stamp;
  }
}

/// Takes out of them what the launch may have changed.
void take_variables(const launch_desc& launch) {
  for (const variable_contents& v : launch.variables)
    if (v.changed && !planted("variable_not_taken"))
      std::memcpy(v.contents, v.variable->address, static_cast<std::size_t>(v.variable->bytes));
}

bool changes_variables(const launch_desc& launch) {
  return std::any_of(launch.variables.begin(), launch.variables.end(), [](const auto& v) { return v.changed; });
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
    buffer memory(static_cast<std::byte*>(std::aligned_alloc(alignment, std::max(whole, alignment))));
    if (!memory) throw out_of_memory(cat("no room for ", bytes, " bytes of workspace"));
    return workspaces_.emplace_back(std::move(memory)).get();
  }

  void parallel_for(std::int64_t n, const std::function<void(std::int64_t)>& body) override {
    constexpr std::int64_t parts_per_core = 16;
    const std::int64_t each = std::max<std::int64_t>(1, n / (parts_per_core * cores_));
    if (n <= 0) return;
    worker_team::run_and_wait(ceil_div(n, each), cores_, [&](std::int64_t part) {
      const kernel_scope crashes(watch_);
      for (std::int64_t i = part * each; i < std::min(n, (part + 1) * each); ++i) body(i);
    });
  }

 private:
  struct deallocate {
    void operator()(std::byte* data) const { std::free(data); }
  };
  using buffer = std::unique_ptr<std::byte, deallocate>;

  int device_;
  int cores_;
  const observer* watch_;
  std::vector<buffer> workspaces_;
};

}  // namespace

bool cpu_runner::execute(work& verb, worker_team& team) {
  return std::visit([&](auto& w) { return execute(w, team); }, verb);
}

/// Calls f(first, last) for consecutive ranges of items that make up [0, items), on several cores if it is worth it.
template <class F>
bool cpu_runner::share_items(std::int64_t items, std::int64_t bytes, worker_team& team, F f) const {
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

bool cpu_runner::execute(copy_desc& copy, worker_team& team) const {
  const row_walk walk(copy.count, copy.target.strides, &copy.source.strides, copy.element_bytes);
  const auto part = [&copy, walk](std::int64_t first, std::int64_t last) { copy_items(walk, copy, first, last); };
  return share_items(walk.total(), walk.total() * copy.element_bytes, team, part);
}

bool cpu_runner::execute(fill_desc& fill, worker_team& team) const {
  const auto bytes = static_cast<std::int64_t>(fill.value.size());
  const row_walk walk(fill.count, fill.target.strides, nullptr, bytes);
  const auto part = [&fill, walk](std::int64_t first, std::int64_t last) {
    fill_items(walk, fill.target, fill.value, first, last);
  };
  return share_items(walk.total(), walk.total() * bytes, team, part);
}

bool cpu_runner::execute(fold_desc& fold, worker_team& team) const {
  const row_walk walk(fold.count, fold.target.strides, &fold.source.strides, fold.type.size);
  const auto part = [&fold, walk](std::int64_t first, std::int64_t last) { fold_items(walk, fold, first, last); };
  return share_items(walk.total(), walk.total() * fold.type.size, team, part);
}

bool cpu_runner::execute(launch_work& launch, worker_team& team) const {
  const block_range whole = block_range::of(launch.desc);
  const std::int64_t blocks = whole.blocks();
  if (blocks == 0) return true;
  put_variables(launch.desc);
  if (!launch.desc.results.empty()) return execute_private(launch, team);
  const std::int64_t threads = blocks * threads_per_block(launch.desc);
  launch.parts = std::min(blocks, costs_.parts(launch.desc.function, threads, cores_));
  const auto part = [this, &launch](std::int64_t p) { run_part(launch, p); };
  std::function<void()> end;
  if (changes_variables(launch.desc)) end = [&launch] { take_variables(launch.desc); };
  if (launch.parts > 1) return team.run(block_parts(whole, launch.parts).count(), part, std::move(end));
  part(0);
  if (end) end();
  return true;
}

void cpu_runner::run_part(launch_work& launch, std::int64_t part) const {
  const block_range range = block_parts(block_range::of(launch.desc), launch.parts).part(part);
  if (part != 0) return run_blocks(launch.desc, launch.entry, range, parameter_list(launch.desc), launch.watch);
  const auto start = clock::now();
  run_blocks(launch.desc, launch.entry, range, parameter_list(launch.desc), launch.watch);
  costs_.note(launch.desc.function, range.blocks() * threads_per_block(launch.desc), nanoseconds_since(start));
}

bool cpu_runner::execute_private(launch_work& launch, worker_team& team) const {
  struct counted_launch {
    device_heap::counted_memory memory;
    private_launch launch;
  };
  const std::int64_t bytes = launch.desc.workspace == private_result::unlimited ? 0 : launch.desc.workspace;
  std::shared_ptr<counted_launch> shared(
      new counted_launch{{memory_, bytes}, {launch.desc, launch.entry, cores_, launch.watch}});
  const std::int64_t runs = shared->launch.runs();
  auto run = [shared](std::int64_t r) { shared->launch.do_run(r); };
  auto end = [shared = std::move(shared), &launch] {
    if (shared->launch.runs() > 1) shared->launch.combine_runs();
    take_variables(launch.desc);
  };
  // The team alone keeps both, and lets go before the operation has ended: then the device may be destroyed.
  if (runs > 1) return team.run(runs, std::move(run), std::move(end));
  run(0);
  end();
  return true;
}

bool cpu_runner::execute(native_work& native, worker_team&) const {
  cpu_native_context context(device_, cores_, native.watch);
  const kernel_scope crashes(native.watch);
  native.function(context);
  return true;
}

}  // namespace tessera::device
