// Works on more data than fits for a minute, or until a signal ends it.
#include <tessera/tessera.h>

#include <chrono>
#include <cstdio>

namespace ts = tessera;

int main() {
  ts::options settings;
  settings.devices = "cpu*2";
  settings.device_memory = "1MiB";
  settings.host_memory = "512KiB";
  ts::context ctx{settings};
  const ts::kernel add = ctx.native("add", "int* y", "global i => readwrite y[i]",
                                    {{"cpu", [](ts::native_call& call) {
                                        for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                                          ++call.data<int>(0)[i];
                                      }}});
  auto y = ctx.zeros<int>({2'000'000});
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    for (int k = 0; k < 5; ++k) add.launch({.threads = {2'000'000}}, y);
    ctx.wait();
    std::printf("%lld bytes on disk so far\n", static_cast<long long>(ctx.stats().disk_written_bytes));
    std::fflush(stdout);
  }
}
