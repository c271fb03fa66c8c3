// What moves between the host window of a container and the devices.
#include "tests/algo/container/support.h"

using namespace tessera;
using support::calm;
using support::movement;

TEST_CASE("a thousand element reads after a launch are one fetch") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(10'000, 1, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += v[i * 10];
  CHECK(sum == 2000);
  CHECK(here.moved().device_to_host_bytes == 40'000);
}
