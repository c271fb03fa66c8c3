// What arrays take of the memory of their devices.
#include <doctest/doctest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "tessera/base/index.h"
#include "tests/array/on_ranks.h"
#include "tests/nd/support.h"

using namespace tessera::support;

namespace {

/// GPUs give memory in pages of 2 MiB: there everything is larger.
const std::int64_t scale = on_gpu() ? 128 : 1;

/// `budget`: bytes of each device; 0: plenty.
ts::options with_memory(const char* devices, std::int64_t budget) {
  ts::options settings = quiet(devices);
  settings.device_memory = budget > 0 ? std::to_string(budget) : "";
  settings.host_memory = budget > 0 ? std::to_string(16 * budget + (64 << 20)) : "";
  return settings;
}

nd::array floats(std::int64_t n, float factor) {
  return nd::as_type(nd::arange(n) % 1013, ts::scalar_kind::float32) * factor + 1.0f;
}

/// Twenty operations, two of them in place.
nd::array chain_of(const nd::array& x, const nd::array& y) {
  nd::array z = x + y;
  for (int k = 0; k < 6; ++k) z = (z * 0.5f + y) / 1.25f;
  z -= x;
  return z;
}

std::int64_t total(const std::vector<std::int64_t>& list) {
  return std::accumulate(list.begin(), list.end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("twenty operations on arrays of a third of the memory are one launch that spills nothing") {
  for (const char* devices : {"cpu", "cpu*4"}) {
    CAPTURE(devices);
    const std::int64_t budget = scale * (3 << 20);
    const ts::context ctx(with_memory(devices, budget));
    ts::set_default_context(ctx);
    const int count = std::string(devices) == "cpu" ? 1 : 4;
    const std::int64_t n = count * (budget / 3) / 4 / 100 * 94;  // rests of pages
    const nd::array x = floats(n, 0.5f), y = floats(n, 0.25f);
    nd::eval({x, y});
    const nd::graph_stats before = nd::stats();
    const nd::array z = chain_of(x, y);
    nd::eval({z});
    CHECK(nd::stats().nodes - before.nodes >= 20);
    CHECK(nd::stats().launches - before.launches == 1);
    CHECK(nd::stats().declared_bytes - before.declared_bytes == 3 * 4 * n);
    static_cast<void>(z(n - 1).item<float>());
    const ts::statistics s = ctx.stats();
    CHECK(s.evictions == 0);
    CHECK(s.spilled_bytes == 0);
    CHECK(total(s.peak_bytes) <= 3 * 4 * n / 100 * 105);
  }
}

TEST_CASE("operations on more arrays than a device has pages for are several launches") {
  if (on_gpu()) return;  // no GPU has so little memory
  const auto sum_of_many = [] {
    std::vector<nd::array> all;
    for (int k = 0; k < 20; ++k) {
      all.push_back(floats(5000, static_cast<float>(k)));
      nd::eval({all.back()});
    }
    nd::array sum = all[0];
    for (const nd::array& each : all) sum = sum + each;
    return sum.read<float>();
  };
  ts::set_default_context(ts::context(quiet("cpu")));
  const std::vector<float> expected = sum_of_many();
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    ts::options settings = quiet(devices);
    settings.device_memory = settings.host_memory = "64KiB";
    settings.small = 0;
    ts::set_default_context(ts::context(settings));
    CHECK(sum_of_many() == expected);
  }
}

TEST_CASE("arrays of four times the memory give the same bits, and chains of operations on them are one launch") {
  const std::int64_t budget = scale * (256 << 10), n = budget;
  std::vector<float> expected;
  for (const char* devices : {"cpu", "cpu", "cpu*2"}) {
    const bool is_plenty = expected.empty();
    const ts::context ctx(with_memory(devices, is_plenty ? 0 : budget));
    ts::set_default_context(ctx);
    const nd::array x = floats(n, 0.5f), y = floats(n, 0.25f);
    nd::eval({x, y});
    const nd::graph_stats before = nd::stats();
    const nd::array z = chain_of(x, y);
    nd::eval({z});
    CHECK(nd::stats().launches - before.launches == 1);
    const nd::array up = z(nd::_(1, -1)) + z(nd::_(0, -2)), mean = nd::mean(up), most = nd::max(up);
    std::vector<float> found = z.read<float>();
    found.push_back(mean.item<float>());
    found.push_back(most.item<float>());
    found.push_back(nd::cumulative_sum(up, 0)(-1).item<float>());
    if (is_plenty) expected = found;
    CHECK(found == expected);
    CHECK((ctx.stats().evictions > 0) == !is_plenty);
  }
}

TEST_CASE("operations hold on to new arrays up to half of the memory of all devices") {
  for (const char* devices : {"cpu", "cpu*4"}) {
    CAPTURE(devices);
    const int count = std::string(devices) == "cpu" ? 1 : 4;
    const std::int64_t budget = scale * (2 << 20), n = count * budget / 15 / 4;
    const ts::context ctx(with_memory(devices, budget));
    ts::set_default_context(ctx);
    nd::array sum = nd::zeros<float>({n});
    for (int k = 0; k < 40; ++k) sum = sum + nd::from(std::vector<float>(ts::index(n), 1.0f));
    const nd::graph_stats after = nd::stats();
    CHECK(after.flushes == 4);  // one is there before the first operation, and eight are more than half
    CHECK(after.recent.back().find("half of the memory of all devices") != std::string::npos);
    CHECK(sum(n - 1).item<float>() == 40);
    CHECK(ctx.stats().spilled_bytes <= 5 * n * 4);  // of work that was not begun yet
  }
}

TEST_CASE("what is never asked for does not keep the arrays of all rounds of a loop") {
  const std::int64_t budget = scale * (2 << 20), n = budget / 10 / 4;
  const ts::context ctx(with_memory("cpu", budget));
  ts::set_default_context(ctx);
  nd::array x = floats(n, 0.5f), history = nd::zeros<float>({n});
  nd::eval({x});
  for (int k = 0; k < 100; ++k) {
    x = x * 0.5f + 1.0f;
    history = history + x;
    nd::eval({x});
  }
  CHECK(ctx.stats().spilled_bytes <= 10 * n * 4);  // not of 100 rounds
  CHECK(history(0).item<float>() > 190);
}

TEST_CASE("a flush of many launches lets go of what none of the next ones needs") {
  const std::int64_t n = on_gpu() ? 3000 : 300;
  const auto settings = [&](int) { return with_memory("cpu", 7 * n * n * 4); };
  const auto steps = [&](ts::context& ctx) {
    nd::array u = nd::zeros<float>({n, n}, {.ctx = ctx});
    u(0, nd::all) = 1;
    const auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
    for (int k = 0; k < 50; ++k) u(in, in) = 0.25f * (u(up, in) + u(dn, in) + u(in, up) + u(in, dn));
    const bool is_spread = u(20, n / 2).item<float>() > 0;
    require(is_spread, "the steps were not made");
    require(nd::stats(u).flushes == 1, "the steps were not one flush");
    // Work that was not begun yet may hold some more; versions that are kept to the end would be 40.
    require(ctx.stats().spilled_bytes <= 15 * n * n * 4, "versions that nothing needs left the memory");
  };
  for (const int ranks : {1, 2})
    for (const std::string& e : errors_on_ranks(ranks, settings, steps)) FAIL_CHECK(e);
}
