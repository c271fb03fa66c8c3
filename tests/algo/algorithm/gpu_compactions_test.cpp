// The kernels of compactions and histograms for GPUs: their texts run on CPUs, thread by thread, and compile for GPUs
// where there is a compiler.
#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

#include "tessera/algo/exec/emit/emit_text.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tests/algo/algorithm/support.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera::support;
namespace views = ts::views;

// clang-format off
TS_DEVICE(
struct long_value {
  double x;
  long long y, z;
};
struct long_last {
  long_value operator()(long_value a, long_value b) const { return {a.x + b.x, a.y, b.z}; }
};
struct long_even {
  bool operator()(long_value a) const { return a.y % 2 == 0; }
};
struct either_even {
  bool operator()(long_value a, int b) const { return a.y % 2 == 0 && b % 2 == 0; }
};)
// clang-format on

namespace {
  using ints = std::vector<int>;

  std::vector<long long> numbers_of(const std::vector<long_value>& all) {
    std::vector<long long> numbers;
    for (const long_value& v : all)
      for (const long long each : {static_cast<long long>(4 * v.x), v.y, v.z}) numbers.push_back(each);
    return numbers;
  }

  void run_compactions(const ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000);
    ts::vector<int> x(a, ctx);
    for (const int limit : {0, 1, 500, 1000}) {
      CAPTURE(limit);
      ints low, high;
      for (const int v : a) (v < limit ? low : high).push_back(v);
      const auto below = [limit](auto v) { return v < limit; };
      const auto parted = ts::partition_copy(x, below);
      CHECK(parted.first.to_host() == low);
      CHECK(parted.second.to_host() == high);
      std::reverse(low.begin(), low.end());
      CHECK(ts::copy_if(views::reverse(x), below).to_host() == low);
    }
    std::vector<long_value> tall, even;
    for (const int v : a) tall.push_back({v / 4.0, v, -v});
    std::copy_if(tall.begin(), tall.end(), std::back_inserter(even), long_even());
    const auto [kept, places] = ts::copy_if(views::zip(ts::vector<long_value>(tall, ctx), x), either_even());
    CHECK(numbers_of(kept.to_host()) == numbers_of(even));
    CHECK(numbers_of(ts::copy_if(ts::vector<long_value>(tall, ctx), long_even()).to_host()) == numbers_of(even));
    CHECK(places.size() == kept.size());
  }

  void run_segments(const ts::context& ctx, std::int64_t n, int length) {
    CAPTURE(length);
    const ints a = numbers_below(n, 1000), jumps = numbers_below(n, length, 2);
    ints keys, heads;
    std::vector<std::int64_t> lengths;
    std::vector<double> sums;
    std::vector<long_value> tall, chains;
    for (std::size_t k = 0; k < a.size(); ++k) {
      keys.push_back((k == 0 ? 0 : keys.back()) + (jumps[k] == 0 ? 1 : 0));
      tall.push_back({a[k] / 4.0, static_cast<long long>(k), a[k]});
      if (k == 0 || keys[k] != keys[k - 1]) {
        heads.push_back(keys[k]), lengths.push_back(1), sums.push_back(a[k]), chains.push_back(tall[k]);
      } else {
        ++lengths.back();
        sums.back() += a[k];
        chains.back() = long_last()(chains.back(), tall[k]);
      }
    }
    const ts::vector<int> k(keys, ctx), x(a, ctx);
    CHECK(ts::unique_copy(k).to_host() == heads);
    CHECK(ts::run_length_encode(k).second.to_host() == lengths);
    ts::vector<int> keys_out(n, 0, ctx);
    ts::vector<double> sums_out(n, 0, ctx);
    const std::int64_t count = ts::reduce_by_key(k, x, keys_out, sums_out).first;
    CHECK(keys_out.part(0, count).to_host() == heads);
    CHECK(sums_out.part(0, count).to_host() == sums);
    const auto chained = ts::reduce_by_key(k, ts::vector<long_value>(tall, ctx), long_last());
    CHECK(numbers_of(chained.second.to_host()) == numbers_of(chains));
  }

  void run_sets_and_counts(const ts::context& ctx, std::int64_t n) {
    ints a = numbers_below(n, 300), b = numbers_below(n / 2 + 1, 400, 3), rest, common;
    const ts::vector<int> mixed(a, ctx);
    for (const std::int64_t bins : {10, 5000}) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
      for (const int v : a) ++counts[static_cast<std::size_t>(v * bins / 300)];
      CHECK(ts::histogram(mixed, bins, 0, 300).to_host() == counts);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    const ts::vector<int> x(a, ctx), y(b, ctx);
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
    CHECK(ts::set_difference(x, y).to_host() == rest);
    CHECK(ts::set_intersection(x, y).to_host() == common);
  }

  void run_all(const ts::context& ctx, std::int64_t n) {
    CAPTURE(n);
    run_compactions(ctx, n);
    for (const int length : {1, 3, 700}) run_segments(ctx, n, length);
    run_sets_and_counts(ctx, n);
  }

}  // namespace

TEST_CASE("texts for GPUs of compactions and histograms give what loops give") {
  ts::options settings = calm("cpu*3", "access");
  settings.small = 0;
  const ts::context several(settings), one(calm("cpu", "access"));
  const ts::algo::gpu_texts_on_cpus texts;
  for (const std::int64_t n : selected<std::int64_t>({4200}, {1, 17, 4096, 9000})) run_all(several, n);
  run_all(one, selected<std::int64_t>({4200}, {9000}).front());  // where annotations do not tell what is written
}

TEST_CASE("the text for GPUs that adds up counts gives what a loop gives") {
  ts::context ctx(calm("cpu", "access"));
  const ts::algo::gpu_texts_on_cpus texts;
  const ts::kernel add_up = ts::algo::cached_kernel(ctx, "sums of a test", ts::algo::count_sums_text);
  for (const std::int64_t n : {1, 8, 255, 256, 2047, 2048, 2049, 7001}) {
    const std::vector<std::int64_t> counts = numbers_below<std::int64_t>(n, 4097);
    std::vector<std::int64_t> expected(counts.size());
    std::partial_sum(counts.begin(), counts.end(), expected.begin());
    const ts::vector<std::int64_t> x(counts, ctx);
    ts::vector<std::int64_t> sums(n, -1, ctx);
    add_up.launch({.grid = {1}, .block = {256}}, n, x, sums);
    CHECK(sums.to_host() == expected);
  }
}

TEST_CASE("kernels of compactions and histograms compile for GPUs") {
  if (!can_compile_for_cuda()) return;
  cuda_sources sources;
  {
    const ts::context ctx(calm("cpu*2"));
    const ts::algo::gpu_texts_on_cpus texts;
    run_all(ctx, 9000);
    for (const ts::algo::kernel_text& each : texts.made) sources.add(each.text, each.name);
  }
  const ts::algo::kernel_text sums = ts::algo::count_sums_text();
  sources.add(sums.text, sums.name);
  CHECK(sources.size() > 40);
  CHECK(sources.failures() == std::vector<std::string>());
}
