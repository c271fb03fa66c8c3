#include "tessera/runtime/task_pipeline.h"

#include <time.h>

#include <future>
#include <memory>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/thread_name.h"

namespace tessera::runtime {
namespace {

/// Time that this thread has had a processor.
std::int64_t thread_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

task_pipeline::task_pipeline(const parts& with, plan::planner planner) : with_(with), planner_(std::move(planner)) {
  planner_thread_ = std::thread([this] { plan_loop(); });
  executor_thread_ = std::thread([this] { execute_loop(); });
}

void task_pipeline::close() {
  commands_.close();
  if (planner_thread_.joinable()) planner_thread_.join();
  instructions_.close();
  if (executor_thread_.joinable()) executor_thread_.join();
}

void task_pipeline::submit(plan::task_body body, call_site site) {
  throw_if_stopped();
  const std::lock_guard lock(submit_mutex_);
  commands_.wait_for_room();  // before the task has a number that other ranks hear of
  live_statistics::add(with_.counters.tasks, 1);
  if (has_cores_to_spare()) instructions_.expect();
  plan::task next{task_id(++last_task_), site, std::move(body)};
  with_.sites.add(next.id, site);
  if (with_.calls != nullptr) with_.calls->made(next);
  if (!commands_.push(std::move(next))) throw_if_stopped();
}

void task_pipeline::ask_planner(const std::function<void(const plan::planner&)>& look) {
  throw_if_stopped();
  // Belongs to the command, which is dropped without an answer if planning stops.
  auto answer = std::make_shared<std::promise<void>>();
  std::future<void> answered = answer->get_future();
  std::function<void(const plan::planner&)> question = [&look, answer = std::move(answer)](const plan::planner& now) {
    try {
      look(now);
      answer->set_value();
    } catch (...) {
      answer->set_exception(std::current_exception());
    }
  };
  if (!commands_.push(std::move(question))) throw_if_stopped();
  question = nullptr;
  try {
    answered.get();
  } catch (const std::future_error&) {
    throw_if_stopped();
    throw;
  }
}

std::vector<plan::instruction> task_pipeline::rehearse(
    std::span<const std::shared_ptr<const plan::launch_task>> launches) {
  std::vector<plan::instruction> planned;
  ask_planner([&](const plan::planner& now) {
    plan::planner copy = now;
    for (const auto& launch : launches) copy.plan({task_id(0), {}, launch}, planned);
  });
  return planned;
}

void task_pipeline::flush_calls() {
  if (with_.calls != nullptr) with_.calls->flush();
}

void task_pipeline::end_calls() {
  if (with_.calls == nullptr) return;
  with_.calls->end();
  // Nothing but the log is left to tell of a difference.
  if (with_.network.failed()) log(log_level::error, with_.network.failure().reason);
}

void task_pipeline::plan_loop() {
  name_this_thread("tessera planner");
  std::vector<command> batch;
  std::vector<plan::instruction> out;
  const plan::instruction_taker take = [this](std::vector<plan::instruction>& planned) { hand_over(planned); };
  while (commands_.pop_all(batch)) {
    const std::int64_t begin = thread_time_ns();
    try {
      for (command& c : batch) {
        planned_.fetch_add(1, std::memory_order_relaxed);
        if (auto* t = std::get_if<plan::task>(&c))
          planner_.plan(*t, out, take);
        else
          std::get<1>(c)(planner_);
        if (has_cores_to_spare() && !out.empty() && instructions_.awaited()) hand_over(out);
      }
      if (!out.empty()) hand_over(out);
    } catch (...) {
      stop(std::current_exception());
    }
    batch.clear();  // tasks are destroyed here, too
    live_statistics::add(with_.counters.planning_ns, thread_time_ns() - begin);
  }
}

/// Gives the planned instructions to the executor and takes back the memory of those that have ended.
void task_pipeline::hand_over(std::vector<plan::instruction>& planned) {
  live_statistics::add(with_.counters.instructions, static_cast<std::int64_t>(planned.size()));
  instructions_.push_all(planned);
  with_.issuer.clear_ended();
}

void task_pipeline::execute_loop() {
  name_this_thread("tessera execute");
  std::vector<plan::instruction> batch;
  const auto more = [this](std::vector<plan::instruction>& planned) { instructions_.take(planned); };
  while (instructions_.pop_all(batch)) {
    issuing_ = true;
    try {
      with_.issuer.issue_all(batch, more);
    } catch (...) {
      stop(std::current_exception());
    }
    issuing_ = false;
  }
}

void task_pipeline::stop(const std::exception_ptr& reason) {
  refuse_calls(reason);
  commands_.close();
  instructions_.close();
  with_.tickets.release_all();
  if (with_.network.size() > 1) with_.network.abort(cat("rank ", with_.network.rank().value, " stopped"));
}

void task_pipeline::refuse_calls(const std::exception_ptr& reason) {
  const std::lock_guard lock(stopped_mutex_);
  if (!stopped_) stopped_ = reason;
}

void task_pipeline::throw_if_stopped() {
  const std::lock_guard lock(stopped_mutex_);
  if (stopped_) std::rethrow_exception(stopped_);
}

task_pipeline::load task_pipeline::look() const { return {commands_.size(), instructions_.size(), issuing_, planned_}; }

}  // namespace tessera::runtime
