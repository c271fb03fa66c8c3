#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tessera/base/text.h"
#include "tessera/comm/transport.h"
#include "tessera/plan/planner.h"
#include "tessera/runtime/execute/executor.h"
#include "tests/plan/cluster.h"
#include "tests/runtime/stub_backend.h"
#include "tests/support/temporary_directory.h"

namespace tessera::support {

/// An executor over one device that does nothing, a planner that feeds it, and the compiler of `stub_backend`. The
/// executor's thread is the caller.
class executor_bench {
 public:
  explicit executor_bench(std::int64_t memory = std::int64_t{1} << 30) : backend(memory) {}

  plan::test::array_handle create(std::int64_t elements) {
    const array_id id(++last_array_);
    run(plan::create_task{id, {elements}, dtype_of<float>(), {}, nullptr});
    return {id, {elements}};
  }

  /// y[i] = f(x[i]); f is kernel `word`.
  void launch(const std::string& word, const plan::test::array_handle& y, const plan::test::array_handle& x) {
    const plan::test::launch_call call{"global i => read x[i], write y[i]", y.shape, {1}, {{"y", y}, {"x", x}}};
    auto task = std::make_shared<plan::launch_task>(*plan::test::cluster::make(call));
    task->kernel = kernel(word)->id;
    task->name = word;
    run(std::shared_ptr<const plan::launch_task>(std::move(task)));
  }

  /// A ticket for everything so far.
  std::shared_ptr<runtime::ticket> fence() {
    auto made = std::make_shared<runtime::ticket>();
    run(plan::fence_task{tickets.add(made)});
    return made;
  }

  /// Plans a task and issues it.
  void run(plan::task_body task) {
    planner_.plan({task_id(++last_task_), {}, std::move(task)}, planned_);
    executor->issue_all(planned_, [](auto&) {});
  }

  /// Issues what is held until no more than `left` instructions are.
  void issue_held(std::size_t left = 0) {
    while (executor->held() > left) {
      while (!woken.exchange(false)) std::this_thread::yield();
      executor->issue_all(planned_, [](auto&) {});
    }
  }

  /// Has kernel `word` compiled by a launch on arrays of its own.
  void warm_up(const std::string& word) {
    launch(word, create(1), create(1));
    executor->drain();
  }

  std::shared_ptr<const runtime::kernel_entry> kernel(const std::string& word) {
    auto& entry = kernels_[word];
    if (!entry) {
      runtime::kernel_entry made;
      made.text = kernels::parse_kernel(
          cat("__global__ void ", word, "(float* y, const float* x) { y[blockIdx.x] = x[blockIdx.x]; }"), word + ".cu");
      made.name = word;
      made.parameters = made.text->parameters;
      entry = library.add(std::move(made));
    }
    return entry;
  }

  stub_backend backend;
  temporary_directory directory;
  memory::residency memory{{{&backend, 0}}, {0, directory.path().string(), std::int64_t{1} << 30}};
  std::shared_ptr<comm::transport> network = comm::make_local_world(1, 0).front();
  runtime::kernel_library library{{&backend}, directory / "cache", {}};
  runtime::failure_table failures;
  runtime::ticket_table tickets;
  runtime::live_statistics statistics;
  std::atomic<bool> woken{false};
  std::unique_ptr<runtime::executor> executor =
      std::make_unique<runtime::executor>(runtime::services{.devices = {{&backend, 0}},
                                                            .memory = memory,
                                                            .network = *network,
                                                            .kernels = library,
                                                            .failures = failures,
                                                            .tickets = tickets,
                                                            .statistics = statistics,
                                                            .wake = [this] { woken = true; }});

 private:
  plan::planner planner_{plan::machine_table::uniform(1, 1), node_id(0), 1};
  std::vector<plan::instruction> planned_;
  std::map<std::string, std::shared_ptr<const runtime::kernel_entry>> kernels_;
  std::uint64_t last_array_ = 0, last_task_ = 0;
};

}  // namespace tessera::support
