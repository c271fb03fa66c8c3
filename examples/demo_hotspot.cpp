// The demo: a chip heats up. The thermal model is HotSpot's, known from the Rodinia benchmarks; the kernel is plain
// CUDA.
#include <tessera/tessera.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <utility>

#include "demo_chip.h"
#include "demo_parts.h"

namespace ts = tessera;

namespace {

/// Steps `old` forward in time and returns it, without waiting. `after_step` is told the number of each step made.
template <class AfterStep>
ts::array<float> simulate(const ts::kernel& hotspot, const demo::thermal_model& model, ts::array<float> old,
                          ts::array<float> fresh, const ts::array<float>& power, std::int64_t steps,
                          AfterStep after_step) {
  const std::int64_t n = model.size;
  for (std::int64_t step = 1; step <= steps; ++step) {
    hotspot.launch({.threads = {n, n}, .block = {32, 8}}, n, n, fresh, old, power, model.step_over_capacity(),
                   model.to_neighbour, model.to_neighbour, model.upward, 0.0f);
    std::swap(old, fresh);
    after_step(step, old);
  }
  return old;
}

/// A small chip, on the same devices: every bit must be as the plain loop has it.
bool small_run_agrees(ts::context& ctx, const ts::kernel& hotspot) {
  const demo::thermal_model model(200);
  constexpr int steps = 25;
  const std::vector<float> power = demo::floor_plan(model);
  const auto placement = ts::rows(16).halo(1);
  const auto result =
      simulate(hotspot, model, ctx.zeros<float>({200, 200}, placement), ctx.empty<float>({200, 200}, placement),
               ctx.from<float>({200, 200}, power, placement), steps, [](auto&&...) {});
  const std::vector<float> ours = result.read(), expected = demo::simulate_plainly(model, power, steps);
  return std::memcmp(ours.data(), expected.data(), expected.size() * sizeof(float)) == 0;
}

/// Shows how far the devices are: every so often one column is read back. Two such reads stay under way, so that the
/// devices always have work queued behind the one that is waited for.
class watcher {
 public:
  watcher(std::int64_t size, std::int64_t steps, bool visible)
      : size_(size), steps_(steps), every_(std::clamp<std::int64_t>(steps / 200, 1, 50)), bar_(steps, visible) {}

  void after_step(std::int64_t step, const ts::array<float>& state) {
    if (step % every_ != 0 && step != steps_) return;
    mark& m = marks_.emplace_back();
    m.step = step;
    m.cells.resize(static_cast<std::size_t>(size_));
    m.reading = state.slice({{0, size_}, {0, 1}}).read_async(m.cells);
    if (marks_.size() > 2) pass();
  }
  void finish() {
    while (!marks_.empty()) pass();
  }
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  struct mark {
    std::int64_t step = 0;
    std::vector<float> cells;
    ts::transfer reading;
  };
  void pass() {
    marks_.front().reading.wait();
    const std::int64_t done = marks_.front().step;
    bar_.show(done, static_cast<double>(done) * static_cast<double>(size_ * size_) / seconds());
    marks_.pop_front();
  }

  std::int64_t size_, steps_, every_;
  demo::progress_bar bar_;
  std::deque<mark> marks_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) value /= 1024, ++unit;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

void print_table(const ts::context& ctx, const ts::statistics& before, double cell_steps, double seconds) {
  const ts::statistics now = ctx.stats();
  std::printf("\n%-22s %12s %12s %12s\n", "device", "cores", "memory", "used");
  const auto devices = ctx.devices();
  for (std::size_t d = 0; d < devices.size(); ++d)
    std::printf("%-22s %12d %12s %12s\n", devices[d].name.c_str(), devices[d].cores,
                bytes_text(devices[d].memory).c_str(), bytes_text(now.peak_bytes.at(d)).c_str());
  const auto row = [](const char* label, const std::string& value) {
    std::printf("%-22s %12s\n", label, value.c_str());
  };
  std::puts("");
  row("launches", std::to_string(now.launches - before.launches));
  row("superblocks", std::to_string(now.superblocks - before.superblocks));
  std::printf("%-22s %10.2f s\n", "time", seconds);
  std::printf("%-22s %12.2f Gcells/s\n", "throughput", cell_steps / seconds * 1e-9);
  std::printf("%-22s %12.1f GB/s read and written\n", "", cell_steps * 3 * sizeof(float) / seconds * 1e-9);
  row("moved to devices", bytes_text(now.host_to_device_bytes - before.host_to_device_bytes));
  row("moved between devices", bytes_text(now.device_to_device_bytes - before.device_to_device_bytes));
  row("moved to the host", bytes_text(now.device_to_host_bytes - before.device_to_host_bytes));
}

int run(const demo::demo_options& options) {
  ts::context ctx;
  const ts::kernel hotspot =
      ctx.load_kernel(HOTSPOT_KERNEL, {.fused = false});  // the bits of a plain loop, on GPUs too
  std::printf("HotSpot: %lld x %lld cells, %lld steps, devices: %zu\n", static_cast<long long>(options.size),
              static_cast<long long>(options.size), static_cast<long long>(options.steps), ctx.devices().size());
  if (!small_run_agrees(ctx, hotspot)) throw ts::error("WRONG: a small run differs from a plain loop");

  const demo::thermal_model model(options.size);
  const std::vector<float> watts = demo::floor_plan(model);
  const ts::extents shape{options.size, options.size};
  const ts::statistics before = ctx.stats();
  const auto power = ctx.from<float>(shape, watts);
  watcher watch(options.size, options.steps, options.progress);
  const auto result = simulate(hotspot, model, ctx.zeros<float>(shape), ctx.empty<float>(shape), power, options.steps,
                               [&](std::int64_t step, const auto& state) { watch.after_step(step, state); });
  watch.finish();
  ctx.wait();
  const double seconds = watch.seconds();
  const std::vector<float> degrees = result.read();
  if (!demo::mean_is_right(model, watts, degrees, options.steps))
    throw ts::error("WRONG: the chip's mean temperature is not what its power makes it");

  demo::write_picture(options.output, degrees, options.size);
  const auto [coolest, hottest] = std::minmax_element(degrees.begin(), degrees.end());
  std::printf("after %.3f ms the chip is %.3f to %.3f degrees above its surroundings; see %s\n",
              static_cast<double>(options.steps) * model.time_step * 1e3, static_cast<double>(*coolest),
              static_cast<double>(*hottest), options.output.c_str());
  print_table(ctx, before, static_cast<double>(options.steps) * static_cast<double>(degrees.size()), seconds);
  std::puts("\nTo see it on four pretended devices:  TESSERA_DEVICES='cpu*4' make demo");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const demo::demo_options options = demo::parse_options(argc, argv);
  try {
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tessera_demo: %s\n", e.what());
    return 1;
  }
}
