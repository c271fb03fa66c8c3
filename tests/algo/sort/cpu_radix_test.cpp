#include "tessera/algo/sort/cpu_radix.h"

#include "tessera/base/error.h"
#include "tests/algo/sort/support.h"

namespace {

using namespace tessera;
using namespace tessera::support;

/// Bytes at an address that is `shift` behind a multiple of 64, and bytes behind them that must stay.
class guarded_bytes {
 public:
  guarded_bytes(const void* from, std::size_t size, std::size_t shift) : size_(size), memory_(size + 192, fence) {
    begin_ = memory_.data() + (64 - reinterpret_cast<std::uintptr_t>(memory_.data()) % 64) + shift;
    if (from != nullptr && size > 0) std::memcpy(begin_, from, size);
  }
  [[nodiscard]] std::byte* data() { return begin_; }
  [[nodiscard]] bool equals(const void* other) const { return size_ == 0 || std::memcmp(begin_, other, size_) == 0; }
  [[nodiscard]] bool intact() const {
    const std::byte* const end = memory_.data() + memory_.size();
    return std::all_of(static_cast<const std::byte*>(begin_) + size_, end, [](std::byte b) { return b == fence; });
  }

 private:
  static constexpr std::byte fence{0x5a};
  std::size_t size_;
  std::vector<std::byte> memory_;
  std::byte* begin_;
};

struct form {
  std::int64_t value_bytes;
  int threads;
  std::size_t shift = 0;  ///< How far from a line of the cache values begin, in bytes, and keys, in keys.
};

/// Keys and the order that they must come in.
template <class T>
struct expectation {
  dtype type;
  std::vector<T> keys, sorted;
  std::vector<std::int64_t> order;
  bool descending;

  expectation(const dtype& t, std::vector<T> given, bool falling)
      : type(t), keys(std::move(given)), order(places(static_cast<std::int64_t>(keys.size()))), descending(falling) {
    const auto key = [&](std::int64_t place) { return keys[static_cast<std::size_t>(place)]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return precedes<T>(key(a), key(b), descending); });
    for (const std::int64_t place : order) sorted.push_back(key(place));
  }
};

template <class T>
void check(const expectation<T>& e, const form& f, const algo::parallel_runner& run) {
  CAPTURE(e.descending);
  CAPTURE(f.value_bytes);
  CAPTURE(f.threads);
  const auto n = static_cast<std::int64_t>(e.keys.size());
  const std::size_t key_bytes = e.keys.size() * sizeof(T);
  const std::vector<std::byte> values = values_of(places(n), f.value_bytes);
  guarded_bytes k(e.keys.data(), key_bytes, f.shift * sizeof(T)), spare_k(nullptr, key_bytes, 0);
  guarded_bytes v(values.data(), values.size(), f.shift), spare_v(nullptr, values.size(), f.shift);
  algo::sort_memory memory{k.data(), v.data(), spare_k.data(), spare_v.data()};
  if (f.value_bytes == 0) memory.values = memory.spare_values = nullptr;
  algo::radix_sort(run, f.threads, e.type, f.value_bytes, n, memory, e.descending);
  CHECK(k.equals(e.sorted.data()));
  CHECK(v.equals(values_of(e.order, f.value_bytes).data()));
  CHECK((k.intact() && v.intact() && spare_k.intact() && spare_v.intact()));
}

/// Few keys in both orders, many in one, which differs between types.
template <class T>
void check_all(const dtype& type, std::int64_t n, const std::vector<form>& forms, const algo::parallel_runner& run) {
  CAPTURE(to_string(type));
  CAPTURE(n);
  int number = static_cast<int>(type.kind);
  for (const std::string& distribution : distributions()) {
    ++number;
    CAPTURE(distribution);
    std::vector<T> keys = keys_of<T>(distribution, n);
    if (type.kind == scalar_kind::boolean)
      for (T& key : keys) key = of_bits<T>(static_cast<std::uint64_t>(key) & 1);
    for (const bool descending : {false, true}) {
      if (n > 1000 && descending != (number % 2 == 0)) continue;
      const expectation<T> e(type, keys, descending);
      for (const form& f : forms) check(e, f, run);
    }
  }
}

/// Calls `body(type, key)` with a key of each type that has an order by bits.
template <class Body>
void for_each_type(const Body& body) {
  body(dtype_of<bool>(), std::uint8_t{});
  const auto own = [&](auto... keys) { (body(dtype_of<decltype(keys)>(), keys), ...); };
  own(std::int8_t{}, std::uint8_t{}, std::int16_t{}, std::uint16_t{}, std::int32_t{}, std::uint32_t{}, std::int64_t{},
      std::uint64_t{}, float16{}, bfloat16{}, float{}, double{});
}

}  // namespace

TEST_CASE("few keys of every type are sorted stably with values of any size") {
  std::vector<form> forms;
  for (const std::int64_t value_bytes : {0, 1, 3, 4, 8, 16, 24})
    for (const int threads : {1, 2, 5}) forms.push_back({value_bytes, threads, static_cast<std::size_t>(threads % 3)});
  for_each_type([&](const dtype& type, auto key) {
    for (const std::int64_t n : {0, 1, 2, 3, 31, 32, 33, 200}) check_all<decltype(key)>(type, n, forms, in_turn());
  });
}

TEST_CASE("keys that threads divide among them are sorted stably") {
  for_each_type([](const dtype& type, auto key) {
    check_all<decltype(key)>(type, 16'384, {{0, 2}}, in_turn());
    check_all<decltype(key)>(type, 16'385, {{3, 1, 1}, {8, 5, 3}}, in_turn());
    check_all<decltype(key)>(type, 24'000, {{0, 2, 1}, {4, 5, 1}, {16, 2, 2}, {24, 5}}, in_turn());
  });
}

TEST_CASE("keys that do not fit into the cache are sorted stably by one thread") {
  check_all<std::uint64_t>(dtype_of<std::uint64_t>(), 70'000, {{0, 1}, {16, 1, 8}, {24, 1}}, in_turn());
  check_all<float>(dtype_of<float>(), 140'000, {{0, 1, 1}, {4, 1}}, in_turn());
  check_all<std::uint8_t>(dtype_of<std::uint8_t>(), 70'000, {{8, 1}}, in_turn());
  check_all<std::int16_t>(dtype_of<std::int16_t>(), 70'000, {{8, 1, 1}}, in_turn());
}

TEST_CASE("threads sort at the same time") {
  for (const int threads : {2, 5}) {
    check_all<std::uint32_t>(dtype_of<std::uint32_t>(), 200'000, {{0, threads}}, on_threads());
    check_all<double>(dtype_of<double>(), 100'000, {{8, threads, 1}}, on_threads());
  }
}

TEST_CASE("keys without an order by bits are refused") {
  for (const dtype& type :
       {dtype::structure(8, 8), dtype_of<std::complex<float>>(), dtype::make(scalar_kind::int32, 2)}) {
    CHECK_FALSE(algo::has_radix_order(type));
    CHECK_THROWS_WITH_AS(algo::radix_sort(in_turn(), 1, type, 0, 5, {}, false),
                         doctest::Contains("have no order that bits give"), argument_error);
  }
  CHECK(algo::has_radix_order(dtype_of<bool>()));
}
