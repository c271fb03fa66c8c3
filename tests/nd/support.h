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

inline context make_context(const nd_setting& setting) {
  options chosen = quiet(setting.devices);
  chosen.small = setting.small;
  // Of the environment, where tests say that nothing is small, which counts more than options.
  unsetenv("TESSERA_SMALL");
  context made(chosen);
  setenv("TESSERA_SMALL", "0", 1);
  return made;
}

/// Calls `body` with arrays in the default context of each setting.
template <class Body>
void for_each_setting(Body body) {
  for (const nd_setting& setting : nd_settings) {
    CAPTURE(setting.devices);
    CAPTURE(setting.small);
    const context ctx = make_context(setting);
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
