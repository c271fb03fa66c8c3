#include "tessera/nd/emit/reduce_function.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "tessera/base/checked.h"
#include "tessera/base/index.h"
#include "tessera/nd/emit/meanwhile.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

using pointers = std::vector<std::byte*>;
constexpr std::int64_t strip_columns = 256;

/// What the function of a kernel keeps.
struct reduce_plan {
  group_function elements;
  group_function finished;  // of results, what is stored
  reduction_evaluator combine;
  std::vector<int> along;  // of the axes of the domain, axes of the launch
  std::vector<scalar_kind> outputs;
  bool is_last, is_inner;
  std::size_t divisors_at, divisors;  // bytes in the numbers, and how many
};

/// One call of the function.
class reduce_call {
 public:
  reduce_call(const reduce_plan& plan, native_call& call) : plan_(plan), call_(call), space_(plan.elements, call) {
    for (int j = 0; j < plan.elements.axes(); ++j)
      lengths_[index(plan.along[index(j)])] *= space_[plan.elements.numbers().extent(j)];
    if (plan.divisors > 0) {
      divisors_.resize(plan.divisors);
      std::memcpy(divisors_.data(), call.scalar_bytes(plan.elements.places().numbers).data() + plan.divisors_at,
                  plan.divisors * sizeof(double));
    }
  }

  void run() {
    const auto [x0, x1] = blocks(0, reduce_threads);
    const auto [y0, y1] = blocks(1, 1);
    const auto [z0, z1] = blocks(2, 1);
    const std::int64_t nx = x1 - x0, ny = y1 - y0, nz = z1 - z0;
    call_.parallel_for(nx * ny * nz, [&, x0 = x0, y0 = y0, z0 = z0](std::int64_t unit) {
      const std::int64_t x = x0 + unit % nx, y = y0 + unit / nx % ny, z = z0 + unit / nx / ny;
      if (plan_.is_inner)
        run_chunk(x, y);
      else
        run_strips(x, y, z);
    });
  }

 private:
  [[nodiscard]] std::int64_t tile(int axis) const { return space_[plan_.elements.numbers().tile(axis)]; }
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> blocks(int axis, std::int64_t threads) const {
    const box& points = call_.points();
    if (axis >= points.rank()) return {0, 1};
    return {points.lo[axis] / threads, ceil_div(points.hi[axis], threads)};
  }
  /// Sets the indices on the axes of the domain that run along one of the launch.
  void place(int launch_axis, std::int64_t left, std::array<std::int64_t, max_rank>& at) const {
    for (int j = plan_.elements.axes() - 1; j >= 0; --j) {
      if (plan_.along[index(j)] != launch_axis) continue;
      const std::int64_t n = space_[plan_.elements.numbers().extent(j)];
      at[index(j)] = left % n;
      left /= n;
    }
  }
  void compute(const std::array<std::int64_t, max_rank>& at, std::int64_t count, std::span<std::byte* const> to,
               std::int64_t done, std::int64_t position, std::int64_t step) const {
    const std::vector<scalar_kind>& types = plan_.combine.lanes();
    std::array<kernels::evaluator::target, 48> targets;
    for (std::size_t k = 0; k < to.size(); ++k)
      targets[k] = {to[k] + done * static_cast<std::int64_t>(size_of(types[k])), size_of(types[k])};
    plan_.elements.run(space_, std::span(at).first(index(plan_.elements.axes())), count,
                       std::span(targets).first(to.size()), {position, step, {}, {}});
  }

  void run_chunk(std::int64_t block, std::int64_t rows) const {
    std::array<std::array<std::byte, 16>, 48> state{};
    pointers states;
    for (std::size_t k = 0; k < plan_.combine.pieces().size(); ++k) states.push_back(state[k].data());
    const std::int64_t count = lengths_[0], first = block * tile(0), limit = std::min(first + tile(0), count);
    const int last = plan_.elements.axes() - 1;
    const std::int64_t inner = space_[plan_.elements.numbers().extent(last)];
    for (std::int64_t y = rows * tile(1); y < std::min((rows + 1) * tile(1), lengths_[1]); ++y) {
      std::array<std::int64_t, max_rank> at{};
      place(1, y, at);
      plan_.combine.fold(
          first, limit,
          [&](std::int64_t begin, std::int64_t n, std::span<std::byte* const> to) {
            for (std::int64_t done = 0; done < n;) {
              place(0, begin + done, at);
              const std::int64_t run = std::min(n - done, inner - at[index(last)]);
              compute(at, run, to, done, begin + done, 1);
              done += run;
            }
          },
          states);
      store(states, plan_.is_last ? y : y * ceil_div(count, tile(0)) + block, 1);
    }
  }

