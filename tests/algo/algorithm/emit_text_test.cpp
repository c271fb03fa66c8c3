// The texts of compactions, that for GPUs and that for CPUs, give the same: the first one runs on CPUs, too, thread by
// thread.
#include "tessera/algo/exec/emit/emit_text.h"

#include <algorithm>
#include <iterator>

#include "tessera/algo/exec/emit/emit_parts.h"
#include "tessera/algo/exec/emit/reduced_text.h"
#include "tests/algo/algorithm/support.h"

using namespace tessera::support;
namespace algo = ts::algo;

namespace {

ts::argument use(const ts::vector<int>& v, ts::access mode) {
  const algo::operand all = algo::operand_of(v);
  return {all.elements->for_launch(mode, all.part, ts::call_site::current())};
}
ts::argument use(const ts::vector<std::int64_t>& v) {
  const algo::operand all = algo::operand_of(v);
  return {all.elements->for_launch(ts::access::read, all.part, ts::call_site::current())};
}

/// The elements of `a` that are below `limit`, or are not, by one of the texts.
std::vector<int> compacted(const ts::context& ctx, const std::vector<int>& a, int limit, bool wanted, bool for_gpus) {
  const auto n = std::ssize(a), chunks = (n + algo::emit_chunk - 1) / algo::emit_chunk;
  std::vector<std::int64_t> offsets{0}, counts;
  for (std::int64_t b = 0; b < chunks; ++b) {
    const std::int64_t first = b * algo::emit_chunk, last = std::min(n, first + algo::emit_chunk);
    counts.push_back(std::count_if(a.begin() + first, a.begin() + last, [&](int v) { return v < limit; }));
    offsets.push_back(offsets.back() + (wanted ? counts.back() : last - first - counts.back()));
  }
  const ts::vector<int> x(a, ctx);
  ts::vector<int> out(offsets.back(), 0, ctx);
  const ts::vector<std::int64_t> begins(offsets.begin(), offsets.end() - 1, ctx), held(counts, ctx);
  const std::vector<algo::call_argument> given{algo::input_of(x).argument};
  const ts::call_site here = ts::call_site::current();
  const algo::op holds = algo::make_op<int>([limit](auto v) { return v < limit; }, here),
                 own = algo::make_op<int>(ts::identity(), here);
  const algo::call flag = algo::bind_call("copy_if", holds, given, here),
                   value = algo::bind_call("copy_if", own, given, here);
  const algo::call_text flags(flag, 0, "flag"), values(value, 0, "v");
  const algo::kernel_text made =
      algo::emit_text(*holds.text, flags, {{own.text.get(), &values, {"out", "int", 1, 0, false}}});
  ts::kernel_options options;
  options.annotation = made.annotation;
  if (!for_gpus) options.cpu_source = made.cpu_text;
  std::vector<ts::argument> list{algo::number_argument(n), algo::number_argument(wanted ? 1 : 0), use(begins),
                                 use(held), use(out, ts::access::write)};
  flags.add_arguments(list);
  values.add_arguments(list);
  ts::launch_options with;
  with.grid = {chunks};
  with.block = {algo::emit_threads};
  with.tables = {{"rows", ts::intervals(offsets)}};
  ts::context(ctx).compile(made.text, made.name, options).launch_with(with, list);
  return out.to_host();
}

/// The keys of segments and their values combined, by one of the texts; carries are combined on the host.
std::pair<std::vector<int>, std::vector<long long>> reduced(const ts::context& ctx, const std::vector<int>& keys,
                                                            const std::vector<int>& values, bool for_gpus) {
  const ts::call_site here = ts::call_site::current();
  const auto n = std::ssize(keys), chunks = (n + algo::emit_chunk - 1) / algo::emit_chunk;
  const auto is_end = [&](std::int64_t i) {
    return i + 1 == n || keys[static_cast<std::size_t>(i)] != keys[static_cast<std::size_t>(i + 1)];
  };
  const ts::vector<int> k(keys, ctx), v(values, ctx);
  const algo::sequence all = algo::sequence_of(k, here);
  const algo::segment_values segments =
      algo::values_of_segments<int, int>(all, algo::sequence_of(v, here), ts::equal_to(), ts::plus(), here);
  const algo::sequence end_flags = algo::ends_of<int>(all, ts::equal_to(), here);
  const auto launch = [&](const algo::kernel_text& made, const ts::launch_options& with,
                          const std::vector<ts::argument>& list) {
    ts::kernel_options options;
    options.annotation = made.annotation;
    if (!for_gpus) options.cpu_source = made.cpu_text;
    ts::context(ctx).compile(made.text, made.name, options).launch_with(with, list);
  };
  ts::launch_options with;
  with.grid = {chunks};
  with.block = {algo::emit_threads};

  ts::vector<algo::headed<int>> tails(chunks, {}, ctx);
  const algo::call headed = segments.headed.bound("reduce_by_key");
  const algo::call_text headed_text(headed, 0, "a");
  const algo::operand all_tails = algo::operand_of(tails);
  std::vector<ts::argument> list{algo::number_argument(n),
                                 {all_tails.elements->for_launch(ts::access::write, all_tails.part, here)}};
  headed_text.add_arguments(list);
  launch(algo::chunk_tail_text(headed.text(), headed_text, {&segments.within, "combine"}, segments.headed_type), with,
         list);
  std::vector<algo::headed<int>> carries = tails.to_host();
  for (std::size_t c = 1; c < carries.size(); ++c)
    if (!carries[c].has_head) carries[c] = {carries[c - 1].value + carries[c].value, carries[c - 1].has_head};

  std::vector<std::int64_t> offsets{0}, counts;
  for (std::int64_t b = 0; b < chunks; ++b) {
    std::int64_t count = 0;
    for (std::int64_t i = b * algo::emit_chunk; i < std::min(n, (b + 1) * algo::emit_chunk); ++i) count += is_end(i);
    counts.push_back(count);
    offsets.push_back(offsets.back() + count);
  }
  const ts::vector<std::int64_t> begins(offsets.begin(), offsets.end() - 1, ctx), held(counts, ctx);
  const ts::vector<algo::headed<int>> carry(carries, ctx);
  ts::vector<int> keys_out(offsets.back(), 0, ctx);
  ts::vector<long long> sums(offsets.back(), 0, ctx);
  const algo::operand all_sums = algo::operand_of(sums), carried = algo::operand_of(carry);
  const algo::call bound[] = {end_flags.bound("reduce_by_key"), segments.heads.bound("reduce_by_key"),
                              segments.values.bound("reduce_by_key"), all.bound("reduce_by_key")};
  std::vector<algo::call_text> texts;
  for (std::size_t c = 0; c < 4; ++c) texts.emplace_back(bound[c], 0, "c" + std::to_string(c) + "_");
  with.tables = {{"rows", ts::intervals(offsets)}};
  list = {algo::number_argument(n),
          use(begins),
          use(held),
          {carried.elements->for_launch(ts::access::read, carried.part, here)},
          {all_sums.elements->for_launch(ts::access::write, all_sums.part, here)},
          use(keys_out, ts::access::write)};
  for (const algo::call_text& text : texts) text.add_arguments(list);
  launch(algo::reduced_text({&bound[0].text(),
                             &texts[0],
                             &bound[1].text(),
                             &texts[1],
                             &bound[2].text(),
                             &texts[2],
                             {&segments.combine, "combine"},
                             "int",
                             "long long"},
                            {{&bound[3].text(), &texts[3], {"out0", "int", 1, 0, false}}}),
         with, list);
  return {keys_out.to_host(), sums.to_host()};
}

}  // namespace

