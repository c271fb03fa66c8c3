// What planning costs as launches are cut finer and as programs run longer: both must stay flat. The rival is
// ourselves at the beginning.
#include <unistd.h>

#include <tessera/tessera.h>
#include <fstream>
#include <memory>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "tessera/base/text.h"
#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/planner.h"
#include "tessera/plan/split/cache.h"

namespace tessera::bench {
namespace {

constexpr double flat = 1 / 1.5;  // the last may cost 1.5 times the first

/// A stencil loop on two arrays, cut by hand into equal superblocks, planned for one rank of four devices. Only the
/// planner runs.
class planned_stencil {
 public:
  explicit planned_stencil(std::int64_t superblocks)
      : shape_{superblocks * points_each},
        machine_(plan::machine_table::uniform(1, 4)),
        splits_(machine_, node_id(0)),
        planner_(machine_, node_id(0), 1) {
    plan::layout home;
    home.form = plan::layout::kind::tiles;
    home.tile = {points_each};
    parts_ = splits_.partition_for(home, shape_);
    for (const array_id id : {first_, second_}) {
      run(plan::create_task{id, shape_, dtype_of<float>(), home, parts_});
      run(plan::fill_task{id, box::whole(shape_), std::vector<std::byte>(sizeof(float))});
    }
    forth_ = make_launch(first_, second_);
    back_ = make_launch(second_, first_);
  }

  /// The seconds that planning `count` launches takes.
  double plan_launches(std::int64_t count) {
    return seconds_of([&] {
      for (std::int64_t k = 0; k < count; ++k) run(planned_++ % 2 == 0 ? forth_ : back_);
    });
  }

  /// The seconds that cutting the launch takes when it was not cut before.
  [[nodiscard]] double cut() const {
    return seconds_of([&] { static_cast<void>(plan::split_launch(shape_of_launch(*forth_), machine_, node_id(0))); });
  }

  [[nodiscard]] std::size_t tracked() const { return planner_.tracked(); }

 private:
  static constexpr std::int64_t points_each = 256;

  void run(plan::task_body body) {
    planner_.plan({task_id(++last_task_), {}, std::move(body)}, out_, take_);
    take_(out_);
  }

  [[nodiscard]] plan::launch_shape shape_of_launch(const plan::launch_task& t) const {
    return plan::shape_of(t, [&](const plan::launch_array& a) {
      return plan::array_slot{a.parameter == 0 ? "output" : "input", shape_, dtype_of<float>(), parts_};
    });
  }

  std::shared_ptr<const plan::launch_task> make_launch(array_id input, array_id output) {
    auto made = std::make_shared<plan::launch_task>();
    made->name = "stencil";
    made->space = {shape_, {points_each}};
    made->split.form = plan::split_spec::kind::blocks;
    made->split.blocks = {points_each};
    made->arrays = {{0, output, box::whole(shape_)}, {1, input, box::whole(shape_)}};
    plan::annotation a = plan::parse_annotation("global i => write output[i], read input[i-1:i+1]");
    const std::vector<plan::parameter_info> parameters{{"output", true, false}, {"input", true, true}};
    plan::check_against(a, parameters);
    const std::vector<plan::array_argument> arguments{{&shape_, true}, {&shape_, true}};
    made->accesses = std::make_shared<const plan::access_pattern>(plan::bind(a, {{}, arguments}));
    made->plan = splits_.split(shape_of_launch(*made));
    return made;
  }