  void run_strips(std::int64_t block, std::int64_t pieces, std::int64_t rows) const {
    const std::int64_t own = tile(1) / reduction_order::rows;
    const std::int64_t end = std::min((pieces + 1) * own, ceil_div(lengths_[1], reduction_order::rows));
    for (std::int64_t piece = pieces * own; piece < end; ++piece) run_strip(block, piece, rows);
  }

  void run_strip(std::int64_t block, std::int64_t piece, std::int64_t rows) const {
    const std::int64_t columns = lengths_[0], first = piece * reduction_order::rows;
    const std::int64_t limit = std::min(first + reduction_order::rows, lengths_[1]);
    std::vector<std::vector<std::byte>> memory;
    pointers states;
    for (const scalar_kind type : plan_.combine.pieces()) memory.emplace_back(strip_columns * size_of(type));
    for (std::vector<std::byte>& each : memory) states.push_back(each.data());
    for (std::int64_t z = rows * tile(2); z < std::min((rows + 1) * tile(2), lengths_[2]); ++z)
      for (std::int64_t x = block * tile(0); x < std::min((block + 1) * tile(0), columns); x += strip_columns) {
        const std::int64_t width = std::min({strip_columns, columns - x, (block + 1) * tile(0) - x});
        std::array<std::int64_t, max_rank> at{};
        place(2, z, at);
        at[index(plan_.elements.axes() - 1)] = x;
        plan_.combine.fold_rows(
            first, limit, width,
            [&](std::int64_t row, std::span<std::byte* const> to) {
              place(1, row, at);
              compute(at, width, to, 0, row, 0);
            },
            states);
        const std::int64_t pieces = ceil_div(lengths_[1], reduction_order::rows);
        store(states, (plan_.is_last ? z : z * pieces + piece) * columns + x, width);
      }
  }

  void store(const pointers& states, std::int64_t place, std::int64_t count) const {
    std::array<kernels::evaluator::target, 48> targets;
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      const std::uint32_t size = size_of(plan_.outputs[k]);
      const int parameter = plan_.elements.places().end + static_cast<int>(k);
      targets[k] = {call_.array(parameter).data + place * static_cast<std::int64_t>(size), size};
      if (!plan_.is_last) std::memcpy(targets[k].data, states[k], index(count) * size);
    }
    if (plan_.is_last) finish(states, std::span(targets).first(plan_.outputs.size()), count);
  }

  void finish(const pointers& states, std::span<const kernels::evaluator::target> targets, std::int64_t count) const {
    const std::vector<scalar_kind>& types = plan_.combine.results();
    std::vector<std::byte> memory(index(count) * types.size() * 16);
    std::vector<kernels::evaluator::target> results;
    std::vector<kernels::evaluator::source> known;
    for (std::size_t k = 0; k < types.size(); ++k) {
      std::byte* const own = memory.data() + k * index(count) * 16;
      results.push_back({own, size_of(types[k])});
      known.push_back({own, size_of(types[k]), 0});
    }
    plan_.combine.finish(states, divisors_, results, count);
    const std::array<std::int64_t, max_rank> nowhere{};
    plan_.finished.run(space_, std::span(nowhere).first(index(plan_.finished.axes())), count, targets,
                       {0, 1, known, {}});
  }

  const reduce_plan& plan_;
  native_call& call_;
  group_function::call_space space_;
  std::array<std::int64_t, 3> lengths_{1, 1, 1};
  std::vector<double> divisors_;
};

std::vector<kernels::expression::value> lane_states(const group& made) {
  std::vector<kernels::expression::value> list;
  for (const group_output& output : made.outputs) list.push_back(output.value);
  return list;
}

}  // namespace

native_kernel reduce_function(const reduce_step& step) {
  const group& made = step.reduced.elements;
  std::vector<int> along;
  for (int j = 0; j < step.space.axes(); ++j) along.push_back(step.space.launch_axis(j));
  const std::size_t divisors = step.is_last ? step.functions.divisors.size() : 0;
  const auto plan = std::make_shared<const reduce_plan>(
      reduce_plan{group_function(made, step.space, lane_states(made)),
                  group_function(made, step.space, step.reduced.finished), reduction_evaluator(step.functions), along,
                  step.outputs(), step.is_last, step.reduced.form == reduction_form::inner,
                  divisors == 0 ? 0 : number_offset(made.body, step.first_divisor), divisors});
  return [plan](native_call& call) { reduce_call(*plan, call).run(); };
}

}  // namespace tessera::nd
