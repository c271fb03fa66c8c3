// The texts of sorts for GPUs run on CPUs, too, thread by thread, and compile for GPUs where there is a compiler.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/sort/sort_plan.h"
#include "tessera/algo/exec/sort/tile_sort_text.h"
#include "tests/algo/algorithm/support.h"
#include "tests/support/cuda_compiling.h"

using namespace tessera::support;
namespace algo = ts::algo;

TS_DEVICE(struct wide_key {
  int group;
  int rest[8];
};
struct by_group {
  bool operator()(wide_key a, wide_key b) const { return a.group < b.group;
}
}
;
struct bounded {
  int limit;
  bool operator()(int a, int b) const { return (a < limit ? a : limit) < (b < limit ? b : limit); }
};)

namespace {
  template <class K>
  struct typed {
    ts::algo::op before;
    algo::sort_types types;

    template <class Before>
    typed(const Before& order, bool has_values) : before(algo::make_op<K, K>(order, ts::call_site::current())) {
      types.key = algo::type_name<K>();
      types.key_element = ts::dtype_of<K>();
      if (has_values) {
        types.value = "long long";
        types.value_element = ts::dtype_of<long long>();
      }
      types.before = &before;
    }
    typed(const typed&) = delete;
  };

  void launch(ts::context ctx, const algo::kernel_text& text, const ts::launch_options& with,
              std::vector<ts::argument> list, const algo::op& before) {
    ts::kernel_options options;
    options.annotation = text.annotation;
    if (before.text->has_state)
      list.push_back(
          {ts::argument::scalar{ts::dtype::structure(before.state.size(), before.state_alignment), before.state}});
    ctx.compile(text.text, text.name, options).launch_with(with, list);
  }

  /// Sorts keys with their places by tiles and merges of neighbours, as GPUs do.
  template <class K, class Before>
  void check_tiles(std::vector<K> keys, const Before& before, const ts::context& given) {
    ts::context ctx = given;
    const typed<K> all(before, true);
    const std::int64_t n = std::ssize(keys), tile = algo::gpu_tile_elements(all.types);
    std::vector<long long> places(keys.size());
    std::iota(places.begin(), places.end(), 0);
    auto x = ctx.from<K>({n}, keys), y = ctx.empty<K>({n});
    auto v = ctx.from<long long>({n}, places), w = ctx.empty<long long>({n});
    ts::launch_options with;
    with.grid = {(n + tile - 1) / tile};
    with.block = {algo::sort_threads};
    const auto use = [](const auto& a) { return ts::argument::from(a); };
    launch(ctx, algo::tile_sort_text(all.types), with, {algo::number_argument(n), use(x), use(x), use(v), use(v)},
           all.before);
    for (std::int64_t width = tile; width < n; width *= 2) {
      launch(ctx, algo::neighbour_merge_text(all.types), with,
             {algo::number_argument(n), algo::number_argument(width), use(x), use(y), use(v), use(w)}, all.before);
      std::swap(x, y);
      std::swap(v, w);
    }
    std::stable_sort(places.begin(), places.end(), [&](long long a, long long b) {
      return before(keys[static_cast<std::size_t>(a)], keys[static_cast<std::size_t>(b)]);
    });
    CHECK(v.read() == places);
    const std::vector<K> sorted = x.read();
    bool same = true;
    for (std::size_t k = 0; k < keys.size(); ++k)
      same = same && std::memcmp(&sorted[k], &keys[static_cast<std::size_t>(places[k])], sizeof(K)) == 0;
    CHECK(same);
  }

  std::vector<wide_key> wide_keys(std::int64_t n) {
    std::vector<wide_key> all;
    for (const int k : numbers_below(n, 50)) all.push_back({k, {k + 1, static_cast<int>(all.size())}});
    return all;
  }

}  // namespace

