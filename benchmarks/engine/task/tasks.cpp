// Many small tasks against StarPU: the same programs, dependencies and work per task on the same number of workers.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/task/programs.h"
#include "benchmarks/engine/task/starpu_process.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

int workers() { return static_cast<int>(std::max(2U, std::thread::hardware_concurrency())); }

/// Both sides, started when the first task benchmark runs.
class arena {
 public:
  arena() : ours_(workers()) {
    for (const char* scheduler : {"eager", "lws", "prio"})
      rivals_.push_back(std::make_unique<starpu_process>(scheduler, workers()));
  }

  task_timing ours(const task_program& program) { return ours_.run(program); }

  /// The scheduler with which StarPU is fastest at `program`.
  starpu_process& best_rival(const task_program& program) {
    std::vector<double> medians;
    for (const auto& rival : rivals_) {
      std::vector<double> times;
      for (int k = 0; k < 5; ++k) times.push_back(rival->run(program).total);
      medians.push_back(quantile(times, 0.5));
    }
    return *rivals_[static_cast<std::size_t>(std::min_element(medians.begin(), medians.end()) - medians.begin())];
  }

  /// Throws unless both sides give what a plain loop gives.
  void check(const task_program& program, starpu_process& rival) {
    const std::uint32_t right = expected_checksum(program);
    if (ours(program).checksum != right) throw error("Tessera's result is wrong");
    if (rival.run(program).checksum != right) throw error("StarPU's result is wrong");
  }

  static arena& shared() {
    static arena only;
    return only;
  }

 private:
  task_runner ours_;
  std::vector<std::unique_ptr<starpu_process>> rivals_;
};

std::string name_of(const starpu_process& rival) { return cat("StarPU (", rival.scheduler(), ")"); }

/// Microseconds per task on either side.
void compare_tasks(session& s, const std::string& name, task_program program, double microseconds,
                   std::optional<double> target) {
  arena& a = arena::shared();
  program.rounds = rounds_in(microseconds);
  starpu_process& rival = a.best_rival(program);
  a.check(program, rival);
  const comparison c =
      compare([&] { return a.ours(program).total; }, [&] { return rival.run(program).total; },
              // Runs of some milliseconds on all cores scatter widely: many of them give a steady median.
              s.scaled({.seconds = target ? 5.0 : 1.5, .most_pairs = 301}));
  s.add_times(name, c, name_of(rival), 1e6 / static_cast<double>(program.tasks), "us/task", target);
}

/// The least work per task, in seconds, with which half of the processors' time is work; `longest` on a machine that is
/// too busy for any.
double smallest_task(const std::function<task_timing(const task_program&)>& run, task_program program) {
  const double parallel = static_cast<double>(std::min<std::int64_t>(program.width, workers()));
  const std::uint64_t rounds_per_us = rounds_in(1);
  constexpr double longest = 1024;
  double smaller = 0.25, efficiency_there = 0;
  for (double work = 0.5; work <= longest; work *= 2) {
    program.rounds = static_cast<std::uint64_t>(work * static_cast<double>(rounds_per_us));
    const double useful = static_cast<double>(program.tasks) * work * 1e-6 / parallel;
    const double efficiency = useful / run(program).total;
    if (efficiency >= 0.5) {
      const double part = (0.5 - efficiency_there) / (efficiency - efficiency_there);
      return smaller * std::pow(work / smaller, part) * 1e-6;
    }
    smaller = work;
    efficiency_there = efficiency;
  }
  return longest * 1e-6;
}

void compare_smallest(session& s, const std::string& name, task_program program) {
  arena& a = arena::shared();
  program.rounds = rounds_in(5);
  starpu_process& rival = a.best_rival(program);
  const comparison c =
      compare([&] { return smallest_task([&](const task_program& p) { return a.ours(p); }, program); },
              [&] { return smallest_task([&](const task_program& p) { return rival.run(p); }, program); },
              s.scaled({.seconds = 2}));
  s.add_times(name, c, name_of(rival), 1e6, "us/task", std::nullopt);
}

void compare_submission(session& s) {
  arena& a = arena::shared();
  const task_program program{task_shape::touch, 2000, 2000, 0};
  starpu_process& rival = a.best_rival(program);
  const comparison c =
      compare([&] { return a.ours(program).submit; }, [&] { return rival.run(program).submit; }, s.scaled({}));
  s.add_times("tasks.submit", c, name_of(rival), 1e6 / 2000, "us/task", std::nullopt);
}

struct named_program {
  const char* name;
  task_program program;
};

std::vector<named_program> shapes() {
  const std::int64_t count = workers();
  return {{"chain", {task_shape::touch, 2000, 1, 0}},
          {"chains", {task_shape::touch, 2000, count, 0}},
          {"independent", {task_shape::touch, 2000, 2000, 0}},
          {"stencil", {task_shape::stencil, 4000, 4 * count, 0}},
          {"narrow_stencil", {task_shape::stencil, 2000, count, 0}}};
}

}  // namespace

std::vector<benchmark> task_benchmarks() {
  std::vector<benchmark> all;
  for (const named_program& p : shapes()) {
    const std::string ten = cat("tasks.10us.", p.name), none = cat("tasks.0us.", p.name);
    all.push_back({ten, [=](session& s) { compare_tasks(s, ten, p.program, 10, 1.0); }});
    all.push_back({none, [=](session& s) { compare_tasks(s, none, p.program, 0, std::nullopt); }});
  }
  for (const auto& [name, program] :
       {named_program{"tasks.smallest.independent", {task_shape::touch, 512, 512, 0}},
        named_program{"tasks.smallest.stencil", {task_shape::stencil, 512, 4 * workers(), 0}}})
    all.push_back(
        {name, [name = std::string(name), program = program](session& s) { compare_smallest(s, name, program); }});
  all.push_back({"tasks.submit", compare_submission});
  all.push_back({"tasks.latency", [](session& s) {
                   compare_tasks(s, "tasks.latency", {task_shape::latency, 200, 1, 0}, 0, std::nullopt);
                 }});
  return all;
}

}  // namespace tessera::bench
