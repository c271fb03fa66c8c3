#pragma once

#include <atomic>
#include <cstring>
#include <utility>

#include "tests/comm/transport_suite_support.h"

/// The part of the transport suite about notes, beginning and end, and jobs that fail. Tests in which the job fails
/// have the word "abort" in their names: over MPI, a process in which one failed does not end as if all were well.
namespace tessera::comm::suite {

inline std::span<const std::byte> as_note(const std::uint64_t& value) { return std::as_bytes(std::span(&value, 1)); }

TEST_CASE_TEMPLATE_DEFINE("notes arrive in order, also those that came before there was a listener", World,
                          carries_notes) {
  World::run([](member& self) {
    constexpr std::uint64_t count = 200;
    for (const int p : self.peers()) {
      for (std::uint64_t k = 0; k < count; ++k) self.net.post_note(node_id(p), as_note(k));
      self.net.post_note(node_id(p), contents(self.rank, p, 0, transport::note_bytes));
      self.net.post_note(node_id(p), {});
    }
    std::vector<std::vector<bytes>> heard(static_cast<std::size_t>(self.size));
    std::atomic<int> complete{0}, inside{0};
    std::atomic<bool> together{false};
    self.net.listen([&](node_id from, std::span<const std::byte> note) {
      if (++inside != 1) together = true;
      auto& all = heard[static_cast<std::size_t>(from.value)];
      all.emplace_back(note.begin(), note.end());
      if (all.size() == count + 2) ++complete;
      --inside;
    });
    wait_until([&] { return complete == self.size - 1; }, "every note arrives");
    require(!together, "a listener is called for one note at a time");
    for (const int p : self.peers()) {
      const std::vector<bytes>& all = heard[static_cast<std::size_t>(p)];
      for (std::uint64_t k = 0; k < count; ++k) {
        const auto wanted = as_note(k);
        require(std::equal(all[k].begin(), all[k].end(), wanted.begin(), wanted.end()), "notes keep their order");
      }
      require(all[count] == contents(p, self.rank, 0, transport::note_bytes), "a note of the largest size is whole");
      require(all[count + 1].empty(), "a note may be empty");
    }
    self.meet(1);
    self.net.listen(nullptr);
  });
}

TEST_CASE_TEMPLATE_DEFINE("a listener may send messages and notes", World, answers_in_listener) {
  World::run([](member& self) {
    std::atomic<int> answered{0};
    self.net.listen([&](node_id from, std::span<const std::byte> note) {
      if (!note.empty()) return static_cast<void>(++answered);
      self.net.post_note(from, as_note(1));
      self.send(from.value, 1, 5);
    });
    std::vector<member::expected> all;
    for (const int p : self.peers()) all.push_back(self.receive(p, 1, 5)), self.net.post_note(node_id(p), {});
    for (const auto& e : all) self.require_arrival(e);
    wait_until([&] { return answered == self.size - 1; }, "every rank answers");
    self.meet(2);
    self.net.listen(nullptr);
  });
}

TEST_CASE_TEMPLATE_DEFINE("a listener that was removed is not called; notes are kept for the next one", World,
                          changes_listeners) {
  World::run([](member& self) {
    std::atomic<int> first{0}, second{0};
    self.net.listen([&](node_id, std::span<const std::byte>) { ++first; });
    self.net.listen(nullptr);
    self.meet(1);
    for (const int p : self.peers()) self.net.post_note(node_id(p), {});
    self.meet(2);
    self.net.listen([&](node_id, std::span<const std::byte>) { ++second; });
    wait_until([&] { return second == self.size - 1; }, "the next listener hears every note");
    require(first == 0, "the listener that was removed hears nothing");
    self.meet(3);
    self.net.listen(nullptr);
  });
}

TEST_CASE_TEMPLATE_DEFINE("a note that is too long is refused", World, refuses_long_notes) {
  World::run([](member& self) {
    bool refused = false;
    try {
      self.net.post_note(node_id(self.rank == 0 ? 1 : 0), bytes(transport::note_bytes + 1));
    } catch (const std::logic_error&) {
      refused = true;
    }
    require(refused, "it is refused");
  });
}

TEST_CASE_TEMPLATE_DEFINE("a network serves once: it is not opened again, before or after it was closed", World,
                          opens_once) {
  World::run([](member& self) {
    std::atomic<bool> finished{false};
    self.net.finish_with([&] { finished = true; });
    require(!self.net.open(), "an open network is not opened again");
    require(!self.net.failed(), "nothing has failed");
    require(self.net.failure().reason.empty(), "there is no reason of a failure");
    self.net.close();
    self.net.close();
    require(!self.net.open(), "a closed network is not opened again");
    require(!finished, "closing revokes what was to be called at the end of the process");
  });
}

TEST_CASE_TEMPLATE_DEFINE("what was sent arrives although the sender closes its network at once", World,
                          closes_behind_messages) {
  World::run([](member& self) {
    const std::size_t size = World::limits_messages ? 3'000 : 300'000;
    if (self.rank == 0) {
      for (const int p : self.peers()) self.send(p, 1, size), self.send(p, 2, 1);
      self.net.close();
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const member::expected large = self.receive(0, 1, size), small = self.receive(0, 2, 1);
      self.require_arrival(large);
      self.require_arrival(small);
    }
  });
}

TEST_CASE_TEMPLATE_DEFINE("an abort is heard by every rank, with its reason and its kind", World, spreads_aborts) {
  for (const failure_kind kind : {failure_kind::communication, failure_kind::divergence})
    World::run([kind](member& self) {
      const int failing = self.size - 1;
      std::vector<member::expected> all;
      for (const int p : self.peers())
        for (std::uint64_t n = 1; n < 30; ++n) all.push_back(self.receive(p, n, 1000));
      if (self.rank == failing) {
        std::atomic<int> waiting{0};
        self.net.listen([&](node_id, std::span<const std::byte>) { ++waiting; });
        wait_until([&] { return waiting == self.size - 1; }, "the other ranks wait for messages");
        self.net.listen(nullptr);
        self.net.abort("no more paper", kind);
      } else {
        self.net.post_note(node_id(failing), {});
      }
      for (const auto& e : all) e.arrival.wait();
      require(self.net.failed(), "an event that ends without a message ends behind the failure");
      require(self.net.failure().reason == "no more paper", cat("the reason is heard: ", self.net.failure().reason));
      require(self.net.failure().kind == kind, "the kind is heard");
    });
}

TEST_CASE_TEMPLATE_DEFINE("after an abort every call returns, and has no effect", World, goes_on_after_aborts) {
  World::run([](member& self) {
    self.net.abort("the first reason");
    self.net.abort("another reason", failure_kind::divergence);
    const int peer = self.rank == 0 ? 1 : 0;
    const member::expected pending = self.receive(peer, 1, 10);
    wait_until([&] { return self.net.failed(); }, "this rank hears of it");
    wait_until([&] { return pending.arrival.done(); }, "a receive ends");
    for (std::uint64_t n = 2; n < 100; ++n) {
      self.send(peer, n, 100);
      require(self.receive(peer, n, 100).arrival.done(), "a receive has ended when it is made");
      self.net.post_note(node_id(peer), as_note(n));
    }
    const job_failure problem = self.net.failure();
    require(problem.reason == "the first reason" && problem.kind == failure_kind::communication,
            "the first failure stays");
  });
}

TEST_CASE_TEMPLATE_DEFINE("an abort without a reason gets one", World, explains_aborts) {
  World::run([](member& self) {
    self.net.abort("");
    wait_until([&] { return self.net.failed(); }, "this rank hears of it");
    require(!self.net.failure().reason.empty(), "there is a reason");
  });
}

TEST_CASE_TEMPLATE_DEFINE("when ranks abort at once, each keeps one of their reasons", World, settles_aborts) {
  World::run([](member& self) {
    self.net.abort(cat("rank ", self.rank, " fails"));
    wait_until([&] { return self.net.failed(); }, "every rank hears of a failure");
    const std::string reason = self.net.failure().reason;
    bool known = false;
    for (int r = 0; r < self.size; ++r) known = known || reason == cat("rank ", r, " fails");
    require(known, cat("it is a reason that a rank gave: ", reason));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    require(self.net.failure().reason == reason, "it stays");
  });
}

TEST_CASE_TEMPLATE_DEFINE("an abort lets messages that are half sent keep their memory", World, aborts_large_messages) {
  World::run([](member& self) {
    const std::size_t size = World::limits_messages ? 5'000 : std::size_t{8} << 20;
    std::vector<member::expected> all;
    for (const int p : self.peers()) {
      self.send(p, 1, size);
      if (self.rank % 2 == 0) all.push_back(self.receive(p, 1, size));
    }
    if (self.rank == 1) self.net.abort("no more paper");
    wait_until([&] { return self.net.failed(); }, "every rank hears of it");
    for (const auto& e : all) wait_until([&] { return e.arrival.done(); }, "every receive ends");
  });
}

TEST_CASE_TEMPLATE_DEFINE("a message of another size than its receive is an abort that names it", World,
                          aborts_on_wrong_sizes) {
  for (const auto& [size, receives_first] : {std::pair{3U, true}, {3U, false}, {5U, true}, {5U, false}})
    World::run([size = std::size_t{size}, receives_first = receives_first](member& self) {
      constexpr std::chrono::milliseconds moment(20);
      member::expected wrong;
      if (self.rank == 0) {
        self.send(1, 1, 2);
        if (receives_first) std::this_thread::sleep_for(moment);
        self.send(1, 2, size);
      } else if (self.rank == 1) {
        self.require_arrival(self.receive(0, 1, 2));
        if (!receives_first) std::this_thread::sleep_for(moment);
        wrong = self.receive(0, 2, 4);
      }
      wait_until([&] { return self.net.failed(); }, "every rank hears of it");
      wait_until([&] { return wrong.arrival.done(); }, "the receive ends");
      const std::string reason = self.net.failure().reason;
      require(reason.find("message 2") != std::string::npos, cat("the message is named: ", reason));
      if (size > 4) return;  // networks need not know how much more there was
      require(reason.find("3 bytes where 4 are expected") != std::string::npos, cat("both sizes are named: ", reason));
    });
}

}  // namespace tessera::comm::suite
