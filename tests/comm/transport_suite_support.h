#pragma once

#include <doctest/doctest.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/progress_engine.h"
#include "tessera/comm/transport.h"

/// What the tests of the transport suite are made of.
namespace tessera::comm::suite {

using bytes = std::vector<std::byte>;

/// Throws, because ranks that share a process check on threads of their own, and the test framework is for one.
inline void require(bool holds, const std::string& sentence,
                    std::source_location site = std::source_location::current()) {
  if (!holds) throw std::runtime_error(cat(site.file_name(), ":", site.line(), ": not true: ", sentence));
}

/// Waits until `holds()`, for as long as a loaded machine may take.
template <class Condition>
void wait_until(Condition holds, const std::string& sentence,
                std::source_location site = std::source_location::current()) {
  constexpr std::chrono::seconds timeout(20);
  const auto give_up = std::chrono::steady_clock::now() + timeout;
  while (!holds()) {
    require(std::chrono::steady_clock::now() < give_up, sentence, site);
    progress_engine::poll();
    sched_yield();
  }
}

/// The contents of a message or note, different for each.
inline bytes contents(int from, int to, std::uint64_t number, std::size_t size) {
  bytes result(size);
  std::uint64_t state = number * 1'000'003 + static_cast<std::uint64_t>(from * 1009 + to);
  for (std::byte& b : result) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    b = static_cast<std::byte>(state >> 56);
  }
  return result;
}

/// One rank in a test.
class member {
 public:
  explicit member(transport& network) : net(network), rank(network.rank().value), size(network.size()) {}

  [[nodiscard]] std::vector<int> peers() const {
    std::vector<int> result;
    for (int r = 0; r < size; ++r)
      if (r != rank) result.push_back(r);
    return result;
  }

  void send(int peer, std::uint64_t number, std::size_t count) {
    const auto data = std::make_shared<bytes>(contents(rank, peer, number, count));
    net.send(node_id(peer), number, payload::of(data));
  }

  struct expected {
    int peer = 0;
    std::uint64_t number = 0;
    std::shared_ptr<bytes> data;
    event arrival;
  };
  expected receive(int peer, std::uint64_t number, std::size_t count) {
    const auto data = std::make_shared<bytes>(count);
    return {peer, number, data, net.receive(node_id(peer), number, payload::of(data))};
  }
  void require_arrival(const expected& e, std::source_location site = std::source_location::current()) const {
    wait_until([&] { return e.arrival.done(); },
               cat("message ", e.number, " from rank ", e.peer, " to rank ", rank, " arrives"), site);
    require(!net.failed(), cat("the job goes on: ", net.failure().reason), site);
    require(*e.data == contents(e.peer, rank, e.number, e.data->size()),
            cat("message ", e.number, " from rank ", e.peer, " to rank ", rank, " holds what was sent"), site);
  }

  /// Returns when every rank is here. Takes message `number` of every pair.
  void meet(std::uint64_t number) {
    std::vector<expected> all;
    for (const int p : peers()) send(p, number, 1), all.push_back(receive(p, number, 1));
    for (const expected& e : all) require_arrival(e);
  }

  transport& net;
  const int rank, size;
};

using body = std::function<void(member&)>;

/// Calls `act` on an open network. A rank whose check fails ends the job, so that no other waits for it.
inline std::string run_member(transport& network, const body& act) {
  try {
    require(network.open(), "a new network can be opened");
    member self(network);
    act(self);
    network.close();
    return {};
  } catch (const std::exception& e) {
    network.abort(cat("rank ", network.rank().value, " is not right: ", e.what()));
    network.close();
    return cat("rank ", network.rank().value, ": ", e.what());
  }
}

/// Ranks simulated in this process, each on a thread.
template <int Ranks, std::uint64_t Seed>
struct local {
  static constexpr bool limits_messages = false;
  static void run(const body& act) {
    const auto world = make_local_world(Ranks, Seed);
    std::mutex mutex;
    std::vector<std::thread> threads;
    std::vector<std::string> errors;
    for (const auto& network : world)
      threads.emplace_back([&, network] {
        std::string error = run_member(*network, act);
        const std::lock_guard lock(mutex);
        if (!error.empty()) errors.push_back(std::move(error));
      });
    for (std::thread& t : threads) t.join();
    for (const std::string& e : errors) FAIL_CHECK(e);
  }
};

/// All ranks that the launcher started: every process runs the same tests.
struct launched {
  static inline const bool limits_messages = std::getenv("TESSERA_MESSAGE_LIMIT") != nullptr;
  static void run(const body& act) {
    const auto network = make_launched(20);
    REQUIRE(network->size() > 1);
    if (const std::string error = run_member(*network, act); !error.empty()) FAIL_CHECK(error);
  }
};

/// The rank in the middle of ranks that do not exist.
struct pretended {
  static void run(const body& act) {
    const auto network = make_pretended(5, 0);
    if (const std::string error = run_member(*network, act); !error.empty()) FAIL_CHECK(error);
  }
};

}  // namespace tessera::comm::suite
