// The texts for GPUs run on CPUs, too, thread by thread: where sums are exact they give what the texts for CPUs give.
#include <doctest/doctest.h>
#include <tessera/algo.h>

#include <numeric>
#include <vector>

#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/fold_text.h"
#include "tessera/algo/exec/scan_text.h"
#include "tests/algo/container/support.h"

namespace {

namespace algo = ts::algo;

class kernels_of_elements {
 public:
  kernels_of_elements(const ts::vector<int>& x, const ts::context& ctx, bool for_gpus)
      : for_gpus_(for_gpus), ctx_(ctx), given_{algo::input_of(x).argument} {}

  void run(const algo::kernel_text& made, std::int64_t blocks, std::int64_t threads, std::vector<ts::argument> list) {
    ts::kernel_options options;
    options.annotation = made.annotation;
    if (!for_gpus_) options.cpu_source = made.cpu_text;
    text.add_arguments(list);
    ts::launch_options with;
    with.grid = {blocks};
    with.block = {threads};
    ctx_.compile(made.text, made.name, options).launch_with(with, list);
  }

 private:
  bool for_gpus_;
  ts::context ctx_;
  std::vector<algo::call_argument> given_;
  algo::op identity_ = algo::make_op<int>(ts::identity(), ts::call_site::current());
  algo::call bound_ = algo::bind_call("scan", identity_, given_, ts::call_site::current());

 public:
  algo::op plus = algo::make_op<int, int>(ts::plus(), ts::call_site::current());
  algo::operator_text combine{&plus, "combine"};
  algo::call_text text{bound_, 0, "a"};

  [[nodiscard]] const algo::op_text& identity() const { return *identity_.text; }
};

ts::argument use(const ts::vector<int>& v, ts::access mode) {
  const algo::operand all = algo::operand_of(v);
  return {all.elements->for_launch(mode, all.part, ts::call_site::current())};
}

std::vector<int> contents(const ts::vector<int>& v) {
  std::vector<int> list(static_cast<std::size_t>(v.size()));
  for (std::size_t k = 0; k < list.size(); ++k) list[k] = v[static_cast<std::int64_t>(k)];
  return list;
}

void check_scans(std::int64_t n, bool for_gpus, const ts::context& ctx) {
  std::vector<int> values(static_cast<std::size_t>(n)), sums(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<int>(k * 7919 % 1009) - 400;
  const ts::vector<int> x(values, ctx), start(1, 5, ctx);
  const std::int64_t chunks = (n + algo::chunk_elements - 1) / algo::chunk_elements;
  const ts::vector<int> totals(chunks, ctx), out(n, ctx);
  kernels_of_elements kernels(x, ctx, for_gpus);
  kernels.run(algo::chunk_total_text(kernels.identity(), kernels.text, kernels.combine, "int"), chunks,
              algo::scan_threads, {algo::number_argument(n), use(totals, ts::access::write)});
  const algo::op negate = algo::make_op<int>(ts::negate(), ts::call_site::current());
  for (const bool exclusive : {false, true})
    for (const bool negated : {false, true}) {
      std::vector<ts::argument> list{algo::number_argument(n), use(out, ts::access::write),
                                     use(totals, ts::access::read)};
      if (exclusive) list.push_back(use(start, ts::access::read));
      const algo::scan_form form{exclusive, true, true, {negated ? &negate : nullptr, "last"}};
      kernels.run(algo::chunk_scan_text(kernels.identity(), kernels.text, kernels.combine, "int", form), chunks,
                  algo::scan_threads, list);
      if (exclusive)
        std::exclusive_scan(values.begin(), values.end(), sums.begin(), 5);
      else
        std::inclusive_scan(values.begin(), values.end(), sums.begin());
      if (negated)
        for (int& sum : sums) sum = -sum;
      CHECK(contents(out) == sums);
    }
}

void check_reduction(std::int64_t n, std::int64_t length, bool for_gpus, const ts::context& ctx) {
  std::vector<int> values(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<int>(k * 7919 % 1009) - 400;
  const std::int64_t segments = (n + length - 1) / length;
  const ts::vector<int> x(values, ctx), parts(segments, ctx);
  kernels_of_elements kernels(x, ctx, for_gpus);
  kernels.run(algo::segment_fold_text(kernels.identity(), kernels.text, kernels.combine, "int"), segments,
              algo::piece_lanes,
              {algo::number_argument(n), algo::number_argument(length), use(parts, ts::access::write)});
  const std::vector<int> sums = contents(parts);
  CHECK(std::accumulate(sums.begin(), sums.end(), 0) == std::accumulate(values.begin(), values.end(), 0));
}

}  // namespace

TEST_CASE("scans by the totals of chunks and reductions of segments count every element once, in both texts") {
  const ts::context ctx(ts::support::calm("cpu"));  // some segments are larger than hostile memory
  for (const bool for_gpus : {false, true}) {
    for (const std::int64_t n : {1, 4096, 9000, 80'000}) check_scans(n, for_gpus, ctx);
    for (const std::int64_t length : {100, 4096, 5000, 16'384, 40'000})
      for (const std::int64_t n : {1, 130, 4096, 50'001}) check_reduction(n, length, for_gpus, ctx);
  }
}
