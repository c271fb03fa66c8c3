// What gathers, scatters and searches move, and how they do with little memory.
#include <algorithm>
#include <numeric>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;
namespace views = ts::views;

namespace {

using ints = std::vector<int>;

}  // namespace

TEST_CASE("a gather between devices moves requests and answers, and no more") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 << 18, q = 3 << 14;
  const ts::vector<int> source(numbers_below(n, 1 << 20), ctx), map(numbers_below(q, n, 3), ctx);
  ts::vector<int> out(q, 0, ctx);
  ts::gather(map | views::transform([](auto at) { return at; }), source, out);
  movement during(ctx);
  ts::gather(map | views::transform([](auto at) { return at; }), source, out);
  const std::int64_t moved = during.moved().device_to_device_bytes;
  CHECK(moved > q * (8 + 4) / 2);
  CHECK(moved <= q * (8 + 4));
  movement reading(ctx);
  const auto all = ts::gather(views::counting(0, static_cast<int>(n)), source.part(0, 1000));  // most are outside
  CHECK(reading.moved().device_to_device_bytes <= 2 * 1000 * 4);
  ts::vector<int> target(n, 0, ctx);
  ts::scatter(map, map, target);
  movement writing(ctx);
  ts::scatter(map, map, target);
  CHECK(writing.moved().device_to_device_bytes <= q * (8 + 4));
}

TEST_CASE("another gather by a map that is unchanged moves answers alone, and does not wait") {
  ts::context ctx(calm("cpu*3"));
  const std::int64_t n = 3 << 18, q = 3 << 14;
  const ints a = numbers_below(n, 1 << 20);
  ints m = numbers_below(q, n, 3);
  const ts::vector<int> source(a, ctx);
  ts::vector<int> map(m, ctx), out(q, 0, ctx);
  ts::gather(map, source, out);
  const ts::vector<int> other = source;
  movement again(ctx);
  ts::gather(map, other, out);
  const ts::statistics moved = again.moved();
  CHECK(moved.device_to_device_bytes <= q * 4);
  CHECK(moved.device_to_host_bytes == 0);
  CHECK(out.to_host() == gathered(m, a));
  const auto check_changed = [&](const char* change) {
    CAPTURE(change);
    ts::gather(map, source, out);
    const bool is_right = out.to_host() == gathered(m, a);
    CHECK(is_right);
  };
  m[17] = 5, map[17] = 5;
  check_changed("an element");
  m[17] = 6, map[17] = 6;  // through the open window
  check_changed("an element again");
  map.host(ts::readwrite, 100, 101)[0] = m[100] = 9;
  check_changed("a guard");
  ts::reverse(map);
  std::reverse(m.begin(), m.end());
  check_changed("a launch");
  map.assign(q, 3);
  std::fill(m.begin(), m.end(), 3);
  check_changed("a fill");
  ts::gather(map, source, map);
  for (int& at : m) at = a[static_cast<std::size_t>(at)] % static_cast<int>(n);
  ts::transform(map, map, [n](auto at) { return at % static_cast<int>(n); });
  check_changed("a gather into the map");
  map.resize(q - 1);
  out.resize(q - 1);
  m.pop_back();
  check_changed("a size");
}

TEST_CASE("what is several times the memory of all devices is gathered, scattered and searched") {
  if (on_gpu()) return;  // a page of a GPU is more than the memory that this gives its devices
  ts::options settings = calm("cpu*2");
  settings.device_memory = std::int64_t{1} << 17;
  settings.host_memory = std::int64_t{64} << 20;
  ts::context ctx(settings);
  const std::int64_t n = 100'000;
  ints a = numbers_below(n, 1 << 20);
  const ints m = shuffled(n);
  {
    const ts::vector<int> source(a, ctx), map(m, ctx);
    const bool is_gathered = ts::gather(map, source).to_host() == gathered(m, a);
    CHECK(is_gathered);
    ts::vector<int> back(n, 0, ctx);
    ts::scatter(ts::gather(map, source), map, back);
    const bool is_back = back.to_host() == a;
    CHECK(is_back);
  }
  std::sort(a.begin(), a.end());
  const ts::vector<int> sorted(a, ctx), queries(m, ctx);
  std::vector<std::int64_t> lower;
  for (const int q : m) lower.push_back(std::lower_bound(a.begin(), a.end(), q) - a.begin());
  const bool is_found = ts::lower_bound(sorted, queries).to_host() == lower;
  CHECK(is_found);
  for (const std::int64_t peak : ctx.stats().peak_bytes) CHECK(peak <= (std::int64_t{1} << 17) * 105 / 100);
}
