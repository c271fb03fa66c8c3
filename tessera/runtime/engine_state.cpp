#include "tessera/runtime/engine_state.h"

#include <chrono>
#include <cstdlib>

#include "tessera/base/error.h"
#include "tessera/base/log.h"
#include "tessera/base/text.h"
#include "tessera/runtime/machine/devices.h"
#include "tessera/runtime/machine/exchange.h"

namespace tessera::runtime {
namespace {

double timeout_of(const options& settings) {
  return settings.timeout ? settings.timeout->count() : comm::default_timeout;
}

std::shared_ptr<comm::transport> connect(const options& settings) {
  if (settings.dry_run_nodes == 0) return settings.comm ? settings.comm : comm::make_launched(timeout_of(settings));
  return comm::make_pretended(settings.dry_run_nodes, table_messages);  // the others have devices like this one's
}

/// Complaints about the environment are made once per process.
void complain_once() {
  static const bool done = [] {
    for (const std::string& text : environment_complaints()) log(log_level::warning, text);
    return true;
  }();
  (void)done;
}

/// Checks that not all devices can make are said to be partial, once per process.
void say_what_is_unchecked(const check_list& checks, const std::vector<std::unique_ptr<device::backend>>& backends) {
  if (!checks.access && !checks.overdeclared) return;
  for (const auto& b : backends) {
    if (b->language() != device::kernel_language::cuda) continue;
    static const bool once = [] {
      log(log_level::warning,
          "TESSERA_CHECK: 'access' and 'overdeclared' look at kernels on CPU devices only; those on "
          "GPUs run unchecked");
      return true;
    }();
    (void)once;
  }
}

}  // namespace

engine_state::engine_state(const engine& owner, const options& given) {
  options settings = given;
  std::exception_ptr nonsense;
  try {
    settings = with_environment(given);
  } catch (const argument_error&) {
    nonsense = std::current_exception();  // is thrown once the other ranks can be told
    settings.timeout = {};
    settings.dry_run_nodes = 0;
  }
  set_log_level(settings.log);
  complain_once();
  network = connect(settings);
  if (!network->open()) throw argument_error("options.comm has served a context before; make one for each");
  try {
    if (nonsense) std::rethrow_exception(nonsense);
    begin(owner, settings);
  } catch (const std::exception& e) {
    // The other ranks wait for this one.
    if (network->size() > 1) network->abort(cat("rank ", network->rank().value, " has no context: ", e.what()));
    network->close();
    throw;
  }
}

/// Throws before it starts a thread.
void engine_state::begin(const engine& owner, const options& settings) {
  const double timeout = timeout_of(settings);
  checks = settings.check;
  device_set made = make_devices(settings);
  backends = std::move(made.backends);
  devices = std::move(made.devices);
  say_what_is_unchecked(checks, backends);
  if (!settings.trace.empty()) {
    const int rank = network->rank().value;
    timeline = std::make_unique<trace>(network->size() == 1 ? settings.trace : cat(settings.trace, ".", rank), rank);
    name_rows();
  }
  residency = std::make_unique<memory::residency>(devices, made.below);
  notes = std::make_unique<machine_notes>(settings.cache_dir);
  std::vector<device::backend*> drivers;
  for (const auto& b : backends) drivers.push_back(b.get());
  kernels =
      std::make_unique<kernel_library>(drivers, settings.cache_dir,
                                       kernel_library::compilation{std::string(to_string(settings.cpu_tier)),
                                                                   checks.lines, checks.access || checks.overdeclared},
                                       disturbance_of_compilers(settings));
  const plan::machine_settings shared{settings.deterministic, checks.uninitialised, checks.ranks, settings.small};
  splits = std::make_unique<plan::split_cache>(
      exchange_tables(*network, devices, shared, link_table(settings.cache_dir)), network->rank());
  launches = std::make_unique<launch_task_maker>(owner, *splits, *kernels);
  const bool alone = network->size() == 1;
  const std::string log_file = settings.log_transfers;
  transfers = std::make_unique<transfer_log>(
      alone || log_file.size() < 2 ? log_file : cat(log_file, ".", network->rank().value), names, sites);
  if (!alone) calls = std::make_unique<stream_check>(*network);
  issuer = std::make_unique<executor>(
      services{devices, *residency, *network, *kernels, failures, tickets, counters, timeline.get(),
               launch_checks{checks.unwritten, checks.guards, checks.access, checks.overdeclared}, transfers.get(),
               &handles, [this] { tasks->wake_executor(); }});
  tasks =
      std::make_unique<task_pipeline>(task_pipeline::parts{*network, *issuer, tickets, counters, sites, calls.get()},
                                      plan::planner(splits->machine(), network->rank(), table_messages + 1));
  watchdog_ = std::make_unique<watchdog>(
      std::chrono::nanoseconds(static_cast<std::int64_t>(timeout * 1e9)), [this] { return look(); },
      [this, timeout] { report_standstill(timeout); });
  network->finish_with([this] { finish_early(); });
}

void engine_state::finish_early() {
  try {
    wait_all();
  } catch (const std::exception& e) {
    log(log_level::error, e.what());
  }
  if (!network->failed()) tasks->end_calls();
  finished_ = true;
  tasks->refuse_calls(std::make_exception_ptr(comm_error("the process is about to end")));
  network->close();
}

engine_state::~engine_state() {
  watchdog_.reset();
  if (network->size() > 1 && !network->failed() && !finished_) {
    // The other ranks wait for what this one will never send.
    if (std::uncaught_exceptions() > exceptions_)
      network->abort(cat("rank ", network->rank().value, " ended by an exception"));
    else
      tasks->end_calls();
  }
  if (given_up_) {
    // Threads that never come back cannot be ended otherwise, and what they use must stay.
    log(log_level::error, "the process ends here: work that makes no progress cannot be waited for");
    std::_Exit(EXIT_FAILURE);
  }
  tasks->close();  // compilers that end later still wake it
  issuer.reset();  // waits for the devices
  calls.reset();
  network->close();  // its giver may keep it
  if (const std::exception_ptr lost = failures.take_unreported()) {
    try {
      std::rethrow_exception(lost);
    } catch (const std::exception& e) {
      log(log_level::error, cat("a failure that nobody waited for: ", e.what()));
    }
  }
}

void engine_state::name_rows() {
  constexpr auto& queues = device::queue_names;
  for (std::size_t d = 0; d < devices.size(); ++d)
    for (std::size_t q = 0; q < queues.size(); ++q)
      timeline->name_row(
          static_cast<int>(d * queues.size() + q),
          cat(devices[d].backend->devices()[static_cast<std::size_t>(devices[d].index)].name, " ", queues[q]));
  timeline->name_row(static_cast<int>(devices.size() * queues.size()), "disk");
}

/// The rank that failed first gets its own reason.
void engine_state::throw_if_disconnected() {
  if (network->size() == 1 || !network->failed()) return;
  if (const std::exception_ptr own = failures.take_unreported()) std::rethrow_exception(own);
  std::rethrow_exception(network_failure(*network));
}

void engine_state::wait_all() {
  auto done = std::make_shared<ticket>();
  tasks->submit(plan::fence_task{tickets.add(done)}, {});
  tasks->flush_calls();
  done->wait();
  tasks->throw_if_stopped();
  if (const std::exception_ptr reason = failures.take_unreported()) std::rethrow_exception(reason);
  throw_if_disconnected();
}

watchdog::observation engine_state::look() const {
  const std::int64_t begun = counters.begun, ended = counters.ended;
  const task_pipeline::load load = tasks->look();
  const bool waiting = load.tasks > 0 || load.instructions > 0 || load.issuing || issuer->held() > 0;
  return {waiting || begun != ended, load.planned + static_cast<std::uint64_t>(begun + ended)};
}

void engine_state::report_standstill(double seconds) {
  given_up_ = true;
  const task_pipeline::load load = tasks->look();
  const std::size_t held = issuer->held();
  const std::string text =
      cat("no progress for ", seconds, " s (TESSERA_TIMEOUT): ", load.tasks, " tasks wait to be planned, ",
          load.instructions, " instructions wait to be issued, ", counters.begun - counters.ended, " are with devices",
          held > 0 ? cat(", ", held, " are held back and wait for a kernel to be compiled") : "",
          load.issuing ? ", and the executor waits for memory, an event or a kernel to be compiled" : "",
          issuer->describe_queues(), issuer->describe_messages([this](task_id t) { return sites.name(t); }), "\n  ",
          residency->describe());
  log(log_level::error, text);
  tasks->stop(std::make_exception_ptr(device_error(text)));
}

}  // namespace tessera::runtime
