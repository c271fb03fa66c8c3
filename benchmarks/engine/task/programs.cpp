#include "benchmarks/engine/task/programs.h"

#include <tessera/tessera.h>
#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/frame/harness.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

using cell = std::uint32_t;

std::uint32_t fold(std::uint32_t sum, std::uint32_t value) { return sum * 31 + value; }

void touch_task(native_call& call) {
  busy(call.scalar<std::uint64_t>(0));
  cell& value = *call.data<cell>(1);
  value = touched(value);
}

void stencil_task(native_call& call) {
  busy(call.scalar<std::uint64_t>(0));
  const std::int64_t last = call.array(2).shape[0] - 1;
  cell* to = call.data<cell>(1);
  const cell* from = call.data<cell>(2);
  for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
    to[i] = blended(i > 0 ? from[i - 1] : 0, from[i], i < last ? from[i + 1] : 0);
}

options on(int workers) {
  options settings;
  settings.devices = cat("cpu*", workers);
  return settings;
}

}  // namespace

struct task_runner::state {
  explicit state(int count)
      : workers(count),
        ctx(on(count)),
        touch(ctx.native("touch", "unsigned long long rounds, unsigned* y", "single => readwrite y",
                         {{"cpu", touch_task}})),
        stencil(ctx.native("stencil", "unsigned long long rounds, unsigned* y, const unsigned* x",
                           "global i => write y[i], read x[i-1:i+1]", {{"cpu", stencil_task}})) {}

  task_timing run_touch(const task_program& program) {
    std::vector<array<cell>> data;
    for (std::int64_t k = 0; k < program.width; ++k)
      data.push_back(made({1}, on_device(static_cast<int>(k % workers))));
    ctx.wait();
    const double begin = now();
    for (std::int64_t i = 0; i < program.tasks; ++i)
      touch.launch({.threads = {1}}, program.rounds, data[static_cast<std::size_t>(i % program.width)]);
    return finish(begin, data);
  }

  task_timing run_stencil(const task_program& program) {
    const auto parts = blocks((program.width + workers - 1) / workers);
    array<cell> from = made({program.width}, parts), to = made({program.width}, parts);
    ctx.wait();
    const double begin = now();
    for (std::int64_t step = 0; step < program.tasks / program.width; ++step) {
      stencil.launch({.threads = {program.width}, .block = {1}, .split = blocks(1)}, program.rounds, to, from);
      std::swap(from, to);
    }
    return finish(begin, {from});
  }

  task_timing run_latency(const task_program& program) {
    const array<cell> data = made({1}, on_device(0));
    ctx.wait();
    const double begin = now();
    for (std::int64_t i = 0; i < program.tasks; ++i) {
      touch.launch({.threads = {1}}, program.rounds, data);
      static_cast<void>(data.read());
    }
    return finish(begin, {data});
  }

  /// An array of ones that are on their way; `ctx.wait()` follows.
  template <class Distribution>
  array<cell> made(const extents& shape, const Distribution& placement) {
    static const std::vector<cell> ones(4096, 1);
    array<cell> a = ctx.empty<cell>(shape, placement);
    static_cast<void>(a.write_async(std::span(ones).first(static_cast<std::size_t>(a.size()))));
    return a;
  }

  task_timing finish(double begin, const std::vector<array<cell>>& results) {
    const double submitted = now();
    ctx.wait();
    const double ended = now();
    task_timing t{ended - begin, submitted - begin, 0};
    std::vector<std::vector<cell>> values;
    for (const array<cell>& a : results) {
      values.emplace_back(static_cast<std::size_t>(a.size()));
      static_cast<void>(a.read_async(values.back()));
    }
    ctx.wait();
    for (const std::vector<cell>& some : values)
      for (const cell value : some) t.checksum = fold(t.checksum, value);
    return t;
  }

  int workers;
  context ctx;
  kernel touch, stencil;
};

task_runner::task_runner(int workers) : state_(std::make_unique<state>(workers)) {}
task_runner::~task_runner() = default;

task_timing task_runner::run(const task_program& program) {
  switch (program.shape) {
    case task_shape::touch:
      return state_->run_touch(program);
    case task_shape::stencil:
      return state_->run_stencil(program);
    case task_shape::latency:
      return state_->run_latency(program);
  }
  return {};
}

std::uint32_t expected_checksum(const task_program& program) {
  const auto width = static_cast<std::size_t>(program.width);
  std::vector<cell> now_values(width, 1), next(width, 1);
  if (program.shape != task_shape::stencil) {
    for (std::int64_t i = 0; i < program.tasks; ++i) {
      cell& value = now_values[static_cast<std::size_t>(i % program.width)];
      value = touched(value);
    }
  }
  for (std::int64_t step = 0; program.shape == task_shape::stencil && step < program.tasks / program.width; ++step) {
    for (std::size_t k = 0; k < width; ++k)
      next[k] = blended(k > 0 ? now_values[k - 1] : 0, now_values[k], k + 1 < width ? now_values[k + 1] : 0);
    std::swap(now_values, next);
  }
  std::uint32_t sum = 0;
  for (const cell value : now_values) sum = fold(sum, value);
  return sum;
}

std::uint64_t rounds_in(double microseconds) {
  constexpr std::uint64_t rounds = 100'000;
  double best = std::numeric_limits<double>::max();
  for (int k = 0; k < 30; ++k) best = std::min(best, seconds_of([] { busy(rounds); }));
  return static_cast<std::uint64_t>(microseconds * 1e-6 * static_cast<double>(rounds) / best);
}

}  // namespace tessera::bench
