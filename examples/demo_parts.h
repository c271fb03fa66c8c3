#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

/// The parts of the demo that have nothing to do with Tessera: its options, the progress bar and the picture.
namespace demo {

struct demo_options {
  std::int64_t size = 2048;  ///< Cells along each side of the chip.
  std::int64_t steps = 4000;
  std::string output = "hotspot.png";
  bool progress = true;
};

/// Prints what is wrong and exits with status 2 if the command line makes no sense; exits with 0 after --help.
[[nodiscard]] demo_options parse_options(int argc, char** argv);

/// Draws a bar on a terminal, at most ten times a second; elsewhere prints a line at every tenth of the way.
class progress_bar {
 public:
  progress_bar(std::int64_t total, bool wanted);
  /// `cells_per_second`: what to show beside the bar.
  void show(std::int64_t done, double cells_per_second);

 private:
  using clock = std::chrono::steady_clock;
  void draw(std::int64_t done, double cells_per_second);

  std::int64_t total_;
  bool wanted_;
  bool terminal_;
  std::int64_t printed_tenths_ = 0;
  clock::time_point last_{};
};

/// Writes a square map of `values` as a PNG of at most 1024 pixels a side, from black (lowest) over red to pale yellow
/// (highest). Throws std::runtime_error if the file cannot be written.
void write_picture(const std::string& path, const std::vector<float>& values, std::int64_t size);

}  // namespace demo
