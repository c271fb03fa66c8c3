// Sorts of one part, on all cores, against the best sort of a library that a program could call instead.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/rivals/sorts.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/algo/sort/cpu_merge.h"
#include "tessera/algo/sort/cpu_radix.h"

namespace tessera::bench {
namespace {

int cores() { return static_cast<int>(std::thread::hardware_concurrency()); }

/// A number without a pattern.
std::uint64_t mixed(std::uint64_t x) {
  x = (x + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  return x ^ (x >> 29);
}

enum class distribution { uniform, zipf, sorted, equal };

template <class T>
T number_of(distribution d, std::uint64_t i) {
  switch (d) {
    case distribution::uniform:
      return static_cast<T>(mixed(i));
    case distribution::zipf:
      return static_cast<T>(std::pow(1e6, static_cast<double>(mixed(i) >> 11) * 0x1p-53));
    case distribution::sorted:
      return static_cast<T>(i);
    default:
      return 7;
  }
}

/// Keys that are sorted again and again, from a copy.
template <class T>
class contest {
 public:
  using sort = std::function<void(T* keys, std::int64_t count)>;

  explicit contest(std::vector<T> keys) : given_(std::move(keys)), sorted_(given_), spare_(given_.size()) {}

  [[nodiscard]] double seconds(const sort& by) {
    std::copy(given_.begin(), given_.end(), sorted_.begin());
    return seconds_of([&] { by(sorted_.data(), std::ssize(sorted_)); });
  }
  [[nodiscard]] const std::vector<T>& sorted() const { return sorted_; }
  [[nodiscard]] std::byte* spare() { return reinterpret_cast<std::byte*>(spare_.data()); }
  [[nodiscard]] algo::parallel_runner threads() {
    return [this](std::int64_t count, const std::function<void(std::int64_t)>& body) {
      team_.run(count, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) body(k);
      });
    };
  }

  /// Against the library that is fastest in one run of each.
  void add_row(session& s, const std::string& name, const sort& ours, const std::vector<library_sort<T>>& libraries,
               double target) {
    std::vector<double> first;
    std::vector<T> expected;
    for (const library_sort<T>& l : libraries) {
      first.push_back(seconds(l.sort));
      expected = sorted_;
    }
    static_cast<void>(seconds(ours));
    if (std::memcmp(sorted_.data(), expected.data(), expected.size() * sizeof(T)) != 0)
      throw std::runtime_error(name + ": another result than the library's");
    const library_sort<T>& best =
        libraries[static_cast<std::size_t>(std::min_element(first.begin(), first.end()) - first.begin())];
    const comparison times = compare([&] { return seconds(ours); }, [&] { return seconds(best.sort); },
                                     s.scaled({.pairs = 5, .warm_up = 1, .seconds = 0}));
    s.add_times(name, times, best.name, 1e3, "ms", target);
  }

 private:
  std::vector<T> given_, sorted_, spare_;
  thread_team team_{cores()};
};

template <class T>
void measure_numbers(session& s, const std::string& name, distribution d, const std::vector<library_sort<T>>& libraries,
                     double target) {
  std::vector<T> keys(std::size_t{1} << (s.quick() ? 22 : 26));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = number_of<T>(d, i);
  contest<T> c(std::move(keys));
  const auto ours = [&](T* k, std::int64_t n) {
    algo::radix_sort(c.threads(), cores(), dtype_of<T>(), 0, n,
                     {reinterpret_cast<std::byte*>(k), nullptr, c.spare(), nullptr}, false);
  };
  c.add_row(s, name, ours, libraries, target);
}

void measure_u32(session& s) { measure_numbers(s, "algo.sort.u32", distribution::uniform, sorts_of_32_bits(), 2.0); }
void measure_u64(session& s) { measure_numbers(s, "algo.sort.u64", distribution::uniform, sorts_of_64_bits(), 1.4); }
void measure_zipf(session& s) { measure_numbers(s, "algo.sort.zipf", distribution::zipf, sorts_of_32_bits(), 1.3); }
void measure_sorted(session& s) {
  measure_numbers(s, "algo.sort.sorted", distribution::sorted, sorts_of_32_bits(), 0.9);
}
void measure_equal(session& s) { measure_numbers(s, "algo.sort.equal", distribution::equal, sorts_of_32_bits(), 0.9); }

void measure_structs(session& s) {
  std::vector<key_and_more> records(std::size_t{1} << (s.quick() ? 21 : 24));
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = {static_cast<double>(mixed(i) >> 40), {static_cast<std::int64_t>(i), 0}};
  contest<key_and_more> c(std::move(records));
  const auto ours = [&](key_and_more* k, std::int64_t n) {
    algo::merge_sort(c.threads(), cores(), k, nullptr, 0, n, {nullptr, nullptr, c.spare(), nullptr},
                     [](const key_and_more& a, const key_and_more& b) { return a.key < b.key; });
  };
  c.add_row(s, "algo.stable_sort.24_bytes", ours, stable_sorts(), 1.0);
}

}  // namespace

std::vector<benchmark> sort_benchmarks() {
  return {{"algo.sort.u32", measure_u32},     {"algo.sort.u64", measure_u64},
          {"algo.sort.zipf", measure_zipf},   {"algo.sort.sorted", measure_sorted},
          {"algo.sort.equal", measure_equal}, {"algo.stable_sort.24_bytes", measure_structs}};
}

}  // namespace tessera::bench
