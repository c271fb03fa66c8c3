// Element proxies and guards of containers: loops over 2^20 elements that the host window has.
#include <tessera/algo.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t elements = 1 << 20;
constexpr double to_nanoseconds = 1e9 / elements;

/// Keeps `value`, so that a loop that computes it is not left out.
void keep(std::int64_t value) { asm volatile("" : : "r"(value) : "memory"); }

/// A rival that takes so many nanoseconds per element.
timed_run limit(double nanoseconds) {
  return [=] { return nanoseconds * 1e-9 * elements; };
}

std::vector<int> numbers() {
  std::vector<int> result(elements);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

void measure_reads(session& s) {
  const vector<int> v(numbers());
  v.update_host();
  const std::int64_t expected = elements * (elements - 1) / 2;
  const timed_run read_all = [&] {
    std::int64_t sum = 0;
    const double seconds = seconds_of([&] {
      for (std::int64_t i = 0; i < elements; ++i) sum += v[i];
      keep(sum);
    });
    if (sum != expected) throw std::runtime_error("element reads give another sum");
    return seconds;
  };
  s.add_times("algo.element_read", compare(read_all, limit(3), s.scaled({})), "limit of 3 ns", to_nanoseconds, "ns", 1);
}

void measure_writes(session& s) {
  vector<int> v(elements);
  int round = 0;
  const timed_run write_all = [&] {
    ++round;
    const double seconds = seconds_of([&] {
      for (std::int64_t i = 0; i < elements; ++i) v[i] = static_cast<int>(i) + round;
      keep(round);
    });
    if (v[elements - 1] != elements - 1 + round) throw std::runtime_error("an element write is lost");
    return seconds;
  };
  s.add_times("algo.element_write", compare(write_all, limit(5), s.scaled({})), "limit of 5 ns", to_nanoseconds, "ns",
              1);
}

void measure_guards(session& s) {
  vector<int> v(numbers());
  std::vector<int> rival = numbers();
  const auto loop = [](auto& range) {
    for (int& e : range) e += 1;
    keep(range.data()[0]);
  };
  const timed_run guarded = [&] {
    return seconds_of([&] {
      auto h = v.host(readwrite);
      loop(h);
    });
  };
  const comparison times = compare(
      guarded, [&] { return seconds_of([&] { loop(rival); }); }, s.scaled({}));
  if (v.to_host() != rival) throw std::runtime_error("a guard loop gives other elements than a std::vector");
  s.add_times("algo.guard_loop", times, "std::vector", to_nanoseconds, "ns", 1);
}

}  // namespace

std::vector<benchmark> container_benchmarks() {
  return {{"algo.element_read", measure_reads},
          {"algo.element_write", measure_writes},
          {"algo.guard_loop", measure_guards}};
}

}  // namespace tessera::bench
