// Figures 6 and 7: what it saves to leave containers on devices, and what the way of their copies costs.
#include "benchmarks/skepu/applications/application.h"
#include "benchmarks/skepu/skepu_benchmarks.h"
#include "tessera/base/text.h"

namespace tessera::bench::skepu {
namespace {

/// One way to run an application: a context and containers of its own.
struct contestant {
  contestant(const named_application& app, const options& chosen, std::int64_t size, int steps, bool copy_each_call,
             bool is_pageable = false)
      : ctx(chosen) {
    container_options where(ctx);
    where.pageable = is_pageable;
    made = app.make({.size = size, .steps = steps, .where = where, .copy_each_call = copy_each_call});
  }
  /// The seconds of a run whose containers are made before.
  double run() {
    made->prepare();
    ctx.wait();
    const double begin = processor_time();
    const double seconds = seconds_of([&] {
      made->run();
      ctx.wait();
    });
    processor_times.push_back(processor_time() - begin);
    return seconds;
  }

  context ctx;
  std::unique_ptr<application> made;
  std::vector<double> processor_times;  // of all runs
};

/// The time that passed; and that of processors, which other work on the machine disturbs less.
struct race_times {
  comparison passed, processor;
};

race_times race(const session& s, contestant& ours, contestant& rival) {
  for (contestant* each : {&ours, &rival}) {
    (void)each->run();
    each->made->check();
    each->processor_times.clear();
  }
  require(ours.made->result() == rival.made->result(), "both sides give different results");
  const comparison passed = compare([&] { return ours.run(); }, [&] { return rival.run(); },
                                    s.scaled({.pairs = 7, .warm_up = 1, .seconds = 1}));
  return {passed, summary_of(ours.processor_times, rival.processor_times)};
}

struct workload {
  std::size_t app;
  std::vector<std::int64_t> sizes;
  int steps;
};

/// The six applications, small and large, on one device and on two.
void measure_copies(session& s, const workload& w) {
  const named_application& app = paper_applications()[w.app];
  for (const int count : {1, 2})
    for (const std::int64_t size : w.sizes) {
      contestant ours(app, shared_by_all(s, count), size, w.steps, false);
      contestant rival(app, shared_by_all(s, count), size, w.steps, true);
      const race_times times = race(s, ours, rival);
      const std::string series = cat("skepu.figure6.", app.name, ".", count, "_devices");
      const char* rival_name = "the same with flush() after each call";
      s.add_point(series, size, times.passed, rival_name, 1e3, "ms");
      s.add_point(series + ".processor", size, times.processor, rival_name, 1e3, "ms");
    }
}

/// Three applications on two devices: with a flush after each call, which is a step of their loops, with copies through
/// the host, and with windows that are not page-locked.
void measure_ways(session& s, const workload& w) {
  const named_application& app = paper_applications()[w.app];
  const std::int64_t size = w.sizes.back();
  const auto chosen = [&](bool peer) {
    options o = shared_by_all(s, 2);
    o.peer = peer;
    return o;
  };
  contestant ours(app, chosen(true), size, w.steps, false);
  const auto add = [&](const char* bar, const char* rival_name, contestant rival) {
    const race_times times = race(s, ours, rival);
    const std::string name = cat("skepu.figure7.", app.name, ".", bar);
    s.add_times(name, times.passed, rival_name, 1e3, "ms", std::nullopt);
    s.add_times(name + ".processor", times.processor, rival_name, 1e3, "ms", std::nullopt);
  };
  add("flushed", "flush() after each step, page-locked", {app, chosen(true), size, w.steps, true});
  add("flushed_pageable", "flush() after each step, pageable", {app, chosen(true), size, w.steps, true, true});
  add("through_host", "TESSERA_PEER=0", {app, chosen(false), size, w.steps, false});
  add("pageable", "the same, pageable", {app, chosen(true), size, w.steps, false, true});
}

std::vector<workload> workloads() {
  return {{0, {256, 1024}, 20}, {1, {128, 384}, 1},         {2, {256, 1024}, 20},
          {3, {64, 256}, 4},    {4, {1 << 18, 1 << 22}, 1}, {5, {512, 2048}, 1}};
}

}  // namespace

std::vector<benchmark> figure_benchmarks() {
  std::vector<benchmark> list;
  for (const workload& w : workloads())
    list.push_back({"skepu.figure6." + paper_applications()[w.app].name, [=](session& s) { measure_copies(s, w); }});
  for (const workload& w : workloads())
    if (w.app < 3)
      list.push_back({"skepu.figure7." + paper_applications()[w.app].name, [=](session& s) { measure_ways(s, w); }});
  return list;
}

}  // namespace tessera::bench::skepu
