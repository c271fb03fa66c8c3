// Results and arrays whose memory is new, against memory that was there before.
#include <tessera/tessera.h>

#include <cstdint>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

options on_one_device() {
  options chosen;
  chosen.devices = "cpu";
  return chosen;
}

/// A result that `read()` makes, against a read into memory that the program has touched before.
void measure_read(session& s, const char* name, std::int64_t bytes) {
  const auto elements = bytes / static_cast<std::int64_t>(sizeof(float));
  context ctx(on_one_device());
  std::vector<float> target(static_cast<std::size_t>(elements), 1);
  const array<float> a = ctx.from<float>({elements}, target);
  bool same = true;
  const auto ours = [&] {
    std::vector<float> result;
    const double seconds = seconds_of([&] { result = a.read(); });
    same = same && result.size() == target.size() && result.back() == target.back();
    return seconds;
  };
  const auto rival = [&] { return seconds_of([&] { a.read_async(target).wait(); }); };
  const comparison times = compare(ours, rival, s.scaled({}));
  if (!same) throw error("what was read is not what was written");
  s.add_times(cat("patterns.read.", name), times, "read_async, touched memory", 1e3, "ms", 0.60);
}

}  // namespace

std::vector<benchmark> allocation_benchmarks() {
  return {{"patterns.read.64MiB", [](session& s) { measure_read(s, "64MiB", std::int64_t{64} << 20); }},
          {"patterns.read.1GiB", [](session& s) { measure_read(s, "1GiB", std::int64_t{1} << 30); }}};
}

}  // namespace tessera::bench
