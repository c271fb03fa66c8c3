// The demo: a chip heats up. The thermal model is HotSpot's, known from the Rodinia benchmarks; the kernel is plain CUDA.
#include <tessera/tessera.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <deque>
#include <utility>

#include "demo_parts.h"

namespace ts = tessera;

namespace {

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

/// What one step in time does, for square cells. Temperatures are in degrees above the surroundings.
struct thermal_model {
  std::int64_t size;
  double cell_area, capacity, to_neighbour, upward, time_step;

  explicit thermal_model(std::int64_t cells) : size(cells) {
    constexpr double chip_side = 0.016, thickness = 0.0005;          // m
    constexpr double specific_heat = 1.75e6, conductivity = 100.0;   // J/(m^3 K), W/(m K)
    constexpr double fitting = 0.5, max_power = 3.0e6, precision = 0.001;  // -, W/m^2, K per step
    const double side = chip_side / static_cast<double>(cells);
    cell_area = side * side;
    capacity = fitting * specific_heat * thickness * cell_area;
    to_neighbour = 2.0 * conductivity * thickness;  // of a square cell: its side cancels out
    upward = conductivity * cell_area / thickness;
    // An explicit step is stable while a cell passes on less than it has; fine grids need shorter steps for it.
    time_step = std::min(precision * fitting * thickness * specific_heat / max_power, 0.2 * capacity / to_neighbour);
  }
  [[nodiscard]] float step_over_capacity() const { return static_cast<float>(time_step / capacity); }
};

/// Power of each cell in watts: a floor plan of eight cores with their units, caches between them, and a memory
/// controller at the edge. Densities in W/m^2, places in parts of the chip's side.
std::vector<float> floor_plan(const thermal_model& model) {
  struct unit {
    double x, y, width, height, density;
  };
  std::vector<unit> units{{0, 0, 1, 1, 1.5e5}, {0.03, 0.44, 0.94, 0.12, 4e5}, {0.02, 0.965, 0.96, 0.02, 9e5}};
  for (int core = 0; core < 8; ++core) {
    const double x = 0.03 + 0.24 * (core % 4), y = core < 4 ? 0.04 : 0.59, busy = 0.4 + 0.6 * ((core * 5) % 8) / 7.0;
    units.push_back({x, y, 0.22, 0.36, 3e5});
    units.push_back({x + 0.015, y + 0.02, 0.09, 0.13, 2.0e6 * busy});   // floating-point unit
    units.push_back({x + 0.125, y + 0.03, 0.07, 0.05, 3.0e6 * busy});   // register file
    units.push_back({x + 0.125, y + 0.11, 0.08, 0.10, 1.3e6 * busy});   // integer unit
    units.push_back({x + 0.02, y + 0.18, 0.08, 0.04, 2.4e6 * busy});    // scheduler
    units.push_back({x + 0.015, y + 0.25, 0.19, 0.09, 6e5});            // cache
  }
  std::vector<float> power(static_cast<std::size_t>(model.size * model.size));
  const auto n = static_cast<double>(model.size);
  for (const unit& u : units) {  // later units cover earlier ones
    const auto x0 = static_cast<std::int64_t>(u.x * n), x1 = static_cast<std::int64_t>((u.x + u.width) * n);
    const auto y0 = static_cast<std::int64_t>(u.y * n), y1 = static_cast<std::int64_t>((u.y + u.height) * n);
    for (std::int64_t y = y0; y < y1; ++y)
      for (std::int64_t x = x0; x < x1; ++x)
        power[static_cast<std::size_t>(y * model.size + x)] = static_cast<float>(u.density * model.cell_area);
  }
  return power;
}

/// Steps `old` forward in time and returns it, without waiting.
template <class AfterStep>
ts::array<float> simulate(const ts::kernel& hotspot, const thermal_model& model, ts::array<float> old,
                          ts::array<float> fresh, const ts::array<float>& power, std::int64_t steps,
                          AfterStep after_step) {
  const std::int64_t n = model.size;
  for (std::int64_t step = 0; step < steps; ++step) {
    hotspot.launch({.threads = {n, n}, .block = {32, 8}}, n, n, fresh, old, power, model.step_over_capacity(),
                   model.to_neighbour, model.to_neighbour, model.upward, 0.0f);
    std::swap(old, fresh);
    after_step(step + 1, old);
  }
  return old;
}

/// The same as a plain loop.
std::vector<float> simulate_plainly(const thermal_model& model, const std::vector<float>& power, int steps) {
  const std::int64_t n = model.size;
  const auto lateral = static_cast<float>(model.to_neighbour), upward = static_cast<float>(model.upward);
  std::vector<float> old(power.size()), fresh(power.size());
  for (int step = 0; step < steps; ++step) {
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) {
        const auto at = static_cast<std::size_t>(y * n + x), row = static_cast<std::size_t>(n);
        const float here = old[at];
        const float north = y > 0 ? old[at - row] : here, south = y + 1 < n ? old[at + row] : here;
        const float west = x > 0 ? old[at - 1] : here, east = x + 1 < n ? old[at + 1] : here;
        const float heat = power[at] + (north + south - 2.0f * here) * lateral + (west + east - 2.0f * here) * lateral +
                           (0.0f - here) * upward;
        fresh[at] = here + model.step_over_capacity() * heat;
      }
    std::swap(old, fresh);
  }
  return old;
}

