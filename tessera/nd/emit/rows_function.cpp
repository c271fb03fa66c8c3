#include "tessera/nd/emit/rows_function.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/emit/meanwhile.h"
#include "tessera/nd/emit/reduction_evaluator.h"
#include "tessera/nd/number.h"

namespace tessera::nd {
namespace {

using kernels::evaluator;

/// One stage.
struct stage_plan {
  group_function lanes;
  group_function kept;               // its values that later stages need
  std::vector<std::size_t> kept_as;  // and which of the row's they are
  reduction_evaluator combine;
  std::size_t first_result = 0;
  std::size_t divisors_at = 0, divisors = 0;  // bytes in the numbers, and how many
};

/// What the function of a kernel keeps.
struct rows_plan {
  std::vector<stage_plan> stages;
  group_function elements;
  group_function finished;
  std::vector<int> along;    // of the axes of the domain, axes of the launch
  std::vector<int> outputs;  // accesses
  std::vector<scalar_kind> kept, stored;
  std::size_t results = 0;
};

/// The values of one row.
struct row_memory {
  std::vector<std::array<std::byte, 16>> results;
  std::vector<std::vector<std::byte>> kept;
  std::vector<evaluator::source> known_results, known_kept;
  bool is_used = false;

  explicit row_memory(const rows_plan& plan) : results(plan.results) {
    for (const auto& each : results) known_results.push_back({each.data(), 0, 0});
    for (const scalar_kind type : plan.kept) kept.emplace_back(longest_row * size_of(type));
    for (std::size_t k = 0; k < kept.size(); ++k) known_kept.push_back({kept[k].data(), size_of(plan.kept[k]), 0});
  }
};

/// One call of the function.
class rows_call {
 public:
  rows_call(const rows_plan& plan, native_call& call) : plan_(plan), call_(call), space_(plan.elements, call) {
    for (int j = 0; j < plan.elements.axes(); ++j) lengths_[index(plan.along[index(j)])] *= extent(j);
  }

  void run() {
    const box& points = call_.points();
    const std::int64_t tile = space_[plan_.elements.numbers().tile(1)];
    const std::int64_t first = points.rank() > 1 ? points.lo[1] : 0, limit = points.rank() > 1 ? points.hi[1] : 1;
    call_.parallel_for(limit - first, [&](std::int64_t unit) {
      row_memory memory(plan_);
      const std::int64_t begin = (first + unit) * tile;
      for (std::int64_t y = begin; y < std::min(begin + tile, lengths_[1]); ++y) run_row(y, memory);
    });
  }

 private:
  using place = std::array<std::int64_t, max_rank>;
  [[nodiscard]] std::int64_t extent(int axis) const { return space_[plan_.elements.numbers().extent(axis)]; }

  /// Sets the indices on the axes of the domain that run along one of the launch.
  void set(int launch_axis, std::int64_t left, place& at) const {
    for (int j = plan_.elements.axes() - 1; j >= 0; --j) {
      if (plan_.along[index(j)] != launch_axis) continue;
      at[index(j)] = left % extent(j);
      left /= extent(j);
    }
  }

  /// Calls `use(at, count, done)` for runs of elements [begin, begin + n) of a row.
  template <class Use>
  void for_runs(place at, std::int64_t begin, std::int64_t n, Use use) const {
    const int last = plan_.elements.axes() - 1;
    for (std::int64_t done = 0; done < n;) {
      set(0, begin + done, at);
      const std::int64_t run = std::min(n - done, extent(last) - at[index(last)]);
      use(std::span<const std::int64_t>(at).first(index(last + 1)), run, done);
      done += run;
    }
  }

  void run_row(std::int64_t y, row_memory& memory) const {
    place at{};
    set(1, y, at);
    const std::int64_t count = lengths_[0];
    for (const stage_plan& stage : plan_.stages) {
      keep(stage, at, memory);
      combine(stage, at, memory);
    }
    for_runs(at, 0, count, [&](std::span<const std::int64_t> where, std::int64_t n, std::int64_t done) {
      std::array<evaluator::target, group::most_outputs> targets;
      for (std::size_t k = 0; k < plan_.outputs.size(); ++k)
        targets[k] = {space_.address(plan_.outputs[k], where), space_.step(plan_.outputs[k])};
      plan_.elements.run(space_, where, n, std::span(targets).first(plan_.outputs.size()),
                         {done, 1, memory.known_results, memory.known_kept});
    });
    store(y, at, memory);
  }

