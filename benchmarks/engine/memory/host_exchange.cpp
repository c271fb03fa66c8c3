// Reads and writes of whole arrays by the host, against memcpy between two vectors on one thread.
#include <tessera/tessera.h>
#include <cstring>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "tessera/base/error.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t elements = 16 << 20;  // 64 MiB
constexpr double gigabytes = static_cast<double>(elements) * sizeof(float) / 1e9;

/// Gigabytes per second, more is better: the medians are turned round.
void add_rates(session& s, const std::string& name, const comparison& c) {
  s.add({name, gigabytes / c.ours, gigabytes / c.rival, "memcpy", "GB/s", c.ratio, c.low, c.high, std::nullopt});
}

void exchange(session& s, const std::string& devices) {
  options settings;
  settings.devices = devices;
  context ctx{settings};
  const std::vector<float> source(static_cast<std::size_t>(elements), 1.5f);
  std::vector<float> target(source.size());
  const array<float> a = ctx.from<float>({elements}, source);
  const auto copy = [&] {
    return seconds_of([&] {
      std::memcpy(target.data(), source.data(), source.size() * sizeof(float));
      asm volatile("" : : "r"(target.data()) : "memory");
    });
  };
  const auto write = [&] { return seconds_of([&] { a.write(source); }); };
  const auto read = [&] { return seconds_of([&] { a.read_async(target).wait(); }); };
  read();
  if (target != source) throw error("what was read is not what was written");
  add_rates(s, "host.write." + devices, compare(write, copy, s.scaled({.seconds = 0.5})));
  add_rates(s, "host.read." + devices, compare(read, copy, s.scaled({.seconds = 0.5})));
}

}  // namespace

std::vector<benchmark> host_benchmarks() {
  return {{"host.cpu", [](session& s) { exchange(s, "cpu"); }},
          {"host.cpu*2", [](session& s) { exchange(s, "cpu*2"); }}};
}

}  // namespace tessera::bench
