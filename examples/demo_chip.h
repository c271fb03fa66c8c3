#pragma once

#include <cstdint>
#include <vector>

/// The chip that the demo simulates: its physics, its floor plan, and what is known of the result without Tessera.
namespace demo {

/// What one step in time does, for square cells. Temperatures are in degrees above the surroundings.
struct thermal_model {
  std::int64_t size;
  double cell_area;     ///< m^2.
  double capacity;      ///< Of a cell, J/K.
  double to_neighbour;  ///< Heat that passes between two cells, W/K.
  double upward;        ///< Heat that a cell passes to the surroundings, W/K.
  double time_step;     ///< s.

  explicit thermal_model(std::int64_t cells);
  [[nodiscard]] float step_over_capacity() const { return static_cast<float>(time_step / capacity); }
};

/// Power of each cell in watts: eight cores with their units, caches between them, a memory controller at the edge.
[[nodiscard]] std::vector<float> floor_plan(const thermal_model& model);

/// The simulation as a plain loop, from cold.
[[nodiscard]] std::vector<float> simulate_plainly(const thermal_model& model, const std::vector<float>& power,
                                                  int steps);

/// Heat is neither lost nor made on the way: the chip's mean temperature follows a formula, whatever the floor plan.
[[nodiscard]] bool mean_is_right(const thermal_model& model, const std::vector<float>& power,
                                 const std::vector<float>& result, std::int64_t steps);

}  // namespace demo