/// A small chip, on the same devices: every bit must be as the plain loop has it.
bool small_run_agrees(ts::context& ctx, const ts::kernel& hotspot) {
  const thermal_model model(200);
  constexpr int steps = 25;
  const std::vector<float> power = floor_plan(model);
  const auto how = ts::rows(16).halo(1);
  const auto result = simulate(hotspot, model, ctx.zeros<float>({200, 200}, how), ctx.empty<float>({200, 200}, how),
                               ctx.from<float>({200, 200}, power, how), steps, [](auto&&...) {})
                          .read();
  const std::vector<float> expected = simulate_plainly(model, power, steps);
  return std::memcmp(result.data(), expected.data(), expected.size() * sizeof(float)) == 0;
}

/// Heat is neither lost nor made on the way: the chip's mean temperature follows a formula, whatever the floor plan.
bool mean_is_right(const thermal_model& model, const std::vector<float>& power, const std::vector<float>& result,
                   std::int64_t steps) {
  double mean_power = 0, mean = 0;
  for (const float p : power) mean_power += p / static_cast<double>(power.size());
  for (const float t : result) {
    if (!std::isfinite(t) || t < 0) return false;
    mean += t / static_cast<double>(result.size());
  }
  const double kept = 1 - model.time_step / model.capacity * model.upward;
  const double expected = mean_power / model.upward * (1 - std::pow(kept, static_cast<double>(steps)));
  return std::abs(mean - expected) < 0.002 * expected;
}

std::string bytes_text(double bytes) {
  constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < units.size()) bytes /= 1024, ++unit;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
  return text;
}

