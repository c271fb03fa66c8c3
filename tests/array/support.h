#pragma once

#include <doctest/doctest.h>
#include <tessera/tessera.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/through_host.h"

namespace tessera::support {

/// True where the environment asks for the tests to run on a GPU (TEST_DEVICES=cuda): every "cpu*3" is then three
/// logical devices of the first GPU.
inline bool on_gpu() {
  const char* kind = std::getenv("TEST_DEVICES");
  return kind != nullptr && std::string_view(kind) == "cuda";
}

/// A context of `devices` ("cpu*3"), with `check` on, that keeps what nobody waits for to itself. Where the environment
/// asks for hostile settings (TEST_MEMORY=64KiB), each device has this much memory, a quarter of it is left for what
/// leaves devices, so that most data is on disk, and device work is delayed at random.
inline options quiet(const std::string& devices, const std::string& check = {}) {
  options how;
  how.devices = on_gpu() && (devices == "cpu" || devices.starts_with("cpu*")) ? "cuda:0" + devices.substr(3) : devices;
  how.check = check;
  how.log = "off";
  if (const char* memory = std::getenv("TEST_MEMORY")) {
    how.device_memory = memory;
    how.host_memory = std::to_string(parse_bytes(memory, 0, "TEST_MEMORY") / 4);
    how.disturb = "5";
  }
  return how;
}

/// The message of the `Error` that `call` must throw, exactly of this type.
template <class Error, class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& e) {
    CHECK(typeid(e) == typeid(Error));
    return e.what();
  } catch (const std::exception& e) {
    FAIL("another error: ", e.what());
  }
  FAIL("no error");
  return {};
}

/// True if `text` contains all `parts`; the first missing one is reported.
template <class... Parts>
bool says(const std::string& text, const Parts&... parts) {
  for (const std::string& part : {std::string(parts)...}) {
    if (text.find(part) != std::string::npos) continue;
    MESSAGE("'", part, "' is not in: ", text);
    return false;
  }
  return true;
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

}  // namespace tessera::support
