#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tessera::bench {

/// One line of the table and one object of the JSON file. `ours` and `rival` are medians in `unit`.
struct row {
  std::string name;
  double ours = 0;
  double rival = 0;  ///< 0: nothing to compare with; the row is only reported.
  std::string rival_name;
  std::string unit;
  double ratio = 0;  ///< Our speed over the rival's.
  double low = 0;    ///< Quartiles of the ratio.
  double high = 0;
  std::optional<double> target;
  std::string series{};  ///< Of a row that is one point of a curve over the problem's size; empty otherwise.
  double size = 0;       ///< Its place on that curve.

  [[nodiscard]] bool compared() const { return rival > 0; }
  [[nodiscard]] bool met() const { return target && ratio >= *target; }
};

/// Prints the names of the table's columns.
void print_table_head();
/// Prints a row as a line of the table.
void print_row(const row& r);

/// A JSON list of objects {name, ours, rival, rival_name, unit, ratio, spread: [low, high], target}; what a row does
/// not have is null. tools/compare_bench reads it.
[[nodiscard]] std::string to_json(const std::vector<row>& rows);

/// The rows that belong to a series, as comma-separated values for a plot of time against problem size:
/// series, size, ours, rival, unit, ratio, low, high, rival_name; the first line has these names.
[[nodiscard]] std::string to_csv(const std::vector<row>& rows);

}  // namespace tessera::bench
