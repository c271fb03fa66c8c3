// Which calls wait, seen in the timeline: what the host waits for comes by a copy out of each device.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;

namespace {

using ints = std::vector<int>;

/// How often something came from one device to the host while `body(ctx)` ran, at most over all devices.
template <class Body>
std::int64_t copies_out(const std::string& devices, Body body) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tessera_waits." + std::to_string(::getpid()) + ".json");
  {
    ts::options settings = calm(devices);
    settings.small = 0;
    settings.trace = file;
    ts::context ctx(settings);
    body(ctx);
    ctx.wait();
  }
  std::map<std::string, std::int64_t> counts;  // by the numbers of rows
  std::ifstream timeline(file);
  for (std::string line; std::getline(timeline, line);) {
    std::smatch found;
    if (std::regex_search(line, found, std::regex(R"("tid":([0-9]+),"args":\{"name":"[a-z]+:[0-9.]+ copy out")")))
      counts[found[1]] = 0;
    else if (std::regex_search(line, found, std::regex(R"("ph":"X".*"tid":([0-9]+))")) && counts.count(found[1]) > 0)
      ++counts[found[1]];
  }
  std::filesystem::remove(file);
  REQUIRE(!counts.empty());
  std::int64_t most = 0;
  for (const auto& [row, count] : counts) most = std::max(most, count);
  return most;
}

std::int64_t waits_of_sort(const std::string& devices, const ints& a) {
  return copies_out(devices, [&](ts::context& ctx) {
    ts::vector<int> x(a, ctx);
    ts::sort(x);
  });
}

}  // namespace

TEST_CASE("a sort waits twice at most, once for elements in order, and never on one device") {
  const ints mixed = numbers_below(100'000, 1 << 30), few = numbers_below(100'000, 3);
  for (const char* devices : {"cpu*2", "cpu*3", "cpu*7"}) {
    CAPTURE(devices);
    CHECK(waits_of_sort(devices, mixed) == 2);
    CHECK(waits_of_sort(devices, few) == 2);
    CHECK(waits_of_sort(devices, ints(100'000, 3)) == 1);
  }
  CHECK(waits_of_sort("cpu", mixed) == 0);
}

TEST_CASE("compactions wait once, however many outputs they have") {
  const ints a = numbers_below(100'000, 1000);
  const auto waits = [&](const auto& call) {
    return copies_out("cpu*3", [&](ts::context& ctx) {
      ts::vector<int> x(a, ctx);
      call(x);
    });
  };
  const auto holds = [](auto v) { return v < 300; };
  CHECK(waits([&](auto& x) { static_cast<void>(ts::copy_if(x, holds)); }) == 1);
  CHECK(waits([&](auto& x) { static_cast<void>(ts::partition_copy(x, holds)); }) == 1);
  CHECK(waits([&](auto& x) { static_cast<void>(ts::reduce_by_key(x, x)); }) == 1);
}

TEST_CASE("maps, reductions, scans and gathers by a known map return before their input is there") {
  ts::options settings = calm("cpu*2");
  settings.small = 0;
  ts::context ctx(settings);
  const std::int64_t n = 40'000;
  ts::vector<int> x(n, 0, ctx), next(n, 0, ctx), turned(n, 0, ctx), running(n, 0, ctx), before(n, 0, ctx),
      by_key(n, 0, ctx), taken(400, 0, ctx);
  const ts::vector<int> keys(n, 4, ctx), map(numbers_below(400, n), ctx);
  ts::gather(map, keys, taken);  // from here on the map is known
  gate held;
  held.make_kernel(ctx).launch({.threads = {n}}, x);
  ts::transform(x, next, [](auto v) { return v + 1; });
  ts::reverse_copy(next, turned);
  const auto sum = ts::reduce(x, ts::plus());
  const auto count = ts::count_if(x, [](auto v) { return v == 1; });
  ts::inclusive_scan(x, running);
  ts::exclusive_scan(x, before, 3);
  ts::inclusive_scan_by_key(keys, x, by_key);
  const ts::vector<std::int64_t> bins = ts::histogram(x, 3, 0, 3);
  ts::gather(map, next, taken);
  held.open();  // all calls are behind what waits for this
  CHECK(sum.get() == n);
  CHECK(count.get() == n);
  CHECK(turned.to_host() == ints(static_cast<std::size_t>(n), 2));
  CHECK(running[n - 1] == n);
  CHECK(before[n - 1] == n + 2);
  CHECK(by_key[n - 1] == n);
  CHECK(bins.to_host() == std::vector<std::int64_t>{0, n, 0});
  CHECK(taken.to_host() == ints(400, 2));
}
