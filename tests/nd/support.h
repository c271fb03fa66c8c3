#pragma once

#include <tessera/nd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "tests/array/support.h"

namespace ts = tessera;
namespace nd = tessera::nd;

namespace tessera::support {

/// Where tests of arrays run: with host values, and with everything cut over devices in tiny blocks.
struct nd_setting {
  const char* devices;
  std::int64_t small;
};
inline const nd_setting nd_settings[] = {{"cpu", 256 << 10}, {"cpu", 0}, {"cpu*3", 0}, {"cpu*5", 256 << 10}};

/// Bytes that a device must hold where pieces of 4096 elements, or boxes around 256 elements of a diagonal, are worked
/// on as a whole: some of them at once.
inline constexpr std::int64_t room_for_pieces = 512 << 10;

/// `quiet`, with at least so many bytes for each device where the environment asks for little memory.
inline options quiet_with(const std::string& devices, std::int64_t least) {
  options chosen = quiet(devices);
  if (std::getenv("TEST_MEMORY") != nullptr && chosen.device_memory.of(0) < least) chosen.device_memory = least;
  return chosen;
}

inline context make_context(const nd_setting& setting, std::int64_t least_memory = 0) {
  options chosen = quiet_with(setting.devices, least_memory);
  chosen.small = setting.small;
  // Of the environment, where tests say that nothing is small, which counts more than options.
  unsetenv("TESSERA_SMALL");
  context made(chosen);
  setenv("TESSERA_SMALL", "0", 1);
  return made;
}

/// Calls `body` with arrays in the default context of each setting, whose devices have at least so much memory.
template <class Body>
void for_each_setting(Body body, std::int64_t least_memory = 0) {
  for (const nd_setting& setting : nd_settings) {
    CAPTURE(setting.devices);
    CAPTURE(setting.small);
    const context ctx = make_context(setting, least_memory);
    set_default_context(ctx);
    body();
  }
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace tessera::support
