// The texts of compactions, that for GPUs and that for CPUs, give the same: the first one runs on CPUs, too, thread by
// thread.
#include "tessera/algo/exec/emit/emit_text.h"

#include <algorithm>
#include <iterator>

#include "tessera/algo/exec/emit/emit_parts.h"
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

}  // namespace

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
