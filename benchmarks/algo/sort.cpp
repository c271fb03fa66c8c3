// Sorts on one CPU device with all cores, against the best sort of a library that a program could call instead.
#include <tessera/algo.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/programs.h"
#include "benchmarks/algo/rivals/sorts.h"

namespace tessera::bench {
namespace {

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

/// Elements that are sorted again and again, from a copy.
template <class T>
class contest {
 public:
  using sort = std::function<void(T* keys, std::int64_t count)>;

  explicit contest(std::vector<T> keys) : given_(std::move(keys)), sorted_(given_) {}

  [[nodiscard]] const std::vector<T>& given() const { return given_; }
  [[nodiscard]] double seconds(const sort& by) {
    std::copy(given_.begin(), given_.end(), sorted_.begin());
    return seconds_of([&] { by(sorted_.data(), std::ssize(sorted_)); });
  }
  /// Against the library that is fastest in one run of each. `ours` gives its time, `result` what it has sorted.
  void add_row(session& s, const std::string& name, const timed_run& ours,
               const std::function<std::vector<T>()>& result, const std::vector<library_sort<T>>& libraries,
               double target) {
    std::vector<double> first;
    for (const library_sort<T>& l : libraries) first.push_back(seconds(l.sort));
    static_cast<void>(ours());
    if (std::memcmp(sorted_.data(), result().data(), sorted_.size() * sizeof(T)) != 0)
      throw std::runtime_error(name + ": another result than the library's");
    const library_sort<T>& best =
        libraries[static_cast<std::size_t>(std::min_element(first.begin(), first.end()) - first.begin())];
    const comparison times = compare(
        ours, [&] { return seconds(best.sort); }, s.scaled({.pairs = 5, .warm_up = 1, .seconds = 0}));
    s.add_times(name, times, best.name, 1e3, "ms", target);
  }

 private:
  std::vector<T> given_, sorted_;
};

/// `call(work)` sorts a copy of `given`.
template <class T, class Call>
void add_sort(session& s, const std::string& name, std::vector<T> keys, const std::vector<library_sort<T>>& libraries,
              double target, Call call) {
  contest<T> c(std::move(keys));
  context ctx = one_cpu();
  const vector<T> given(c.given(), ctx);
  vector<T> work(std::ssize(c.given()), T{}, ctx);
  const auto ours = [&] {
    copy(given, work);
    ctx.wait();
    return seconds_of([&] {
      call(work);
      ctx.wait();
    });
  };
  c.add_row(
      s, name, ours, [&] { return work.to_host(); }, libraries, target);
}

template <class T>
void measure_numbers(session& s, const std::string& name, distribution d, const std::vector<library_sort<T>>& libraries,
                     double target) {
  std::vector<T> keys(std::size_t{1} << (s.quick() ? 22 : 26));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = number_of<T>(d, i);
  add_sort(s, name, std::move(keys), libraries, target, [](vector<T>& all) { sort(all); });
}

void measure_u32(session& s) { measure_numbers(s, "algo.sort.u32", distribution::uniform, sorts_of_32_bits(), 2.0); }
void measure_u64(session& s) { measure_numbers(s, "algo.sort.u64", distribution::uniform, sorts_of_64_bits(), 1.4); }
void measure_zipf(session& s) { measure_numbers(s, "algo.sort.zipf", distribution::zipf, sorts_of_32_bits(), 1.3); }
void measure_sorted(session& s) {
  measure_numbers(s, "algo.sort.sorted", distribution::sorted, sorts_of_32_bits(), 0.9);
}
void measure_equal(session& s) { measure_numbers(s, "algo.sort.equal", distribution::equal, sorts_of_32_bits(), 0.9); }

std::vector<key_and_place> pairs_of(std::int64_t n) {
  std::vector<key_and_place> pairs(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {mixed(i), i};
  return pairs;
}

/// Keys and values in containers of their own, as our sort takes them; in pairs, as the libraries' do.
void measure_pairs(session& s) {
  contest<key_and_place> c(pairs_of(std::int64_t{1} << (s.quick() ? 21 : 25)));
  const std::int64_t n = std::ssize(c.given());
  std::vector<std::uint64_t> keys, places;
  for (const key_and_place& each : c.given()) keys.push_back(each.key), places.push_back(each.place);
  context ctx = one_cpu();
  const vector<std::uint64_t> all_keys(keys, ctx), all_places(places, ctx);
  vector<std::uint64_t> k(n, 0, ctx), v(n, 0, ctx);
  const auto ours = [&] {
    copy(all_keys, k);
    copy(all_places, v);
    ctx.wait();
    return seconds_of([&] {
      sort_by_key(k, v);
      ctx.wait();
    });
  };
  const auto result = [&] {
    std::vector<key_and_place> both;
    const std::vector<std::uint64_t> first = k.to_host(), second = v.to_host();
    for (std::size_t i = 0; i < first.size(); ++i) both.push_back({first[i], second[i]});
    return both;
  };
  c.add_row(s, "algo.sort_by_key.u64", ours, result, sorts_of_pairs(), 1.0);
}

void measure_structs(session& s) {
  std::vector<key_and_more> records(std::size_t{1} << (s.quick() ? 21 : 24));
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i] = {static_cast<double>(mixed(i) >> 40), {static_cast<std::int64_t>(i), 0}};
  add_sort(s, "algo.stable_sort.24_bytes", std::move(records), stable_sorts(), 1.0,
           [](vector<key_and_more>& all) { stable_sort(all, earlier_key()); });
}

}  // namespace

std::vector<benchmark> sort_benchmarks() {
  return {{"algo.sort.u32", measure_u32},
          {"algo.sort.u64", measure_u64},
          {"algo.sort.zipf", measure_zipf},
          {"algo.sort.sorted", measure_sorted},
          {"algo.sort.equal", measure_equal},
          {"algo.sort_by_key.u64", measure_pairs},
          {"algo.stable_sort.24_bytes", measure_structs}};
}

}  // namespace tessera::bench