  void keep(const stage_plan& stage, const place& at, row_memory& memory) const {
    if (stage.kept_as.empty() || (planted("kept_of_other_row") && memory.is_used)) return;
    memory.is_used = true;
    for_runs(at, 0, lengths_[0], [&](std::span<const std::int64_t> where, std::int64_t n, std::int64_t done) {
      std::vector<evaluator::target> targets;
      for (const std::size_t k : stage.kept_as) {
        const std::uint32_t size = size_of(plan_.kept[k]);
        targets.push_back({memory.kept[k].data() + done * static_cast<std::int64_t>(size), size});
      }
      stage.kept.run(space_, where, n, targets, {done, 1, memory.known_results, memory.known_kept});
    });
  }

  void combine(const stage_plan& stage, const place& at, row_memory& memory) const {
    std::vector<std::array<std::byte, 16>> state(stage.combine.pieces().size());
    std::vector<std::byte*> states;
    for (auto& each : state) states.push_back(each.data());
    const std::vector<scalar_kind>& types = stage.combine.lanes();
    stage.combine.fold(
        0, lengths_[0],
        [&](std::int64_t begin, std::int64_t count, std::span<std::byte* const> to) {
          for_runs(at, begin, count, [&](std::span<const std::int64_t> where, std::int64_t n, std::int64_t done) {
            std::vector<evaluator::target> targets;
            for (std::size_t k = 0; k < to.size(); ++k)
              targets.push_back({to[k] + done * static_cast<std::int64_t>(size_of(types[k])), size_of(types[k])});
            stage.lanes.run(space_, where, n, targets, {begin + done, 1, memory.known_results, memory.known_kept});
          });
        },
        states);
    std::vector<double> divisors(stage.divisors);
    if (stage.divisors > 0)
      std::memcpy(divisors.data(), call_.scalar_bytes(stage.lanes.places().numbers).data() + stage.divisors_at,
                  stage.divisors * sizeof(double));
    std::vector<evaluator::target> results;
    for (std::size_t k = 0; k < stage.combine.results().size(); ++k)
      results.push_back({memory.results[stage.first_result + k].data(), size_of(stage.combine.results()[k])});
    stage.combine.finish(states, divisors, results, 1);
  }

  void store(std::int64_t y, const place& at, const row_memory& memory) const {
    if (plan_.stored.empty()) return;
    std::vector<evaluator::target> targets;
    for (std::size_t k = 0; k < plan_.stored.size(); ++k) {
      const std::uint32_t size = size_of(plan_.stored[k]);
      const int parameter = plan_.elements.places().end + static_cast<int>(k);
      targets.push_back({call_.array(parameter).data + y * static_cast<std::int64_t>(size), size});
    }
    plan_.finished.run(space_, std::span(at).first(index(plan_.elements.axes())), 1, targets,
                       {0, 1, memory.known_results, memory.known_kept});
  }

  const rows_plan& plan_;
  native_call& call_;
  group_function::call_space space_;
  std::array<std::int64_t, 3> lengths_{1, 1, 1};
};

std::vector<stage_plan> plan_stages(const rows_step& step) {
  std::vector<stage_plan> stages;
  const group& made = step.rows.elements;
  for (std::size_t k = 0; k < step.rows.stages.size(); ++k) {
    std::vector<kernels::expression::value> values;
    std::vector<std::size_t> kept_as;
    for (std::size_t v = 0; v < step.rows.kept.size(); ++v)
      if (const kept_value& kept = step.rows.kept[v]; kept.is_used && kept.stage == k)
        values.push_back(kept.value), kept_as.push_back(v);
    const stage_functions& with = step.functions[k];
    const std::size_t divisors = with.functions.divisors.size();
    stages.push_back({group_function(made, step.space, step.rows.stages[k].lanes),
                      group_function(made, step.space, values), std::move(kept_as), reduction_evaluator(with.functions),
                      index(step.rows.stages[k].first_result),
                      divisors == 0 ? 0 : number_offset(made.body, with.first_divisor), divisors});
  }
  return stages;
}

}  // namespace

native_kernel rows_function(const rows_step& step) {
  const group& made = step.rows.elements;
  auto plan = std::make_shared<rows_plan>(rows_plan{plan_stages(step),
                                                    group_function(made, step.space),
                                                    group_function(made, step.space, step.rows.finished),
                                                    {},
                                                    {},
                                                    {},
                                                    {}});
  for (int j = 0; j < step.space.axes(); ++j) plan->along.push_back(step.space.launch_axis(j));
  for (const group_output& output : made.outputs) plan->outputs.push_back(output.access);
  for (const kept_value& kept : step.rows.kept) plan->kept.push_back(kept.type);
  for (const node_ptr& n : step.rows.stored) plan->stored.push_back(n->type);
  for (const row_stage& stage : step.rows.stages) plan->results += stage.wanted.size();
  return [plan = std::shared_ptr<const rows_plan>(plan)](native_call& call) { rows_call(*plan, call).run(); };
}

}  // namespace tessera::nd
