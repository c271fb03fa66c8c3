#pragma once

#include <tessera/algo.h>

#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "tests/array/support.h"

namespace ts = tessera;

namespace tessera::support {

/// Adds `step` to each of n integers on the devices, of whatever axes.
inline kernel make_adder(context& ctx) {
  return ctx.compile(R"(
//@tessera global i => readwrite v as [:][i]
__global__ void add(long long n, int* v, int step) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) v[i] += step;
})",
                     "add");
}

/// Has the devices add `step` to all elements.
template <class Container>
void add_on_devices(const Container& v, int step) {
  if (v.size() == 0) return;
  context ctx = v.ctx();
  make_adder(ctx).launch({.threads = {v.size()}}, v.size(), v, step);
}

/// Without the hostile settings of the environment, which move bytes of their own accord.
inline options calm(const std::string& devices, const std::string& check = {}) {
  options settings = quiet(devices, check);
  settings.device_memory = settings.host_memory = {};
  settings.disturb = {};
  return settings;
}

/// A context that shares also tiny containers among all devices.
inline options cut_everywhere(const std::string& devices) {
  options settings = quiet(devices);
  settings.small = 0;
  return settings;
}

/// What a context moves between its construction and `moved()`.
class movement {
 public:
  explicit movement(context& ctx) : ctx_(ctx) {
    ctx_.wait();
    before_ = ctx_.stats();
  }
  [[nodiscard]] statistics moved() {
    ctx_.wait();
    return ctx_.stats() - before_;
  }

 private:
  context& ctx_;
  statistics before_;
};

/// Lets a kernel run only when it is told to.
class gate {
 public:
  kernel make_kernel(context& ctx) const {
    return ctx.native("gated", "int* y", "global i => write y[i]", everywhere([opened = opened_](native_call& call) {
                        opened.wait();
                        for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                          call.data<int>(0)[i] = 1;
                      }));
  }
  void open() { promise_.set_value(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> opened_ = promise_.get_future().share();
};

}  // namespace tessera::support
