// What containers and skeletons cost beyond their launches: the mean squared error of two images as one call of
// map_reduce, against the same kernels launched on plain arrays.
#include <tessera/algo.h>

#include <cmath>

#include "benchmarks/frame/inputs.h"
#include "benchmarks/skepu/applications/application.h"
#include "benchmarks/skepu/skepu_benchmarks.h"
#include "tessera/algo/exec/fold_text.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"

namespace tessera::bench::skepu {
namespace {

const auto squared_difference = [](auto u, auto v) { return (u - v) * (u - v); };

/// The two launches of a map_reduce over floats with the kernels that the skeleton makes, on arrays.
class plain_launches {
 public:
  plain_launches(context ctx, const matrix<float>& x, const matrix<float>& y, const std::vector<float>& px,
                 const std::vector<float>& py)
      : ctx_(std::move(ctx)),
        n_(x.size()),
        x_(ctx_.from<float>(x.shape(), px)),
        y_(ctx_.from<float>(y.shape(), py)),
        segments_(ceil_div(n_, algo::piece_elements)) {
    const call_site here = call_site::current();
    const algo::op add = algo::make_op<float, float>(plus(), here);
    const auto compiled = [&](const auto& function, const auto&... containers) {
      const auto inputs = algo::inputs_of(containers...);
      const algo::op f = algo::op_for(function, inputs, here);
      const std::vector<algo::call_argument> given = algo::listed(inputs);
      const algo::call bound = algo::bind_call("reduce", f, given, here);
      const algo::call_text text(bound, 0, "a");
      const algo::kernel_text made =
          algo::segment_fold_text(bound.text(), text, {&add, "combine"}, algo::type_name<float>());
      kernel_options settings;
      settings.annotation = made.annotation;
      settings.cpu_source = made.cpu_text;
      return ctx_.compile(made.text, made.name, settings);
    };
    first_ = compiled(squared_difference, x, y);
    second_ = compiled(identity(), vector<float>(segments_, ctx_));
  }

  /// Returns at once.
  [[nodiscard]] value<float> sum() {
    const array<float> parts = ctx_.empty<float>({segments_}), total = ctx_.empty<float>({1});
    const std::int64_t length = algo::piece_elements;
    launch_options with;
    with.grid = {segments_};
    with.block = {algo::piece_lanes};
    with.split = like(x_);
    first_->launch(with, n_, length, parts, x_, y_);
    with.grid = {1};
    with.split = like(parts);
    second_->launch(with, segments_, length, total, parts);
    return total.value();
  }

 private:
  context ctx_;
  std::int64_t n_;
  array<float> x_, y_;
  std::int64_t segments_;
  std::optional<kernel> first_, second_;
};

}  // namespace

void measure_mse_overhead(session& s, const std::string& part, std::int64_t side, std::optional<double> target) {
  options chosen;
  chosen.devices = s.devices();
  context ctx(chosen);
  const std::vector<float> px = contents({{side * side}}, 1), py = contents({{side * side}}, 2);
  matrix<float> x(side, side, px, ctx), y(side, side, py, ctx);
  plain_launches plain(ctx, x, y, px, py);
  const auto ours = [&] { return map_reduce(squared_difference, plus())(x, y); };
  const auto plain_call = [&] { return plain.sum(); };
  const float sum = ours().get();
  require(sum > 0 && sum == plain_call().get(), "the plain launches give another sum");
  const std::string name = cat(part, ".mse_overhead.", side);
  const auto add = [&](const std::string& row_name, const comparison& times, double calls, std::optional<double> bar) {
    s.add_times(row_name, times, "the same launches on plain arrays", 1e6 / calls, "us", bar);
    const double more = 1 / times.ratio - 1;
    s.add({row_name + ".percent", 100 * more, 0, "", "%", 0, 0, 0, std::nullopt});
    s.add({row_name + ".difference", more * times.rival * 1e6 / calls, 0, "", "us", 0, 0, 0, std::nullopt});
  };
  const auto waited = [](const auto& call) { return [&] { return seconds_of([&] { (void)call().get(); }); }; };
  const pairing settings = s.scaled({.pairs = 51, .warm_up = 5, .bursts = 4, .seconds = 4});
  add(name, compare(waited(ours), waited(plain_call), settings), settings.bursts, target);
  // What the calling thread spends until the call has returned.
  constexpr int calls = 100;
  const auto issued = [&](const auto& call) {
    return [&] {
      const double seconds = seconds_of([&] {
        for (int k = 0; k < calls; ++k) (void)call();
      });
      ctx.wait();
      return seconds;
    };
  };
  if (!target) add(name + ".call", compare(issued(ours), issued(plain_call), s.scaled({.pairs = 51})), calls, {});
}

std::vector<benchmark> overhead_benchmarks() {
  return {{"skepu.mse_overhead", [](session& s) {
             measure_mse_overhead(s, "skepu", 256, std::nullopt);
             measure_mse_overhead(s, "skepu", s.quick() ? 1024 : 4096, 0.99);
           }}};
}

}  // namespace tessera::bench::skepu
