#pragma once

#include <tessera/tessera.h>

#include <cstdint>
#include <span>
#include <vector>

#include "benchmarks/frame/harness.h"

namespace tessera::bench {

/// Launches over arrays so small that calls are all that takes time.
class tiny_launches {
 public:
  static constexpr int launches = 1'000;

  explicit tiny_launches(const options& chosen) : context_(chosen) {}

  /// A stream of launches and the wait for the last.
  double run() {
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k) launch();
      context_.wait();
    });
  }

  /// Launches that are waited for one by one.
  double run_waiting() {
    return repeated([&] {
      launch();
      context_.wait();
    });
  }
  /// Launches each of which is read.
  double run_reading() {
    float first = 0;
    return repeated([&] {
      launch();
      y_.slice({{0, 1}}).read_async(std::span(&first, 1)).wait();
    });
  }
  /// Writes of one element.
  double run_writing() {
    const float value = 1;
    return repeated([&] { x_.slice({{7, 8}}).write(std::span(&value, 1)); });
  }

  /// What launches made.
  [[nodiscard]] std::vector<float> read() const { return y_.read(); }

  template <class Call>
  static double repeated(Call call) {
    return seconds_of([&] {
      for (int k = 0; k < launches; ++k) call();
    });
  }

  static constexpr std::int64_t elements = 1'000;

 private:
  void launch() { kernel_.launch({.threads = {elements}, .block = {256}}, static_cast<int>(elements), y_, x_); }

  context context_;
  kernel kernel_ = context_.compile(
      "//@tessera global i => read x[i], write y[i]\n"
      "__global__ void add_one(int n, float* y, const float* x) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = x[i] + 1;\n}\n",
      "add_one");
  array<float> x_ = context_.full<float>({elements}, 1), y_ = context_.empty<float>({elements});
};

}  // namespace tessera::bench
