#pragma once

#include <doctest/doctest.h>
#include <tessera/tessera.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/runtime/through_host.h"
#include "tests/support/messages.h"

namespace tessera::support {

using tessera::everywhere;

/// True where the environment asks for the tests to run on a GPU (TEST_DEVICES=cuda): every "cpu*3" is then three
/// logical devices of the first GPU.
inline bool on_gpu() {
  const char* kind = std::getenv("TEST_DEVICES");
  return kind != nullptr && std::string_view(kind) == "cuda";
}

/// How many times larger containers and memory are in tests of little memory on a GPU, which takes pages of 2 MiB.
inline std::int64_t page_factor() { return on_gpu() ? 128 : 1; }

/// A context of `devices` ("cpu*3"), with `check` on, that does not log failures that are not waited for. Where the
/// environment asks for hostile settings (TEST_MEMORY=64KiB), each device has this much memory, a quarter of it is left
/// for evicted contents, so that most data is on disk, and device work is delayed at random.
inline options quiet(const std::string& devices, const std::string& check = {}) {
  options settings;
  settings.devices =
      on_gpu() && (devices == "cpu" || devices.starts_with("cpu*")) ? "cuda:0" + devices.substr(3) : devices;
  settings.check = parse_checks(check);
  settings.log = log_level::off;
  if (const char* memory = std::getenv("TEST_MEMORY")) {
    settings.device_memory = memory;
    settings.host_memory = settings.device_memory.of(0) / 4;
    settings.disturb = 5;
  }
  return settings;
}

inline std::vector<int> counted(int n) {
  std::vector<int> result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

/// y[i] = x[i] + 1, as a function.
inline kernel make_increment(context& ctx) {
  return ctx.native("increment", "int* y, const int* x", "global i => read x[i], write y[i]",
                    everywhere([](native_call& call) {
                      const std::int64_t end = std::min(call.points().hi[0], call.array(0).shape[0]);
                      for (std::int64_t i = call.points().lo[0]; i < end; ++i)
                        call.data<int>(0)[i] = call.data<int>(1)[i] + 1;
                    }));
}

/// y[i] = x[i - 1] + x[i] + x[i + 1] for n threads, 0 beyond the edges, as a function.
inline kernel make_stencil(context& ctx) {
  return ctx.native("stencil", "int n, int* y, const int* x", "global i => read x[i-1:i+1], write y[i]",
                    everywhere([](native_call& call) {
                      const int* x = call.data<int>(2);
                      const std::int64_t n = call.scalar<int>(0);
                      for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                        call.data<int>(1)[i] = (i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0);
                    }));
}

}  // namespace tessera::support
