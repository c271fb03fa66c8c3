#include "demo_chip.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace demo {

thermal_model::thermal_model(std::int64_t cells) : size(cells) {
  constexpr double chip_side = 0.016, thickness = 0.0005;                // m
  constexpr double specific_heat = 1.75e6, conductivity = 100.0;         // J/(m^3 K), W/(m K)
  constexpr double fitting = 0.5, max_power = 3.0e6, precision = 0.001;  // -, W/m^2, K per step
  const double side = chip_side / static_cast<double>(cells);
  cell_area = side * side;
  capacity = fitting * specific_heat * thickness * cell_area;
  to_neighbour = 2.0 * conductivity * thickness;  // of a square cell: its side cancels out
  upward = conductivity * cell_area / thickness;
  // An explicit step is stable while a cell passes on less than it has; fine grids need shorter steps for it.
  time_step = std::min(precision * fitting * thickness * specific_heat / max_power, 0.2 * capacity / to_neighbour);
}

namespace {

/// A rectangle of the floor plan: place in parts of the chip's side, power in W/m^2.
struct unit {
  double x, y, width, height, density;
};

/// A core in the frame x, y, 0.22 x 0.36, mirrored so that the cores' hot sides lie in pairs. `busy`: 0 to 1.
void add_core(std::vector<unit>& units, double x, double y, bool flip_x, bool flip_y, double busy) {
  constexpr double width = 0.22, height = 0.36;
  const auto add = [&](double ux, double uy, double w, double h, double density) {
    units.push_back({flip_x ? x + width - ux - w : x + ux, flip_y ? y + height - uy - h : y + uy, w, h, density});
  };
  add(0, 0, width, height, 5e5);
  add(0.012, 0.015, 0.095, 0.12, 2.1e6 * busy);  // vector unit
  for (int lane = 0; lane < 4; ++lane) add(0.018 + 0.022 * lane, 0.025, 0.014, 0.10, 2.6e6 * busy);
  add(0.122, 0.02, 0.08, 0.045, 3.0e6 * busy);  // register file
  add(0.122, 0.08, 0.08, 0.055, 1.6e6 * busy);  // integer units
  add(0.012, 0.15, 0.08, 0.04, 2.4e6 * busy);   // scheduler
  add(0.105, 0.15, 0.10, 0.06, 1.1e6 * busy);   // load and store
  for (int bank = 0; bank < 4; ++bank) add(0.012 + 0.05 * bank, 0.225, 0.042, 0.115, 8e5 + 3e5 * busy);  // cache
}

std::vector<unit> units_of_chip() {
  std::vector<unit> units{{0, 0, 1, 1, 2.5e5}};
  for (int slice = 0; slice < 16; ++slice) units.push_back({0.03 + 0.059 * slice, 0.435, 0.05, 0.055, 7e5});
  for (int slice = 0; slice < 16; ++slice) units.push_back({0.03 + 0.059 * slice, 0.51, 0.05, 0.055, 7e5});
  units.push_back({0.02, 0.496, 0.96, 0.008, 2.2e6});  // ring between the caches
  units.push_back({0.02, 0.975, 0.96, 0.014, 1.4e6});  // memory controller
  for (int core = 0; core < 8; ++core) {
    const double busy = 0.35 + 0.65 * ((core * 5 + 2) % 8) / 7.0;
    add_core(units, 0.03 + 0.24 * (core % 4), core < 4 ? 0.04 : 0.59, core % 2 == 1, core >= 4, busy);
  }
  return units;
}

}  // namespace

std::vector<float> floor_plan(const thermal_model& model) {
  std::vector<float> power(static_cast<std::size_t>(model.size * model.size));
  const auto n = static_cast<double>(model.size);
  for (const unit& u : units_of_chip()) {  // later units cover earlier ones
    const auto x0 = static_cast<std::int64_t>(u.x * n), x1 = static_cast<std::int64_t>((u.x + u.width) * n);
    const auto y0 = static_cast<std::int64_t>(u.y * n), y1 = static_cast<std::int64_t>((u.y + u.height) * n);
    for (std::int64_t y = y0; y < y1; ++y)
      for (std::int64_t x = x0; x < x1; ++x)
        power[static_cast<std::size_t>(y * model.size + x)] = static_cast<float>(u.density * model.cell_area);
  }
  return power;
}

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

}  // namespace demo
