#pragma once

#include <tessera/tessera.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "benchmarks/gpu/patterns/by_hand.h"

/// Rows that compare one kernel, loaded from its file and launched through Tessera, with a launch by hand.
namespace tessera::bench {

/// An array that both sides have.
struct gpu_array {
  extents shape;
  dtype type;
  enum class start { zero, numbers, drawn, given };
  start filled = start::zero;
  int below = 0;                   ///< Of integers that are drawn.
  std::vector<std::byte> bytes{};  ///< That are given.
  bool result = false;             ///< Compared after a launch.
};

/// Floats from [0, 1).
[[nodiscard]] gpu_array numbers(const extents& shape);
/// Integers from [0, below).
[[nodiscard]] gpu_array drawn(std::int64_t n, int below);
[[nodiscard]] gpu_array given(const std::vector<int>& values);
/// Begins with zeros.
template <class T>
[[nodiscard]] gpu_array result_of(const extents& shape) {
  return {.shape = shape, .type = dtype_of<T>(), .result = true};
}
/// An array that is read, too.
[[nodiscard]] gpu_array changed(gpu_array a);

/// What a row compares.
struct gpu_case {
  std::string file;      ///< Of benchmarks/kernels.
  std::string function;  ///< The name of the kernel in it.
  std::vector<gpu_array> arrays;
  std::function<void(const kernel&, const std::vector<array_base>&)> ours;  ///< One launch.
  std::function<void(const std::vector<by_hand::memory>&)> rival;           ///< One launch, by hand.
  std::optional<double> target{};
  std::string rival_name = "CUDA, the same kernel";
  float tolerance = 1e-4F;  ///< Of floats, relative to the rival's, at least to 1.
};

/// The options of a context on the GPU that rows are measured on.
[[nodiscard]] options on_first_gpu();

/// Compares the results of a launch, then times as many launches as take some milliseconds, with one wait.
void measure(session& s, const std::string& name, const gpu_case& c);

/// The row `name`; its case is made when it is measured.
[[nodiscard]] benchmark row_of(const std::string& name, std::function<gpu_case()> make);

}  // namespace tessera::bench
