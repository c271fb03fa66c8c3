// Skeletons on devices that a program names, and the table that choices follow.
#include <numeric>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::calm;
using support::message_of;
using support::on_ranks;
using support::quiet;
using support::require;
using support::says;

namespace {

options cut(const std::string& devices) {
  options settings = calm(devices);
  settings.small = 0;
  return settings;
}

ts::vector<int> numbers(std::int64_t n, context& ctx) {
  std::vector<int> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return ts::vector<int>(all, ctx);
}

/// A cache directory of its own, without what the environment says.
struct own_cache {
  support::temporary_directory folder;
  support::scoped_variable none{"TESSERA_CACHE_DIR", ""};
  own_cache() { ::unsetenv("TESSERA_CACHE_DIR"); }
  options settings(const std::string& devices) const {
    options made = cut(devices);
    made.cache_dir = folder.path();
    return made;
  }
};

}  // namespace

TEST_CASE("a skeleton runs on the devices that are listed, and on no others") {
  context ctx(cut("cpu*4"));
  ts::vector<int> x = numbers(100'000, ctx), y(100'000, ctx);
  auto next = ts::map([](auto e) { return e + 1; }).on({1, 3});
  const std::string plan = next.explain(y, x);
  INFO(plan);
  CHECK(says(plan, "in 2 superblocks", "on device 1", "on device 3"));
  CHECK(plan.find("on device 0\n") == std::string::npos);
  next.into(y, x);
  CHECK(y.to_host()[99'999] == 100'000);
  next.on({2});
  CHECK(next(x).to_host()[7] == 8);
  next.on(ts::on(3));
  CHECK(next(x).to_host()[7] == 8);
}

TEST_CASE("all skeletons have the same bits on any devices that are listed") {
  context ctx(cut("cpu*4"));
  ts::vector<int> x = numbers(20'000, ctx);
  ts::vector<float> f = ts::map([](auto e) { return 1.0f / (e + 1); })(x);
  ts::matrix<float> m(60, 50, 1.5f, ctx);
  const auto program = [&](const ts::device_choice& where) {
    const ts::placement_scope place(where);
    std::vector<float> all{ts::reduce(f).get()};
    const auto add = [&](const std::vector<float>& more) { all.insert(all.end(), more.begin(), more.end()); };
    add(ts::map([](auto e) { return e * 0.3f; })(f).to_host());
    add(ts::inclusive_scan(f).to_host());
    add(ts::reduce_rows(m).to_host());
    add(ts::reduce_columns(m).to_host());
    for (const ts::edge_mode& edge : {ts::duplicate, ts::cyclic})
      add(ts::map_overlap<2>([](auto c) { return c(-1, 0) + 2 * c(0, 1); }, {1, 1}).edge(edge)(m).to_host());
    add(ts::map_pairs([](auto a, auto b) { return a - b; })(f.part(0, 50), f.part(50, 90)).to_host());
    add(ts::map_pairs_reduce([](auto a, auto b) { return a - b; }, ts::plus())(f.part(0, 50), f.part(50, 90))
            .to_host());
    return all;
  };
  const std::vector<float> expected = program({});
  CHECK(program({3}) == expected);
  CHECK(program({2, 0}) == expected);
  CHECK(program({0, 1, 2, 3}) == expected);
  CHECK(program(support::on_gpu() ? ts::device_choice(ts::cuda) : ts::device_choice(ts::cpu)) == expected);
  CHECK(program(ts::all) == expected);
}

TEST_CASE("a scope holds for skeletons without a choice of their own, and ends") {
  context ctx(cut("cpu*3"));
  ts::vector<int> x = numbers(9'000, ctx), y(9'000, ctx);
  const auto next = ts::map([](auto e) { return e + 1; });
  {
    const ts::placement_scope place({2});
    CHECK(says(next.explain(y, x), "on device 2"));
    const ts::placement_scope inner({1});
    CHECK(says(next.explain(y, x), "on device 1"));
  }
  CHECK(says(next.explain(y, x), "on device 0", "on device 1", "on device 2"));
  CHECK(ts::placement_scope::current() == nullptr);
}

TEST_CASE("what is too small to share runs on the first device that is listed") {
  const support::scoped_variable small("TESSERA_SMALL", "1048576");
  context sharing(calm("cpu*4"));
  ts::vector<int> x = numbers(1000, sharing), y(1000, sharing);
  CHECK(says(ts::map([](auto e) { return e + 1; }).on({2, 3}).explain(y, x), "in 1 superblocks", "on device 2"));
}

TEST_CASE("devices that a context does not have are refused with those that it has") {
  if (support::on_gpu()) return;  // about CPU devices, as the next ones
  context ctx(calm("cpu*2"));
  ts::vector<int> x = numbers(10, ctx);
  const auto next = ts::map([](auto e) { return e + 1; });
  const auto message = [&](const ts::device_choice& where) {
    return message_of<argument_error>([&] {
      auto placed = next;
      (void)placed.on(where)(x);
    });
  };
  CHECK(says(message(ts::cuda), "on_devices_test.cpp:", ".on(ts::cuda)", "it has cpu*2", "TESSERA_DEVICES=cpu*2,cuda"));
  CHECK(says(message({0, 2}), "there is no device 2; the context has 0 to 1"));
  CHECK(says(message(std::vector<int>{}), "lists no device"));
}

TEST_CASE("with devices of two kinds the table decides, and a program may say otherwise") {
  if (support::on_gpu()) return;
  const own_cache cache;
  context ctx(cache.settings("cpu*2,null"));  // null devices run nothing: plans alone are looked at
  const std::vector<algo::kind_facts> kinds = algo::kinds_of(ctx);
  REQUIRE(kinds.size() == 2);
  CHECK(kinds[0].label() == "null*1");
  CHECK(kinds[1].label() == "cpu*2");
  algo::add_rows(ctx, {{"null*1", "map", {{1000, 1e-5}}}, {"cpu*2", "map", {{1000, 1e-6}, {1'000'000, 1.0}}}});
  ts::vector<int> few = numbers(100, ctx), many = numbers(100'000, ctx), few_out(100, ctx), many_out(100'000, ctx);
  auto next = ts::map([](auto e) { return e + 1; });
  CHECK(says(next.explain(few_out, few), "device 0", "device 1"));
  CHECK(says(next.explain(many_out, many), "device 2"));
  next.on(ts::cpu);
  CHECK(says(next.explain(many_out, many), "on device 0", "on device 1"));
  next.on(ts::all);
  CHECK(says(next.explain(many_out, many), "device 2"));
  context later(cache.settings("cpu"));  // the table was kept
  CHECK(algo::tuning_of(later)->table.rows().size() == 2);
}

TEST_CASE("tuning measures every kind of devices and is kept for later contexts") {
  if (support::on_gpu()) return;
  const own_cache cache;
  std::vector<algo::tuning_row> rows;
  {
    context ctx(cache.settings("cpu*2"));
    set_default_context(ctx);
    ts::vector<int> x(1, ctx);
    const auto next = ts::map([](auto e) { return e + 1; });
    rows = ts::tune(next, {100, 3000}, x);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].devices == "cpu*2");
    REQUIRE(rows[0].points.size() == 2);
    CHECK(rows[0].points[1].bytes == 2 * 3000 * 4);
    CHECK(rows[0].points[1].seconds > 0);
    CHECK(ts::tune(ts::map([](auto a, auto b) { return a * b; }), {50})[0].points[0].bytes == 3 * 50 * 4);
    CHECK(ts::tune(ts::map_reduce(ts::identity(), ts::plus()), {50})[0].points[0].bytes == 50 * 4);
    CHECK(algo::tuning_of(ctx)->table.rows().size() == 3);
    CHECK(says(message_of<argument_error>([&] { (void)ts::tune(next, {0}, x); }), "at least one"));
  }
  context later(cache.settings("cpu"));
  const auto kept = algo::tuning_of(later)->table.rows();
  REQUIRE(kept.size() == 3);
  CHECK(kept[0].function == rows[0].function);
  CHECK(kept[0].points[0].bytes == rows[0].points[0].bytes);
}

TEST_CASE("all ranks use the table of rank 0") {
  const own_cache zero, others;
  const auto settings = [&](int rank) { return (rank == 0 ? zero : others).settings("cpu"); };
  {
    context alone(settings(0)), another(settings(1));
    algo::add_rows(alone, {{"cpu*3", "map", {{10, 0.5}}}});
    algo::add_rows(another, {{"cpu*3", "map", {{10, 2.0}, {20, 3.0}}}});
  }
  for (const std::string& e : support::errors_on_ranks(3, settings, [](context& ctx) {
         require(algo::tuning_of(ctx)->table.rows() == std::vector<algo::tuning_row>{{"cpu*3", "map", {{10, 0.5}}}},
                 "a rank has another table");
         algo::add_rows(ctx, {{"cpu*3", "scan", {{10, 1.0 + ctx.rank()}}}});
         require(*algo::tuning_of(ctx)->table.seconds("cpu*3", "scan", 10) == 1.0, "a rank kept its own time");
       }))
    FAIL_CHECK(e);
}
