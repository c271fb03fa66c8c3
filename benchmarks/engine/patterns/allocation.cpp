// Results and arrays whose memory is new, against memory that was there before.
#include <sys/mman.h>
#include <tessera/tessera.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/patterns/new_arrays.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

options on(const std::string& kind) {
  options chosen;
  chosen.devices = kind;
  return chosen;
}

/// A result that `read()` makes, against a read into memory that the program has touched before.
void measure_read(session& s, const std::string& kind, const char* name, std::int64_t bytes, const pairing& settings) {
  const auto elements = bytes / static_cast<std::int64_t>(sizeof(float));
  context ctx(on(kind));
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
  const comparison times = compare(ours, rival, settings);
  if (!same) throw error("what was read is not what was written");
  s.add_times(cat("patterns.read.", name), times, "read_async, touched memory", 1e3, "ms", 0.60);
}

void measure_temporary(session& s, const char* name, std::int64_t elements) {
  constexpr std::int64_t elements_in_all = 40'000'000;
  steps_with_temporary both(on("cpu"), elements, std::max<std::int64_t>(4, elements_in_all / elements));
  s.add_times(cat("patterns.temporary.", name),
              compare([&] { return both.run(true); }, [&] { return both.run(false); }, s.scaled({})),
              "ours, an array that is kept", 1e3, "ms", 0.80);
}

/// An array that is made and first touched by a fill, against memory from the system that all threads touch.
void measure_new_array(session& s, const char* name, std::int64_t bytes) {
  const std::int64_t elements = bytes / 4;
  new_arrays made_anew(on("cpu"), elements);
  thread_team team(static_cast<int>(std::thread::hardware_concurrency()));
  const auto rival = [&] {
    const auto size = static_cast<std::size_t>(bytes);
    void* made = nullptr;
    const double seconds = seconds_of([&] {
      made = std::aligned_alloc(std::size_t{2} << 20, size);
      madvise(made, size, MADV_HUGEPAGE);
      team.run(elements, [&](auto begin, auto end) {
        std::fill(static_cast<float*>(made) + begin, static_cast<float*>(made) + end, 1.0f);
      });
    });
    std::free(made);
    return seconds;
  };
  s.add_times(cat("patterns.new_array.", name),
              compare([&] { return made_anew.run(); }, rival, s.scaled({.seconds = 0})),
              "malloc, huge pages, all threads", 1e3, "ms", 0.80);
}

}  // namespace

benchmark read_benchmark_on(const std::string& kind) {
  return {"patterns.read.1GiB", [=](session& s) {
            // Copies over a link vary little.
            const pairing few{.pairs = 5, .warm_up = 1, .seconds = 0};
            measure_read(s, kind, "1GiB", std::int64_t{1} << 30, s.scaled(kind == "cpu" ? pairing{} : few));
          }};
}

std::vector<benchmark> allocation_benchmarks() {
  return {{"patterns.read.64MiB",
           [](session& s) { measure_read(s, "cpu", "64MiB", std::int64_t{64} << 20, s.scaled({})); }},
          read_benchmark_on("cpu"),
          {"patterns.temporary.0.4MB", [](session& s) { measure_temporary(s, "0.4MB", 100'000); }},
          {"patterns.temporary.4MB", [](session& s) { measure_temporary(s, "4MB", 1'000'000); }},
          {"patterns.temporary.16MB", [](session& s) { measure_temporary(s, "16MB", 4'000'000); }},
          {"patterns.temporary.40MB", [](session& s) { measure_temporary(s, "40MB", 10'000'000); }},
          {"patterns.new_array.4GiB", [](session& s) { measure_new_array(s, "4GiB", std::int64_t{4} << 30); }}};
}

}  // namespace tessera::bench