void print_table(const ts::context& ctx, const ts::statistics& before, double cell_steps, double seconds) {
  const ts::statistics now = ctx.stats();
  std::printf("\n%-12s %5s %12s %12s\n", "device", "cores", "memory", "used");
  const auto devices = ctx.devices();
  for (std::size_t d = 0; d < devices.size(); ++d)
    std::printf("%-12s %5d %12s %12s\n", devices[d].name.c_str(), devices[d].cores,
                bytes_text(static_cast<double>(devices[d].memory)).c_str(),
                bytes_text(static_cast<double>(now.peak_bytes.at(d))).c_str());
  std::printf("\nlaunches               %12lld\n", static_cast<long long>(now.launches - before.launches));
  std::printf("superblocks            %12lld\n", static_cast<long long>(now.superblocks - before.superblocks));
  std::printf("time                   %10.2f s\n", seconds);
  std::printf("throughput             %10.2f Gcells/s  (%.1f GB/s of arrays read and written)\n",
              cell_steps / seconds * 1e-9, cell_steps * 3 * sizeof(float) / seconds * 1e-9);
  const auto moved = [](const char* what, std::int64_t bytes) {
    std::printf("%-22s %12s\n", what, bytes_text(static_cast<double>(bytes)).c_str());
  };
  moved("host to devices", now.host_to_device_bytes - before.host_to_device_bytes);
  moved("between devices", now.device_to_device_bytes - before.device_to_device_bytes);
  moved("devices to host", now.device_to_host_bytes - before.device_to_host_bytes);
}

int run(const demo::demo_options& options) {
  ts::context ctx;
  const ts::kernel hotspot = ctx.load_kernel(HOTSPOT_KERNEL);
  const std::size_t devices = ctx.devices().size();
  std::printf("HotSpot: %lld x %lld cells, %lld steps, %zu device%s\n", static_cast<long long>(options.size),
              static_cast<long long>(options.size), static_cast<long long>(options.steps), devices,
              devices == 1 ? "" : "s");
  if (!small_run_agrees(ctx, hotspot)) {
    std::puts("WRONG: a small run differs from a plain loop");
    return 1;
  }

  const thermal_model model(options.size);
  const std::vector<float> watts = floor_plan(model);
  const ts::extents shape{options.size, options.size};
  const ts::statistics before = ctx.stats();
  const auto power = ctx.from<float>(shape, watts);

  // Every so often one column is read back, to see how far the devices are. Two such reads stay under way, so the
  // devices always have work queued behind the one that is waited for.
  const std::int64_t every = std::clamp<std::int64_t>(options.steps / 200, 1, 50);
  struct mark {
    std::int64_t step;
    std::vector<float> cells;
    ts::transfer reading;
  };
  std::deque<mark> marks;
  demo::progress_bar bar(options.steps, options.progress);
  const auto begin = clock_type::now();
  const auto cells = static_cast<double>(options.size) * static_cast<double>(options.size);
  const auto pass = [&] {
    marks.front().reading.wait();
    const std::int64_t done = marks.front().step;
    bar.show(done, static_cast<double>(done) * cells / seconds_since(begin));
    marks.pop_front();
  };
  const auto result = simulate(hotspot, model, ctx.zeros<float>(shape), ctx.empty<float>(shape), power, options.steps,
                               [&](std::int64_t step, const ts::array<float>& state) {
                                 if (step % every != 0 && step != options.steps) return;
                                 mark& m = marks.emplace_back();
                                 m.step = step;
                                 m.cells.resize(static_cast<std::size_t>(options.size));
                                 m.reading = state.slice({{0, options.size}, {0, 1}}).read_async(m.cells);
                                 if (marks.size() > 2) pass();
                               });
  while (!marks.empty()) pass();
  ctx.wait();
  const double seconds = seconds_since(begin);
  const std::vector<float> degrees = result.read();

  if (!mean_is_right(model, watts, degrees, options.steps)) {
    std::puts("WRONG: the chip's mean temperature is not what its power makes it");
    return 1;
  }
  demo::write_picture(options.output, degrees, options.size);
  const auto [coolest, hottest] = std::minmax_element(degrees.begin(), degrees.end());
  std::printf("after %.3f ms the chip is %.3f to %.3f degrees above its surroundings: %s\n",
              static_cast<double>(options.steps) * model.time_step * 1e3, static_cast<double>(*coolest),
              static_cast<double>(*hottest), options.output.c_str());
  print_table(ctx, before, cells * static_cast<double>(options.steps), seconds);
  if (devices == 1) std::puts("\nOn four pretended devices:  TESSERA_DEVICES='cpu*4' make demo");
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
