// A kernel that never ends: the wait for it must end with a report, and the process too.
#include <tessera/tessera.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace ts = tessera;

int main() {
  ts::options how;
  how.devices = "cpu*2";
  how.timeout = "0.5";
  ts::context ctx{how};
  const ts::kernel endless =
      ctx.native("endless", "int* y", "single => write y", {{"cpu", [](ts::native_call&) {
                                                               while (true)
                                                                 std::this_thread::sleep_for(std::chrono::hours(1));
                                                             }}});
  auto y = ctx.zeros<int>({10}, ts::on_device(0));
  auto z = ctx.from<int>({10}, std::vector<int>(10, 7), ts::on_device(1));
  endless.launch({.threads = {1}}, y);
  if (z.read() != std::vector<int>(10, 7)) return 3;  // what does not depend on it is not held up
  try {
    (void)y.read();
    return 2;
  } catch (const ts::device_error& e) {
    std::printf("caught: %s\n", e.what());
    std::fflush(stdout);
  }
  return 0;  // not reached: the context cannot be ended
}
