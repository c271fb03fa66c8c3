// The kernels of algorithms for GPUs: their texts run on CPUs, thread by thread, and compile for GPUs where there is a
// compiler.
#include <algorithm>
#include <numeric>

#include "tessera/algo/exec/kernel_cache.h"
#include "tests/algo/algorithm/support.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera::support;
namespace views = ts::views;

TS_DEVICE(
    struct tall_value {
  double x;
  long long y, z;
    };
    struct tall_sum {
      tall_value operator()(tall_value a, tall_value b) const { return {a.x + b.x, a.y, b.z};
}
}
;)

namespace {
  using ints = std::vector<int>;

  bool is_equal(const std::vector<tall_value>& a, const std::vector<tall_value>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const tall_value& u, const tall_value& v) { return u.x == v.x && u.y == v.y && u.z == v.z; });
  }

  void run_scans(const ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000), k = numbers_below(n, 2, 7);
    const ts::vector<int> x(a, ctx), keys(k, ctx);
    std::vector<double> expected(a.size());
    std::transform_exclusive_scan(a.begin(), a.end(), expected.begin(), 3, std::plus<int>(),
                                  [](int v) { return v * 2; });
    ts::vector<double> out(n, 0.0, ctx);
    ts::transform_exclusive_scan(
        x, out, [](auto v) { return v * 2; }, 3);
    CHECK(out.to_host() == expected);
    ints by_key(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) by_key[i] = a[i] + (i > 0 && k[i] == k[i - 1] ? by_key[i - 1] : 0);
    CHECK(ts::inclusive_scan_by_key(keys, x).to_host() == by_key);
    std::vector<tall_value> tall, sums;
    for (const int v : a) tall.push_back({v / 4.0, v, v});
    for (const tall_value& v : tall) sums.push_back(sums.empty() ? v : tall_sum()(sums.back(), v));
    CHECK(is_equal(ts::inclusive_scan(ts::vector<tall_value>(tall, ctx), tall_sum()).to_host(), sums));
  }

  void run_segments(const ts::context& ctx, std::int64_t n) {
    const ints a = numbers_below(n, 1000);
    const ts::vector<int> x(a, ctx);
    for (const std::int64_t length : {1, 30, 100, 5000}) {
      CAPTURE(length);
      std::vector<std::int64_t> offsets{0};
      while (offsets.back() < n) offsets.push_back(std::min(n, offsets.back() + length));
      ints sums, running;
      for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
        sums.push_back(std::accumulate(a.begin() + offsets[s], a.begin() + offsets[s + 1], 5));
        std::inclusive_scan(a.begin() + offsets[s], a.begin() + offsets[s + 1], std::back_inserter(running));
      }
      CHECK(ts::segmented_reduce(x, offsets, 5).to_host() == sums);
      CHECK(ts::segmented_scan(x, offsets).to_host() == running);
    }
  }

  void run_moves(const ts::context& ctx, std::int64_t n) {
    ints a = numbers_below(n, 1 << 20);
    const ints m = numbers_below(n / 7 + 1, n, 3);
    const ts::vector<int> x(a, ctx), map(m, ctx);
    ints taken;
    for (const int at : m) taken.push_back(a[static_cast<std::size_t>(at)]);
    CHECK(ts::gather(map, x).to_host() == taken);
    ts::vector<int> some(std::ssize(m), -1, ctx), turned(n, 0, ctx);
    ts::gather_if(map, map, x, some, [](auto at) { return at % 2 == 0; });
    for (std::size_t k = 0; k < m.size(); ++k)
      if (m[k] % 2 != 0) taken[k] = -1;
    CHECK(some.to_host() == taken);
    ts::scatter(x, views::reverse(views::counting(0, static_cast<int>(n))), turned);
    CHECK(turned.to_host() == ints(a.rbegin(), a.rend()));
    ts::shuffle(turned, 3);
    std::sort(a.begin(), a.end());
    ints shuffled = turned.to_host();
    std::sort(shuffled.begin(), shuffled.end());
    CHECK(shuffled == a);
    const ts::vector<int> sorted(a, ctx);
    std::vector<std::int64_t> lower, upper;
    for (const int v : m) lower.push_back(std::lower_bound(a.begin(), a.end(), v) - a.begin());
    for (const int v : m) upper.push_back(std::upper_bound(a.begin(), a.end(), v) - a.begin());
    CHECK(ts::lower_bound(sorted, map).to_host() == lower);
    CHECK(ts::upper_bound(sorted, map).to_host() == upper);
  }

}  // namespace

TEST_CASE("texts for GPUs of scans, segments, gathers and searches give what the standard library gives") {
  ts::options settings = calm("cpu*3", "access");
  settings.small = 0;
  const ts::context ctx(settings);
  const ts::algo::gpu_texts_on_cpus texts;
  for (const std::int64_t n : selected<std::int64_t>({4097}, {1, 300, 4097, 9000})) {
    CAPTURE(n);
    run_scans(ctx, n);
    run_segments(ctx, n);
    run_moves(ctx, n);
  }
}

TEST_CASE("kernels of scans, segments, gathers and searches compile for GPUs") {
  if (!can_compile_for_cuda()) return;
  cuda_sources sources;
  {
    ts::options settings = calm("cpu*2");
    settings.small = 0;
    const ts::context ctx(settings);
    const ts::algo::gpu_texts_on_cpus texts;
    run_scans(ctx, 9000);
    run_segments(ctx, 9000);
    run_moves(ctx, 9000);
    for (const ts::algo::kernel_text& each : texts.made) sources.add(each.text, each.name);
  }
  CHECK(sources.size() > 50);
  CHECK(sources.failures() == std::vector<std::string>());
}
