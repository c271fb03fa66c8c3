// Every rank of a launcher knows the devices of all: rank r has r + 1 of them.
#include <tessera/tessera.h>

#include <iostream>
#include <string>

#include "tests/comm/on_this_rank.h"

namespace ts = tessera;

namespace {

int failures = 0;

void require(bool holds, const std::string& sentence) {
  if (holds) return;
  std::cerr << "not true: " << sentence << '\n';
  ++failures;
}

int check(int rank) {
  ts::options settings;
  settings.devices = "cpu*" + std::to_string(rank + 1);
  settings.device_memory = (rank + 1) << 24;
  const ts::context ctx(settings);
  const ts::machine_description machine = ctx.machine();
  require(machine.ranks == ctx.ranks(), "the machine has all ranks");
  std::size_t next = 0;
  for (int r = 0; r < machine.ranks; ++r)
    for (int d = 0; d <= r; ++d, ++next) {
      require(next < machine.devices.size(), "rank r has r + 1 devices");
      if (next >= machine.devices.size()) return 1;
      const ts::machine_description::device& device = machine.devices[next];
      require(device.rank == r, "devices come in the order of ranks");
      require(device.kind == "cpu" && device.name == "cpu:" + std::to_string(d), "they have kinds and names");
      require(device.memory == (r + 1) << 24, "their memory is what their own rank allows");
      require(device.cores >= 1 && device.speeds.from_host > 0, "they have cores and links");
    }
  require(next == machine.devices.size(), "there are no others");
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main() { return ts::support::on_this_rank(check); }
