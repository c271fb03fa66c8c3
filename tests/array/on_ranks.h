#pragma once

#include <doctest/doctest.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tessera/comm/transport.h"
#include "tests/array/support.h"

/// Ranks simulated in this process.
namespace tessera::support {

/// Calls body(context) on every rank, with `settings(rank)`, and returns what they throw.
template <class Settings, class Body>
std::vector<std::string> errors_on_ranks(int ranks, Settings settings, Body body) {
  const auto world = comm::make_local_world(ranks, 1);
  std::mutex mutex;
  std::vector<std::string> errors;
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      try {
        options chosen = settings(r);
        chosen.comm = world[static_cast<std::size_t>(r)];
        context ctx(chosen);
        body(ctx);
      } catch (const std::exception& e) {
        const std::lock_guard lock(mutex);
        errors.emplace_back(e.what());
      }
    });
  for (std::thread& t : threads) t.join();
  return errors;
}

/// Calls body(context) on every rank; what one throws is reported.
template <class Body>
void on_ranks(int ranks, const std::string& devices, Body body) {
  const auto settings = [&](int) { return quiet(devices); };
  for (const std::string& e : errors_on_ranks(ranks, settings, body)) FAIL_CHECK(e);
}

/// Throws, because checks of the test framework are for one thread.
inline void require(bool is, const std::string& sentence) {
  if (!is) throw std::runtime_error(sentence);
}

}  // namespace tessera::support
