#include "tests/fuzz/run/execute.h"

#include <mutex>
#include <thread>

#include "tessera/base/text.h"
#include "tessera/comm/transport.h"
#include "tessera/device/host/launcher.h"
#include "tests/fuzz/generate/budget.h"
#include "tests/fuzz/run/rank_run.h"

namespace tessera::fuzz {
namespace {

options options_of(const program& p, std::size_t rank) {
  options settings;
  settings.devices = cat(p.kind, "*", p.devices[rank]);
  settings.log = log_level::off;
  settings.cpu_tier = parse_tier(p.tier);
  if (p.disturbance != 0) settings.disturb = p.disturbance;
  if (p.check_unwritten) settings.check.unwritten = true;
  if (p.check_access) settings.check.access = true;
  if (p.deterministic) settings.deterministic = true;
  settings.small = p.small;
  const budget limits = budget_of(p);
  settings.device_memory = limits.device;
  settings.host_memory = limits.host;
  return settings;
}

/// Of a job of several processes: the other ranks run it beside us.
std::optional<failure> run_launched(const program& p, std::span<const outcome> expected) {
  const auto network = comm::make_launched();
  const auto rank = static_cast<std::size_t>(network->rank().value);
  std::optional<failure> found;
  try {
    options settings = options_of(p, rank);
    settings.comm = network;
    run_rank(p, expected, settings, found);
  } catch (const std::exception& e) {
    found = failure{cat("rank ", rank, ": ", e.what()), p.operations.size(), -1};
  }
  return found;
}

}  // namespace

std::optional<failure> run_program(const program& p, std::span<const outcome> expected) {
  if (this_process().ranks > 1) return run_launched(p, expected);
  const auto world = comm::make_local_world(static_cast<int>(p.devices.size()), p.delivery);
  std::mutex mutex;
  std::optional<failure> first;
  const auto run = [&](std::size_t rank) {
    std::optional<failure> found;
    try {
      options settings = options_of(p, rank);
      settings.comm = world[rank];
      run_rank(p, expected, settings, found);
    } catch (const std::exception& e) {
      if (!found) found = failure{cat("rank ", rank, ": ", e.what()), p.operations.size(), -1};
      world[rank]->abort(cat("rank ", rank, " failed"));
    }
    const std::lock_guard lock(mutex);
    if (found && !first) first = found;
  };
  std::vector<std::thread> threads;
  for (std::size_t r = 1; r < p.devices.size(); ++r) threads.emplace_back(run, r);
  run(0);
  for (std::thread& t : threads) t.join();
  return first;
}

}  // namespace tessera::fuzz
