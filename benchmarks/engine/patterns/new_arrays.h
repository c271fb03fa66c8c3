#pragma once

#include <tessera/tessera.h>

#include <cstdint>

#include "benchmarks/frame/harness.h"
#include "tessera/base/text.h"

/// Our sides of rows about arrays that are made again and again.
namespace tessera::bench {

/// Steps that each write an array and add it to another: the array is made anew for each, or kept.
class steps_with_temporary {
 public:
  /// A run is `steps` steps.
  steps_with_temporary(const options& chosen, std::int64_t elements, std::int64_t steps)
      : context_(chosen),
        elements_(elements),
        steps_(steps),
        kept_(context_.empty<float>({elements})),
        sum_(context_.zeros<float>({elements})) {}

  /// Seconds, with the wait for the last step.
  double run(bool anew) {
    return seconds_of([&] {
      for (std::int64_t k = 0; k < steps_; ++k) step(anew ? context_.empty<float>({elements_}) : kept_);
      context_.wait();
    });
  }

  /// What all steps added up.
  [[nodiscard]] const array<float>& sum() const { return sum_; }

 private:
  void step(const array<float>& temporary) {
    const launch_options each{.threads = {elements_}, .block = {256}};
    set_.launch(each, elements_, temporary, sum_);
    add_.launch(each, elements_, sum_, temporary);
  }
  kernel compile(const char* annotation, const char* name, const char* statement) {
    return context_.compile(cat("//@tessera global i => ", annotation, "\n__global__ void ", name,
                                "(long long n, float* y, const float* x) {\n"
                                "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n  if (i < n) ",
                                statement, ";\n}\n"),
                            name);
  }

  context context_;
  std::int64_t elements_, steps_;
  kernel set_ = compile("read x[i], write y[i]", "set", "y[i] = x[i] + 1");
  kernel add_ = compile("read x[i], readwrite y[i]", "add", "y[i] += x[i]");
  array<float> kept_, sum_;
};

/// Arrays that are made and first written by a kernel.
class new_arrays {
 public:
  new_arrays(const options& chosen, std::int64_t elements) : context_(chosen), elements_(elements) {}

  /// Seconds for one, with the wait.
  double run() {
    array<float> made;
    return seconds_of([&] {
      made = make();
      context_.wait();
    });
  }
  /// The last element of another one.
  [[nodiscard]] float last() { return make().slice({{elements_ - 1, elements_}}).read().front(); }

 private:
  array<float> make() {
    array<float> made = context_.empty<float>({elements_});
    set_.launch({.threads = {elements_}, .block = {256}}, elements_, made);
    return made;
  }

  context context_;
  std::int64_t elements_;
  kernel set_ = context_.compile(
      "//@tessera global i => write y[i]\n__global__ void set(long long n, float* y) {\n"
      "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n  if (i < n) y[i] = 1;\n}\n",
      "set");
};

}  // namespace tessera::bench
