#include "tessera/runtime/engine.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/base/thread_name.h"
#include "tessera/runtime/devices.h"
#include "tessera/runtime/machine_exchange.h"

namespace tessera::runtime {
namespace {

bool checks(const options& o, std::string_view what) {
  std::string_view list = o.check;
  bool found = false;
  while (!list.empty()) {
    const std::string_view word = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), word.size() + 1));
    if (word != "all" && word != "uninitialised" && word != "unwritten" && word != "guards" && word != "ranks")
      throw argument_error(
          cat("'", word, "' is no check; all, uninitialised, unwritten, guards or ranks is expected in TESSERA_CHECK"));
    found = found || word == "all" || word == what;
  }
  return found;
}

double timeout_of(const options& how) {
  return how.timeout.empty() ? comm::usual_patience : parse_seconds(how.timeout, "TESSERA_TIMEOUT");
}

std::shared_ptr<comm::transport> connect(const options& how) {
  if (how.dry_run_nodes.empty()) return how.comm ? how.comm : comm::make_launched(timeout_of(how));
  return comm::make_pretended(static_cast<int>(parse_integer(how.dry_run_nodes, 1, 1 << 20, "TESSERA_DRY_RUN_NODES")));
}

/// Time that this thread has had a processor.
std::int64_t thread_time_ns() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// Complaints about the environment are made once per process.
void complain_once() {
  static const bool done = [] {
    for (const std::string& text : environment_complaints()) log(log_level::warning, text);
    return true;
  }();
  (void)done;
}

}  // namespace

engine::engine(const options& given) {
  const options how = with_environment(given);
  set_log_level(parse_log_level(how.log));
  complain_once();
  network_ = connect(how);
  if (!network_->open()) throw argument_error("options.comm has served a context before; make one for each");
  try {
    begin(how);
  } catch (const std::exception& e) {
    // The other ranks wait for this one.
    if (network_->size() > 1) network_->abort(cat("rank ", node().value, " has no context: ", e.what()));
    network_->close();
    throw;
  }
}

void engine::begin(const options& how) {
  const double timeout = timeout_of(how);
  device_set made = make_devices(how);
  backends_ = std::move(made.backends);
  devices_ = std::move(made.devices);
  if (!how.trace.empty()) {
    const bool alone = network_->size() == 1;
    trace_ = std::make_unique<trace>(alone ? how.trace : cat(how.trace, ".", node().value), node().value);
    name_rows();
  }
  memory_ = std::make_unique<memory::residency>(devices_, made.below);
  std::vector<device::backend*> backends;
  for (const auto& b : backends_) backends.push_back(b.get());
  kernels_ = std::make_unique<kernel_library>(std::move(backends), how.cache_dir, how.cpu_tier);
  const plan::machine_settings settings{parse_flag(how.deterministic, "TESSERA_DETERMINISTIC"),
                                        checks(how, "uninitialised"), checks(how, "ranks")};
  splits_ = std::make_unique<plan::split_cache>(exchange_tables(*network_, devices_, settings), node());
  planner_ = std::make_unique<plan::planner>(machine(), node(), table_messages + 1);
  executor_ = std::make_unique<executor>(services{devices_, *memory_, *network_, *kernels_, failures_, tickets_,
                                                  counters_, trace_.get(),
                                                  launch_checks{checks(how, "unwritten"), checks(how, "guards")}});
  if (network_->size() > 1) calls_ = std::make_unique<stream_check>(*network_);
  planner_thread_ = std::thread([this] { plan_loop(); });
  executor_thread_ = std::thread([this] { execute_loop(); });
  watchdog_ = std::make_unique<watchdog>(
      std::chrono::nanoseconds(static_cast<std::int64_t>(timeout * 1e9)), [this] { return look(); },
      [this, timeout] { report_standstill(timeout); });
  network_->finish_with([this] { finish(); });
}

/// The process ends, and the context later than the network can be used: in a global object, perhaps.
void engine::finish() {
  try {
    wait_all();
  } catch (const std::exception& e) {
    log(log_level::error, e.what());
  }
  if (!network_->failed()) end_stream();
  finished_ = true;
  {
    const std::lock_guard lock(stopped_mutex_);
    if (!stopped_) stopped_ = std::make_exception_ptr(comm_error("the process is about to end"));
  }
  network_->close();
}

engine::~engine() {
  watchdog_.reset();
  if (network_->size() > 1 && !network_->failed() && !finished_) {
    // The other ranks wait for what this one will never send.
    if (std::uncaught_exceptions() > exceptions_)
      network_->abort(cat("rank ", node().value, " ended by an exception"));
    else
      end_stream();
  }
  if (given_up_) {
    // Threads that never come back cannot be ended otherwise, and what they use must stay.
    log(log_level::error, "the process ends here: work that makes no progress cannot be waited for");
    std::_Exit(EXIT_FAILURE);
  }
  commands_.close();
  planner_thread_.join();
  instructions_.close();
  executor_thread_.join();
  executor_.reset();  // waits for the devices
  calls_.reset();
  network_->close();  // whoever gave it may keep it
  if (const std::exception_ptr lost = failures_.take_unreported()) {
    try {
      std::rethrow_exception(lost);
    } catch (const std::exception& e) {
      log(log_level::error, cat("a failure that nobody waited for: ", e.what()));
    }
  }
}

/// Nobody is left to be told of a difference but the log.
void engine::end_stream() {
  calls_->end();
  if (network_->failed()) log(log_level::error, network_->failure());
}

