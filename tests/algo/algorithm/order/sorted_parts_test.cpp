// Where sorted elements rest, what moves, and sorts with little memory.
#include <algorithm>
#include <numeric>

#include "tests/algo/algorithm/order/orders.h"

using namespace tessera::support;

namespace {

using ints = std::vector<int>;

}  // namespace

TEST_CASE("every part has its share of the sorted elements, and elements move once") {
  for (const char* devices : {"cpu*2", "cpu*4", "cpu*7"}) {
    ts::context ctx(calm(devices));
    const int p = devices[4] - '0';
    const std::int64_t n = 1 << 19;
    for (const ints& a : shapes_of(n)) {
      ts::vector<int> x(a, ctx);
      x.update_device();
      ctx.wait();
      const ts::statistics before = ctx.stats();
      ts::sort(x);
      ctx.wait();
      // Besides the elements move samples, places, and what of every merge is planned on the host.
      const double most = static_cast<double>(n) * 4 * (p - 0.98) / p + 100000 * p;
      CHECK(static_cast<double>((ctx.stats() - before).device_to_device_bytes) <= most);
      std::int64_t largest = 0;
      for (const auto& part : x.layout()) largest = std::max(largest, part.bounds.volume());
      CHECK(static_cast<double>(largest) <= 1.02 * static_cast<double>(n) / p);
      ints sorted = a;
      std::sort(sorted.begin(), sorted.end());
      CHECK(x.to_host() == sorted);
    }
  }
}

TEST_CASE("elements in order, and equal elements, do not move") {
  ts::context ctx(calm("cpu*4"));
  const std::int64_t n = 1 << 18;
  ints up(static_cast<std::size_t>(n));
  std::iota(up.begin(), up.end(), 3);
  for (const ints& a : {up, ints(up.size(), 7)}) {
    ts::vector<int> x(a, ctx);
    x.update_device();
    ctx.wait();
    const ts::statistics before = ctx.stats();
    ts::sort(x);
    ctx.wait();
    // Samples and places alone: 128 per part and run.
    CHECK((ctx.stats() - before).device_to_device_bytes < 40000);
    CHECK(x.to_host() == a);
  }
}

TEST_CASE("elements that lie on one device are sorted by all of them") {
  ts::context ctx(cut_everywhere("cpu*5"));
  ts::plan::layout one;
  one.form = ts::plan::layout::kind::on_device;
  one.device = 3;
  ints a = numbers_below(30000, 1 << 20);
  ts::vector<int> x(0, ts::container_options(ctx, one));
  x.assign(a.begin(), a.end());
  ts::sort(x);
  std::sort(a.begin(), a.end());
  CHECK(x.to_host() == a);
}

TEST_CASE("sorts of more elements than memory") {
  for (const char* devices : {"cpu", "cpu*2"}) {
    ts::options settings = cut_everywhere(devices);
    settings.device_memory = (256 << 10) * page_factor();
    settings.host_memory = (512 << 10) * page_factor();
    ts::context ctx(settings);
    ints a = numbers_below(200000 * page_factor(), 1 << 30);
    ts::vector<int> x(a, ctx);
    ts::sort(x);
    std::sort(a.begin(), a.end());
    const bool is_sorted = x.to_host() == a;
    CHECK(is_sorted);
    CHECK(ctx.stats().evictions > 0);
  }
}