TEST_CASE("thread blocks sort tiles and merge neighbours stably") {
  const ts::context ctx(calm("cpu"));
  for (const std::int64_t n : {1, 7, 255, 2048, 2049, 5000, 9001}) {
    CAPTURE(n);
    check_tiles<int>(numbers_below(n, 1000), ts::less(), ctx);
    check_tiles<int>(numbers_below(n, 1000), bounded{500}, ctx);
    check_tiles<double>(numbers_below<double>(n, 3), ts::greater(), ctx);
  }
  for (const std::int64_t n : {1, 300, 1500}) check_tiles<wide_key>(wide_keys(n), by_group(), ctx);
}

TEST_CASE("merges of two pairs of runs are made in tiles, on GPUs and on CPUs") {
  ts::context ctx(calm("cpu"));
  // Runs [0, 7001) and [0, 3003), and what follows them: much longer than the other, and equal elements.
  std::vector<int> left = numbers_below(7001, 900), right = numbers_below(3003, 900, 4);
  std::vector<int> more_left(40, 5), more_right = numbers_below(6000, 12, 8), expected;
  for (std::vector<int>* run : {&left, &right, &more_left, &more_right}) std::sort(run->begin(), run->end());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(expected));
  std::merge(more_left.begin(), more_left.end(), more_right.begin(), more_right.end(), std::back_inserter(expected));
  left.insert(left.end(), more_left.begin(), more_left.end());
  right.insert(right.end(), more_right.begin(), more_right.end());
  const typed<int> all(ts::less(), false);
  const algo::segment_table segments{2, 3, {{0, 7001}, {0, 3003}, {0, 0}, {0, 0}, {7001, 7041}, {3003, 9003}}};
  const std::vector<std::int64_t> begins{0, 10004, 10004, 16044};
  const std::vector<int> devices{0, 0, 0};
  const algo::merge_round round = algo::plan_round(segments, begins, devices);
  REQUIRE(round.steps.size() == 2);
  const algo::round_tables tables = algo::tables_of(round.steps);
  auto merges = ctx.empty<std::int64_t>({2, algo::merge_step_numbers});
  merges.write_bytes(std::as_bytes(std::span(round.steps)));
  const auto x = ctx.from<int>({7041}, left), y = ctx.from<int>({9003}, right);
  for (const bool for_gpus : {true, false}) {
    CAPTURE(for_gpus);
    const auto out = ctx.empty<int>({16044});
    const std::int64_t tile = for_gpus ? algo::gpu_tile_elements(all.types) : 700, tiles = (10004 + tile - 1) / tile;
    ts::launch_options with;
    with.grid = {2 * tiles};
    with.block = {algo::sort_threads};
    with.tables = {{"left", tables.left}, {"right", tables.right}, {"made", tables.made}};
    const algo::kernel_text text = algo::merge_text(all.types);
    ts::kernel_options options;
    options.annotation = text.annotation;
    if (!for_gpus) options.cpu_source = text.cpu_text;
    ctx.compile(text.text, text.name, options)
        .launch(with, static_cast<long long>(tiles), static_cast<long long>(tile), merges, x, y, out);
    CHECK(out.read() == expected);
  }
}

TEST_CASE("the texts of sorts compile for GPUs") {
  if (!can_compile_for_cuda()) return;
  cuda_sources sources;
  const typed<int> ints(ts::less(), true);
  const typed<unsigned char> bytes(ts::greater(), false);
  const typed<wide_key> wide(by_group(), true);
  const typed<int> stateful(bounded{3}, false);
  const typed<double> traced([](auto a, auto b) { return a * a < b * b; }, true);
  for (const algo::sort_types* types : {&ints.types, &bytes.types, &wide.types, &stateful.types, &traced.types})
    for (const auto& text : {algo::sample_text(*types), algo::cut_text(*types), algo::merge_text(*types),
                             algo::tile_sort_text(*types), algo::neighbour_merge_text(*types)})
      sources.add(text.text, text.name);
  CHECK(sources.size() >= 25);
  for (const std::string& failure : sources.failures()) FAIL_CHECK(failure);
}