void engine::name_rows() {
  constexpr auto& queues = device::queue_names;
  for (std::size_t d = 0; d < devices_.size(); ++d)
    for (std::size_t q = 0; q < queues.size(); ++q)
      trace_->name_row(
          static_cast<int>(d * queues.size() + q),
          cat(devices_[d].backend->devices()[static_cast<std::size_t>(devices_[d].index)].name, " ", queues[q]));
  trace_->name_row(static_cast<int>(devices_.size() * queues.size()), "disk");
}

void engine::submit(task_body what, call_site where) {
  throw_if_stopped();
  std::lock_guard lock(submit_mutex_);
  live_statistics::add(counters_.tasks, 1);
  if (cores_to_spare_) instructions_.expect();
  plan::task next{task_id(++last_task_), where, std::move(what)};
  {
    const std::lock_guard sites(call_sites_mutex_);
    call_sites_[last_task_ % call_sites_.size()] = {next.id, where};
  }
  if (calls_) calls_->made(next);
  if (!commands_.push(std::move(next))) throw_if_stopped();
}

array_id engine::adopt_host(const extents& shape, const dtype& type, std::byte* data) {
  const array_id id(++last_buffer_);
  memory_->adopt(id, shape, type, data);
  return id;
}

void engine::release_host(array_id buffer) {
  memory_->release(buffer);
  if (failures_.any()) failures_.forget(buffer);
}

std::pair<std::shared_ptr<ticket>, std::uint64_t> engine::new_ticket() {
  auto made = std::make_shared<ticket>();
  const std::uint64_t number = tickets_.add(made);
  return {std::move(made), number};
}

void engine::wait(ticket& t, std::span<const array_id> buffers) {
  if (calls_) calls_->flush();
  t.wait();
  throw_if_stopped();
  throw_if_disconnected();
  if (!failures_.any()) return;
  for (const array_id buffer : buffers)
    if (const failure why = failures_.reason_for(buffer)) {
      failures_.reported(why);
      std::rethrow_exception(why.reason);
    }
}

/// What a failed network left behind is no result. The rank that failed first gets its own reason.
void engine::throw_if_disconnected() {
  if (network_->size() == 1 || !network_->failed()) return;
  if (const std::exception_ptr own = failures_.take_unreported()) std::rethrow_exception(own);
  std::rethrow_exception(network_failure(*network_));
}

void engine::wait_all() {
  auto [t, number] = new_ticket();
  submit(plan::fence_task{number});
  if (calls_) calls_->flush();
  t->wait();
  throw_if_stopped();
  if (const std::exception_ptr reason = failures_.take_unreported()) std::rethrow_exception(reason);
  throw_if_disconnected();
}

void engine::ask_planner(const std::function<void(const plan::planner&)>& look) {
  throw_if_stopped();
  // Belongs to the command, which is dropped without an answer if planning stops.
  auto answer = std::make_shared<std::promise<void>>();
  std::future<void> answered = answer->get_future();
  std::function<void(const plan::planner&)> command = [&look, answer = std::move(answer)](const plan::planner& now) {
    try {
      look(now);
      answer->set_value();
    } catch (...) {
      answer->set_exception(std::current_exception());
    }
  };
  if (!commands_.push(std::move(command))) throw_if_stopped();
  command = nullptr;
  try {
    answered.get();
  } catch (const std::future_error&) {
    throw_if_stopped();
    throw;
  }
}

std::vector<plan::instruction> engine::rehearse(task_body what) {
  std::vector<plan::instruction> out;
  ask_planner([&](const plan::planner& now) {
    plan::planner copy = now;
    copy.plan({task_id(0), {}, std::move(what)}, out);
  });
  return out;
}

void engine::plan_loop() {
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
          planner_->plan(*t, out, take);
        else
          std::get<1>(c)(*planner_);
        if (cores_to_spare_ && !out.empty() && instructions_.awaited()) hand_over(out);
      }
      if (!out.empty()) hand_over(out);
    } catch (...) {
      stop_with(std::current_exception());
    }
    batch.clear();  // tasks go here, too
    live_statistics::add(counters_.planning_ns, thread_time_ns() - begin);
  }
}

/// Gives the planned instructions to the executor and takes back the memory of those that have ended.
void engine::hand_over(std::vector<plan::instruction>& planned) {
  live_statistics::add(counters_.instructions, static_cast<std::int64_t>(planned.size()));
  instructions_.push_all(planned);
  executor_->clear_ended();
}

void engine::execute_loop() {
  name_this_thread("tessera execute");
  std::vector<plan::instruction> batch;
  const auto more = [this](std::vector<plan::instruction>& planned) { instructions_.take(planned); };
  while (instructions_.pop_all(batch)) {
    issuing_ = true;
    try {
      executor_->issue_all(batch, more);
    } catch (...) {
      stop_with(std::current_exception());
    }
    issuing_ = false;
  }
}

/// A defect of Tessera itself, or memory exhausted while planning: nothing can be promised any more.
void engine::stop_with(const std::exception_ptr& reason) {
  {
    std::lock_guard lock(stopped_mutex_);
    if (!stopped_) stopped_ = reason;
  }
  commands_.close();
  instructions_.close();
  tickets_.release_all();
  if (network_->size() > 1) network_->abort(cat("rank ", node().value, " stopped"));
}

void engine::throw_if_stopped() {
  std::lock_guard lock(stopped_mutex_);
  if (stopped_) std::rethrow_exception(stopped_);
}

}  // namespace tessera::runtime
