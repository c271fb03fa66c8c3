#include "tessera/device/device_link.h"

#include <doctest/doctest.h>

#include "tessera/device/backend.h"

using namespace tessera;
using device::choose_link;

TEST_CASE(
    "logical devices of one GPU are the same, GPUs that reach each other peers, and all others meet in the host") {
  CHECK(choose_link({.one_gpu = true}) == device_link::same);
  CHECK(choose_link({.one_gpu = true, .can_access = true}) == device_link::same);
  CHECK(choose_link({.can_access = true}) == device_link::peer);
  CHECK(choose_link({}) == device_link::host);
}

TEST_CASE("without peers everything between two devices goes through the host, and nothing within one") {
  CHECK(choose_link({.one_gpu = true, .peers_allowed = false}) == device_link::host);
  CHECK(choose_link({.can_access = true, .peers_allowed = false}) == device_link::host);
  CHECK(choose_link({.peers_allowed = false}) == device_link::host);
  CHECK(choose_link({.one_logical = true, .one_gpu = true, .peers_allowed = false}) == device_link::same);
}

TEST_CASE("CPU devices share the host's memory") {
  const auto cpus = device::make_cpu({.devices = 3});
  const auto nothing = device::make_null({.devices = 2});
  CHECK(cpus->link(0, 2) == device_link::same);
  CHECK(nothing->link(1, 0) == device_link::same);
}