TEST_CASE("both texts of reduce_by_key combine segments within chunks and across them") {
  const ts::context ctx(calm("cpu*2"));
  for (const bool for_gpus : {true, false})
    for (const std::int64_t n : {1, 17, 300, 4096, 4097, 20'000})
      for (const std::int64_t length : {1, 3, 40, 700, 9000}) {
        CAPTURE(for_gpus);
        CAPTURE(n);
        CAPTURE(length);
        std::vector<int> keys, expected_keys;
        const std::vector<int> values = numbers_below(n, 1000), jumps = numbers_below(n, length, 2);
        std::vector<long long> expected;
        int key = 0;
        for (std::size_t k = 0; k < values.size(); ++k) {
          if (jumps[k] == 0) ++key;
          if (k == 0 || keys.back() != key) expected_keys.push_back(key), expected.push_back(0);
          keys.push_back(key);
          expected.back() += values[k];
        }
        const auto got = reduced(ctx, keys, values, for_gpus);
        CHECK(got.first == expected_keys);
        CHECK(got.second == expected);
      }
}

TEST_CASE("both texts of a compaction keep the same elements in order") {
  const ts::context ctx(calm("cpu*2"));
  for (const bool for_gpus : {true, false})
    for (const std::int64_t n : {1, 33, 255, 4096, 4097, 12'345})
      for (const int limit : {1, 500, 999, 1000})
        for (const bool wanted : {true, false}) {
          CAPTURE(for_gpus);
          CAPTURE(n);
          CAPTURE(limit);
          const std::vector<int> a = numbers_below(n, 1000);
          std::vector<int> expected;
          std::copy_if(a.begin(), a.end(), std::back_inserter(expected), [&](int v) { return (v < limit) == wanted; });
          if (!expected.empty()) CHECK(compacted(ctx, a, limit, wanted, for_gpus) == expected);
        }
}
