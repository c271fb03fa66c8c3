#include "tessera/algo/sort/cpu_merge.h"

#include <array>
#include <atomic>

#include "tests/algo/sort/support.h"

namespace {

using namespace tessera;
using namespace tessera::support;

/// Keys in records of a program, which carry the place where they begin as far as it fits.
struct wide {
  double key;
  std::int64_t place;
  std::array<char, 8> more;
  bool operator==(const wide&) const = default;
};
struct narrow {
  std::uint8_t key;
  std::array<std::uint8_t, 2> place;
  bool operator==(const narrow&) const = default;
};
static_assert(sizeof(wide) == 24 && sizeof(narrow) == 3);

template <class T>
T record_of(double key, std::int64_t place) {
  if constexpr (std::is_same_v<T, wide>)
    return {key, place, {'a', 'b'}};
  else if constexpr (std::is_same_v<T, narrow>)
    return {of_number<std::uint8_t>(key), {static_cast<std::uint8_t>(place), static_cast<std::uint8_t>(place >> 8)}};
  else
    return of_number<T>(key);
}

struct by_key {
  bool operator()(const auto& a, const auto& b) const {
    if constexpr (std::is_arithmetic_v<std::decay_t<decltype(a)>>)
      return a > b;
    else
      return a.key < b.key;
  }
};

struct form {
  std::int64_t value_bytes;
  int threads;
};

template <class T, class Before>
void check(const std::vector<T>& keys, const form& f, const Before& before, const algo::parallel_runner& run) {
  CAPTURE(keys.size());
  CAPTURE(f.value_bytes);
  CAPTURE(f.threads);
  const auto n = static_cast<std::int64_t>(keys.size());
  std::vector<std::int64_t> order = places(n);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return before(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
  });
  std::vector<T> expected;
  for (const std::int64_t place : order) expected.push_back(keys[static_cast<std::size_t>(place)]);
  std::vector<T> sorted = keys, spare(keys.size());
  std::vector<std::byte> values = values_of(places(n), f.value_bytes), spare_values(values.size());
  algo::merge_sort(run, f.threads, sorted.data(), values.data(), f.value_bytes, n,
                   {nullptr, nullptr, reinterpret_cast<std::byte*>(spare.data()), spare_values.data()}, before);
  CHECK(sorted == expected);
  CHECK(values == values_of(order, f.value_bytes));
}

template <class T>
std::vector<T> records_of(const std::string& distribution, std::int64_t n) {
  std::vector<T> all;
  for (std::int64_t i = 0; i < n; ++i) all.push_back(record_of<T>(key_of<float>(distribution, i, n), i));
  return all;
}

/// Distributions without NaN, which has no place in the orders here.
template <class T>
void check_all(std::int64_t n, const std::vector<form>& forms, const algo::parallel_runner& run) {
  for (const std::string& distribution : distributions()) {
    if (distribution == "bits" || distribution == "extremes") continue;
    CAPTURE(distribution);
    const std::vector<T> keys = records_of<T>(distribution, n);
    for (const form& f : forms) check(keys, f, by_key(), run);
  }
}

}  // namespace

TEST_CASE("few records of a program are sorted stably by its comparison, with values of any size") {
  std::vector<form> forms;
  for (const std::int64_t value_bytes : {0, 1, 3, 4, 8, 16, 24})
    for (const int threads : {1, 2, 5}) forms.push_back({value_bytes, threads});
  for (const std::int64_t n : {0, 1, 2, 3, 15, 16, 17, 33, 400}) {
    check_all<wide>(n, forms, in_turn());
    check_all<narrow>(n, forms, in_turn());
    check_all<int>(n, forms, in_turn());
  }
}

TEST_CASE("records that threads sort in pieces and merge are sorted stably") {
  for (const int threads : {2, 3, 4, 5, 16})
    for (const std::int64_t n : {8191, 8192, 8193, 20'011}) {
      check_all<wide>(n, {{0, threads}}, in_turn());
      check_all<narrow>(n, {{3, threads}, {24, threads}}, in_turn());
    }
  check_all<double>(50'021, {{4, 2}, {16, 5}}, on_threads());
  check_all<wide>(50'021, {{0, 5}, {8, 2}}, on_threads());
}

TEST_CASE("records in order are compared once each") {
  const std::vector<wide> keys = records_of<wide>("sorted", 10'000);
  std::atomic<int> calls{0};
  check(keys, {0, 1}, by_key(), in_turn());
  std::vector<wide> sorted = keys, spare(keys.size());
  algo::merge_sort(in_turn(), 4, sorted.data(), nullptr, 0, std::ssize(keys),
                   {nullptr, nullptr, reinterpret_cast<std::byte*>(spare.data()), nullptr},
                   [&](const wide& a, const wide& b) {
                     ++calls;
                     return a.key < b.key;
                   });
  CHECK(sorted == keys);
  CHECK(calls == 9'999);
}

TEST_CASE("an operator that is no order gives some permutation of the records") {
  const std::int64_t n = 30'000;
  for (const int threads : {1, 2, 5}) {
    std::vector<std::uint32_t> keys = keys_of<std::uint32_t>("bits", n), spare(keys.size());
    std::vector<std::uint32_t> before = keys;
    algo::merge_sort(in_turn(), threads, keys.data(), nullptr, 0, n,
                     {nullptr, nullptr, reinterpret_cast<std::byte*>(spare.data()), nullptr},
                     [](std::uint32_t a, std::uint32_t b) { return mixed(a ^ (std::uint64_t{b} << 20)) % 3 == 0; });
    CHECK(keys != before);
    std::sort(keys.begin(), keys.end());
    std::sort(before.begin(), before.end());
    CHECK(keys == before);
  }
}
