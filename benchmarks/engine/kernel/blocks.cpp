// Kernels whose threads meet at barriers or in warps, on one core: cut into loops, against a limit, against one fiber
// per thread, and against loops written by hand.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/rival_kernel.h"
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
  double limit = 0;                ///< Nanoseconds per thread; 0: none.
  std::int64_t items = 0;          ///< What kernels/NAME_rival.cpp counts in; 0: there is none.
  double target = 0;               ///< Of the rival's speed.

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

  /// The addresses of the arguments.
  [[nodiscard]] std::vector<void*> parameters() {
    std::vector<void*> all{&n_};
    for (float*& p : pointers_) all.push_back(&p);
    return all;
  }

  void run() {
    std::vector<void*> parameters = this->parameters();
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

/// Against a loop written by hand, on one core, which adds in another order.
void measure_rival(session& s, const block_case& measured) {
  block_run ours(measured, kernels::tier::split), theirs(measured, kernels::tier::split);
  const rival_kernel rival(kernel_path(measured.name + "_rival.cpp"), rival_flags::best, {});
  thread_team alone(1);
  const auto run_rival = [&] { rival.run(alone, measured.items, theirs.parameters()); };
  ours.run();
  run_rival();
  for (std::size_t i = 0; i < ours.result().size(); ++i)
    if (!(std::abs(ours.result()[i] - theirs.result()[i]) <= 1e-3F + 1e-3F * std::abs(theirs.result()[i])))
      throw error(cat(measured.name, " gives another result than its rival: element ", i));
  const comparison times = compare([&] { return seconds_of([&] { ours.run(); }); },
                                   [&] { return seconds_of(run_rival); }, s.scaled({.pairs = 15}));
  s.add_times(cat("blocks.", measured.name, ".rival"), times, "loop by hand", 1e9 / measured.threads(), "ns/thread",
              measured.target);
}

void measure(session& s, const block_case& measured) {
  if (measured.items != 0) measure_rival(s, measured);
  if (measured.items != 0 && measured.limit == 0) return;
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
  constexpr int n = 1 << 18, side = 256, large = 1 << 23, row = 1024, short_row = 256;
  static const std::vector<block_case> cases = {
      {"block_sum", {256}, {n / 256}, n, {n, n / 256}, 5, n / 256, 0.4},
      {"block_stencil", {256}, {n / 256}, n, {n, n}, 5},
      {"block_product", {16, 16}, {side / 16, side / 16}, side, {side * side, side * side, side * side}},
      {"shuffle_sum", {256}, {large / 256}, large, {large, large / 256}, 0, large / 256, 0.5},
      {"layernorm", {256}, {large / row}, row, {large, large}, 0, large / row, 0.5},
      {"warp_rows",
       {256},
       {large / short_row / 8},
       short_row,
       {large, short_row, large / short_row},
       0,
       large / short_row,
       0.5},
      {"block_scan", {256}, {large / 256}, large, {large, large}, 0, large / 256, 0.4},
      {"softmax", {256}, {large / row}, row, {large, large}, 0, large / row, 0.4},
      {"block_sort", {256}, {n / 256}, n, {n, n}, 0, n / 256, 0.4},
      {"block_tile", {16, 16}, {row / 16, row / 16}, row, {row * row, row * row}, 0, row, 0.4},
      {"block_histogram", {256}, {n / 256}, 4096, {n * 16, n}, 0, n / 256, 0.4}};
  std::vector<benchmark> all;
  for (const block_case& c : cases) all.push_back({"blocks." + c.name, [&](session& s) { measure(s, c); }});
  return all;
}

}  // namespace tessera::bench
