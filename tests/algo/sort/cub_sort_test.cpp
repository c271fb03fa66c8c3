// Sorts on a GPU through the plugin for CUB. Ends with 77, which CTest reads as "skipped", where there is none.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>
#include <tessera/tessera.h>

#include <cstdio>

#include "tessera/algo/sort/cub_plugin.h"
#include "tests/algo/sort/support.h"

namespace {

using namespace tessera;
using namespace tessera::support;

struct form {
  std::int64_t value_bytes;
  bool descending;
};

/// The sort as a kernel over four arrays of bytes: keys, values, and as much room again.
native_definition definition_of(const dtype& key, std::int64_t count, const form& f) {
  native_definition d;
  d.name = "cub_sort";
  d.parameters = "unsigned char* keys, unsigned char* values, unsigned char* spare_keys, unsigned char* spare_values";
  for (const std::int64_t number : {std::int64_t{static_cast<int>(key.kind)}, count, f.value_bytes * 2 + f.descending})
    for (int b = 0; b < 8; ++b) d.payload.push_back(static_cast<std::byte>(number >> (8 * b)));
  d.functions["cuda"] = [=](native_call& call) {
    const auto bytes = [&](int k) { return call.array(k).data; };
    algo::cub_plugin::find().sort({key, f.value_bytes, count, f.descending, {bytes(0), bytes(1), bytes(2), bytes(3)}},
                                  call.workspace(), call.queue());
  };
  d.workspace = [=](const box&) { return algo::cub_scratch_bytes(key, f.value_bytes, count); };
  return d;
}

template <class T>
std::vector<T> sorted_on_gpu(context& ctx, const std::vector<T>& keys, const form& f, std::vector<std::byte>& values) {
  const auto n = static_cast<std::int64_t>(keys.size());
  const auto bytes_of = [&](const void* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(std::max<std::size_t>(size, 1));
    if (size > 0) std::memcpy(bytes.data(), data, size);
    return bytes;
  };
  const std::vector<std::uint8_t> key_bytes = bytes_of(keys.data(), keys.size() * sizeof(T));
  const std::vector<std::uint8_t> value_bytes = bytes_of(values.data(), values.size());
  const extents key_shape{std::ssize(key_bytes)}, value_shape{std::ssize(value_bytes)};
  const array<std::uint8_t> k = ctx.from<std::uint8_t>(key_shape, key_bytes);
  const array<std::uint8_t> v = ctx.from<std::uint8_t>(value_shape, value_bytes);
  const array<std::uint8_t> spare_k = ctx.zeros<std::uint8_t>(key_shape),
                            spare_v = ctx.zeros<std::uint8_t>(value_shape);
  ctx.native(definition_of(dtype_of<T>(), n, f)).launch({.threads = {1}}, k, v, spare_k, spare_v);
  const std::vector<std::uint8_t> sorted_keys = k.read(), sorted_values = v.read();
  std::vector<T> result(keys.size());
  std::memcpy(result.data(), sorted_keys.data(), keys.size() * sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), sorted_values.data(), values.size());
  return result;
}

template <class T>
void check(context& ctx, const std::string& distribution, std::int64_t n, const form& f) {
  CAPTURE(to_string(dtype_of<T>()));
  CAPTURE(distribution);
  CAPTURE(n);
  CAPTURE(f.value_bytes);
  CAPTURE(f.descending);
  const std::vector<T> keys = keys_of<T>(distribution, n);
  std::vector<std::int64_t> order = places(n);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return precedes<T>(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)], f.descending);
  });
  std::vector<std::byte> values = values_of(places(n), f.value_bytes);
  const std::vector<T> sorted = sorted_on_gpu(ctx, keys, f, values);
  bool equal = true;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const T expected = keys[static_cast<std::size_t>(order[i])];
    const bool both_nan = expected != expected && sorted[i] != sorted[i];
    equal = equal && (both_nan || std::memcmp(&expected, &sorted[i], sizeof(T)) == 0);
  }
  CHECK(equal);
  CHECK(values == values_of(order, f.value_bytes));
}

template <class T>
void check_all(context& ctx) {
  for (const char* distribution : {"bits", "few", "sorted", "extremes"})
    for (const std::int64_t n : {2, 100, 5'000, 300'007})
      for (const std::int64_t value_bytes : {0, 4, 8, 16})
        for (const bool descending : {false, true}) check<T>(ctx, distribution, n, {value_bytes, descending});
}

}  // namespace

TEST_CASE("CUB sorts keys of every type that it knows stably, with values, NaN last and zeros of both signs alike") {
  options settings;
  settings.devices = "cuda:0";
  context ctx(settings);
  const auto all = [&](auto... keys) { (check_all<decltype(keys)>(ctx), ...); };
  all(std::uint8_t{}, std::uint16_t{}, std::int32_t{}, std::uint32_t{}, std::int64_t{}, std::uint64_t{}, float{},
      double{});
}

int main(int argc, char** argv) {
  const algo::cub_plugin& plugin = algo::cub_plugin::find();
  bool gpu = true;
  try {
    options settings;
    settings.devices = "cuda:0";
    const context ctx(settings);
  } catch (const error& e) {
    std::printf("skipped: %s\n", e.what());
    gpu = false;
  }
  if (!plugin.available()) std::printf("skipped: %s\n", plugin.text().c_str());
  if (!gpu || !plugin.available()) return 77;
  return doctest::Context(argc, argv).run();
}
