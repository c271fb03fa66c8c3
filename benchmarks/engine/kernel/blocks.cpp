// Kernels whose threads meet at barriers, on one core: cut into loops, against a limit and against one fiber per
// thread.
#include <algorithm>
#include <cstring>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/inputs.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/device/cpu/fiber/fiber.h"
#include "tessera/device/cpu/jit/compiler.h"
#include "tessera/device/cpu/jit/module.h"
#include "tessera/kernel/wrap/cpu_wrapper.h"

namespace tessera::bench {
namespace {

struct block_case {
  std::string name;
  extents block, grid;
  int n;                           ///< The first argument.
  std::vector<std::size_t> sizes;  ///< Of the arrays; the last one is written.
  double limit;                    ///< Nanoseconds per thread; 0: none.

  [[nodiscard]] double threads() const {
    return static_cast<double>(box::whole(block).volume()) * static_cast<double>(box::whole(grid).volume());
  }
};

/// A case compiled for one tier.
class block_run {
 public:
  block_run(const block_case& measured, kernels::tier form) : measured_(measured) {
    const std::string path = kernel_path(measured.name + ".cu");
    const kernels::kernel_text text = kernels::parse_kernel(read_text(path), path);
    const device::source_desc source{
        kernels::make_cpu_source(text, {form, measured.block}), {}, kernels::cpu_flags(text)};
    entry_ = table_.entry(table_.find(table_.load(device::compile_shared_object(source)), kernels::cpu_entry_symbol));
    std::uint32_t seed = 0;
    for (const std::size_t size : measured.sizes)
      arrays_.push_back(contents({.shape = {static_cast<std::int64_t>(size)}, .low = -1}, ++seed));
    for (std::vector<float>& a : arrays_) pointers_.push_back(a.data());
  }

  void run() {
    std::vector<void*> parameters{&n_};
    for (float*& p : pointers_) parameters.push_back(&p);
    tessera_cpu_launch launch{};
    for (int a = 0; a < 3; ++a) {
      launch.grid_dim[a] = launch.block_end[a] =
          a < measured_.grid.rank() ? static_cast<unsigned>(measured_.grid[a]) : 1;
      launch.block_dim[a] = a < measured_.block.rank() ? static_cast<unsigned>(measured_.block[a]) : 1;
    }
    launch.params = parameters.data();
    launch.fibers = &device::fiber_services();
    entry_(&launch);
  }

  [[nodiscard]] const std::vector<float>& result() const { return arrays_.back(); }

 private:
  const block_case& measured_;
  device::module_table table_;
  tessera_cpu_entry entry_ = nullptr;
  std::vector<std::vector<float>> arrays_;
  std::vector<float*> pointers_;
  int n_ = measured_.n;
};

void measure(session& s, const block_case& measured) {
  block_run cut(measured, kernels::tier::split), fibers(measured, kernels::tier::fiber);
  cut.run();
  fibers.run();
  if (std::memcmp(cut.result().data(), fibers.result().data(), cut.result().size() * sizeof(float)) != 0)
    throw error(cat(measured.name, " gives another result on fibers"));
  const comparison times = compare([&] { return seconds_of([&] { cut.run(); }); },
                                   [&] { return seconds_of([&] { fibers.run(); }); }, s.scaled({.pairs = 5}));
  const double scale = 1e9 / measured.threads();
  s.add_times(cat("blocks.", measured.name), times, "one fiber per thread", scale, "ns/thread", std::nullopt);
  if (measured.limit == 0) return;
  s.add_figures(cat("blocks.", measured.name, ".limit"), times.ours * scale, measured.limit,
                cat("limit of ", measured.limit, " ns"), "ns/thread", 1.0);
}

}  // namespace

std::vector<benchmark> block_benchmarks() {
  constexpr int n = 1 << 18, side = 256;
  static const std::vector<block_case> cases = {
      {"block_sum", {256}, {n / 256}, n, {n, n / 256}, 5},
      {"block_stencil", {256}, {n / 256}, n, {n, n}, 5},
      {"block_product", {16, 16}, {side / 16, side / 16}, side, {side * side, side * side, side * side}, 0}};
  std::vector<benchmark> all;
  for (const block_case& c : cases) all.push_back({"blocks." + c.name, [&](session& s) { measure(s, c); }});
  return all;
}

}  // namespace tessera::bench
