// What containers on a GPU cost beside their launches: the host's window, and launches divided between logical devices.
#include <stdexcept>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/gpu/gpu_containers.h"
#include "benchmarks/algo/programs.h"
#include "benchmarks/skepu/skepu_benchmarks.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t large = std::int64_t{1} << 28;  // 1 GiB
constexpr int logical_devices = 4;

/// The window gets all elements after a launch has changed them.
void measure_update_host(session& s, bool page_locked) {
  const std::string row = page_locked ? "algo_gpu.update_host" : "algo_gpu.update_host.pageable";
  const by_hand::host_copies link(4 * large, page_locked);
  context ctx = on_devices(s.devices());
  vector<float> v(large, page_locked ? container_options(ctx) : container_options(ctx, pageable));
  const auto more = map([](auto u) { return u + 1; });
  float expected = 0;
  const timed_run ours = [&] {
    more.into(v, v);
    ctx.wait();
    expected += 1;
    return seconds_of([&] { v.update_host(); });
  };
  ours();
  for (const std::int64_t at : {std::int64_t{0}, large / 3, large - 1})
    if (v.unchecked(at) != expected) throw std::runtime_error(row + ": the window has another element");
  const comparison times = compare(
      ours, [&] { return seconds_of([&] { link.run(); }); }, s.scaled({.pairs = page_locked ? 15 : 5, .warm_up = 1}));
  s.add_times(row, times, page_locked ? "cudaMemcpy into page-locked memory" : "cudaMemcpy into pageable memory", 1e3,
              "ms", page_locked ? std::optional(0.9) : std::nullopt);
}

/// Work on one device of the GPU, and on several; `call` works from the first three vectors into the last.
template <class Call>
void measure_divided(session& s, const std::string& row, double target, Call call) {
  struct side {
    explicit side(const std::string& devices) : ctx(on_devices(devices)) {}
    context ctx;
    vector<float> x = made(ctx, large, {1}), y = made(ctx, large, {2}), z = made(ctx, large, {3});
    vector<float> out{large, ctx};
  };
  side whole(s.devices()), divided(s.devices(logical_devices));
  constexpr int rounds = 4;
  const auto run = [&](side& on) {
    for (int k = 0; k < rounds; ++k) call(on.x, on.y, on.z, on.out);
    on.ctx.wait();
  };
  run(whole);
  run(divided);
  for (const std::int64_t at : {std::int64_t{0}, large / 3, large / 2, large - 1})
    if (float{divided.out[at]} != float{whole.out[at]}) throw std::runtime_error(row + ": the results differ");
  add_pair(
      s, {row, "ours on one device", target, {}, 1e3 / rounds}, [&] { run(divided); }, [&] { run(whole); });
}

void measure_divided_map(session& s) {
  measure_divided(s, "algo_gpu.four_devices.map", 0.9, [](const auto& x, const auto& y, const auto& z, auto& out) {
    map_of_three(1.5f).into(out, x, y, z);
  });
}

void measure_divided_scan(session& s) {
  measure_divided(s, "algo_gpu.four_devices.inclusive_scan", 0.6,
                  [](const auto& x, const auto&, const auto&, auto& out) { inclusive_scan_into(out, x); });
}

}  // namespace

std::vector<benchmark> gpu_container_benchmarks() {
  return {{"algo_gpu.mse_overhead", [](session& s) { skepu::measure_mse_overhead(s, "algo_gpu", 4096, 0.99); }},
          {"algo_gpu.update_host", [](session& s) { measure_update_host(s, true); }},
          {"algo_gpu.update_host.pageable", [](session& s) { measure_update_host(s, false); }},
          {"algo_gpu.four_devices.map", measure_divided_map},
          {"algo_gpu.four_devices.inclusive_scan", measure_divided_scan}};
}

}  // namespace tessera::bench