  extents shape_;
  plan::machine_table machine_;
  plan::split_cache splits_;
  plan::planner planner_;
  plan::instruction_taker take_ = [](std::vector<plan::instruction>& planned) { planned.clear(); };
  plan::partition_ptr parts_;
  const array_id first_{1}, second_{2};
  std::shared_ptr<const plan::launch_task> forth_, back_;
  std::vector<plan::instruction> out_;
  std::uint64_t last_task_ = 0, planned_ = 0;
};

void per_superblock(session& s) {
  constexpr std::int64_t few = 10, total = 20'000;  // superblocks planned in one run
  planned_stencil first(few);
  for (const std::int64_t many : {100, 1'000, 10'000}) {
    planned_stencil last(many);
    const comparison planning = compare([&] { return last.plan_launches(total / many); },
                                        [&] { return first.plan_launches(total / few); }, s.scaled({}));
    const std::optional<double> target = many == 10'000 ? std::optional(flat) : std::nullopt;
    s.add_times(cat("planning.per_superblock.", many), planning, cat(few, " superblocks"), 1e6 / total, "us/superblock",
                target);
  }
  const planned_stencil last(10'000);
  const auto cut_few = [&] {
    double sum = 0;
    for (int k = 0; k < 100; ++k) sum += first.cut();
    return sum * 10'000 / (100 * few);
  };
  s.add_times("planning.first_cut_per_superblock.10000", compare([&] { return last.cut(); }, cut_few, s.scaled({})),
              cat(few, " superblocks"), 1e6 / 10'000, "us/superblock", std::nullopt);
}

/// A planner that has seen a million launches beside fresh ones.
void per_launch(session& s) {
  constexpr std::int64_t superblocks = 8, window = 1'000;
  const std::int64_t launches = s.quick() ? 50'000 : 1'000'000;
  planned_stencil old(superblocks);
  old.plan_launches(window);
  const std::size_t tracked_at_first = old.tracked();
  old.plan_launches(launches - window);
  const auto fresh = [&] { return planned_stencil(superblocks).plan_launches(window); };
  const comparison c = compare([&] { return old.plan_launches(window); }, fresh, s.scaled({}));
  s.add_times(cat("planning.per_launch.", launches), c, cat("the first ", window, " launches"), 1e6 / window,
              "us/launch", flat);
  const double before = static_cast<double>(tracked_at_first), after = static_cast<double>(old.tracked());
  s.add_figures(cat("planning.tracked_state.", launches), after, before, cat("after ", window, " launches"), "pieces",
                flat);
}

double resident_megabytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Everything between launch() and the end of a task, in a context that has run for long beside a young one.
class running_loop {
 public:
  running_loop()
      : ctx_(settings()), kernel_(ctx_.native("step", "float* y, const float* x", rules, {{"null", nothing}})) {}

  double launch(std::int64_t count) {
    return seconds_of([&] {
      for (std::int64_t k = 0; k < count; ++k) {
        kernel_.launch({.threads = {64}, .block = {8}}, to_, from_);
        std::swap(to_, from_);
      }
      ctx_.wait();
    });
  }
  [[nodiscard]] double tracked() const { return static_cast<double>(ctx_.stats().tracked_state); }

 private:
  static constexpr const char* rules = "global i => write y[i], read x[i-1:i+1]";
  static void nothing(native_call&) {}
  static options settings() {
    options o;
    o.devices = "null*4";
    return o;
  }

  context ctx_;
  kernel kernel_;
  array<float> from_ = ctx_.zeros<float>({64}), to_ = ctx_.zeros<float>({64});
};

void running(session& s) {
  constexpr std::int64_t window = 2'000, first = 20'000;  // by then all queues have been full
  const std::int64_t launches = s.quick() ? 50'000 : 1'000'000;
  running_loop old, young;
  old.launch(first);
  const double tracked_at_first = old.tracked(), memory_at_first = resident_megabytes();
  old.launch(launches - first);
  const double memory = resident_megabytes();
  young.launch(window);
  const comparison c = compare([&] { return old.launch(window); }, [&] { return young.launch(window); }, s.scaled({}));
  s.add_times(cat("running.per_launch.", launches), c, "a young context", 1e6 / window, "us/launch", flat);
  const std::string at_first = cat("after ", first, " launches");
  s.add_figures(cat("running.tracked_state.", launches), old.tracked(), tracked_at_first, at_first, "pieces", flat);
  s.add_figures(cat("running.resident_memory.", launches), memory, memory_at_first, at_first, "MB", flat);
}

/// One rank of many, of which the others are pretended: what planning a stencil launch costs it. A rank has eight
/// devices, as a node has GPUs; a single rank sends and receives nothing, so with fewer devices the four messages of
/// the others weigh more.
class pretended_stencil {
 public:
  explicit pretended_stencil(int nodes) : ctx_(settings(nodes)), n_(nodes * elements_each) {
    from_ = ctx_.zeros<float>({n_});
    to_ = ctx_.zeros<float>({n_});
    kernel_ = ctx_.native("step", "float* y, const float* x", "global i => write y[i], read x[i-1:i+1]",
                          {{"null", [](native_call&) {}}});
    plan(4);
  }

  /// The seconds that the planner spends on `count` launches.
  double plan(int count) {
    ctx_.wait();
    const std::int64_t before = ctx_.stats().planning_ns;
    for (int k = 0; k < count; ++k) {
      kernel_.launch({.threads = {n_}, .block = {64}}, to_, from_);
      std::swap(to_, from_);
    }
    ctx_.wait();
    return static_cast<double>(ctx_.stats().planning_ns - before) / 1e9;
  }

 private:
  static constexpr std::int64_t elements_each = 8192;
  static options settings(int nodes) {
    options o;
    o.devices = "null*8";
    o.dry_run_nodes = nodes;
    return o;
  }

  context ctx_;
  std::int64_t n_;
  array<float> from_, to_;
  kernel kernel_;
};

void per_node(session& s) {
  constexpr int launches = 5000;  // so many that the planner works without pauses
  pretended_stencil one(1);
  for (const int nodes : {4, 16, 64, 256}) {
    pretended_stencil many(nodes);
    const comparison c = compare([&] { return many.plan(launches); }, [&] { return one.plan(launches); }, s.scaled({}));
    const std::optional<double> target = nodes == 256 ? std::optional(flat) : std::nullopt;
    s.add_times(cat("planning.nodes.", nodes), c, "one node", 1e6 / launches, "us/launch", target);
  }
}

}  // namespace

std::vector<benchmark> planning_benchmarks() {
  return {{"planning.per_superblock", per_superblock},
          {"planning.per_launch", per_launch},
          {"planning.nodes", per_node},
          {"running", running}};
}

}  // namespace tessera::bench
