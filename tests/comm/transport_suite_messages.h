#pragma once

#include <atomic>
#include <random>

#include "tests/comm/transport_suite_support.h"

/// The part of the transport suite about messages.
namespace tessera::comm::suite {

TEST_CASE_TEMPLATE_DEFINE("messages are told apart by their numbers, in whatever order they are sent", World,
                          takes_any_order) {
  World::run([](member& self) {
    constexpr std::uint64_t count = 40;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t n = 1; n <= count; ++n) numbers.push_back(n);
    std::mt19937 random(static_cast<unsigned>(self.rank));
    std::vector<member::expected> all;
    for (const int p : self.peers()) {
      std::shuffle(numbers.begin(), numbers.end(), random);
      for (const std::uint64_t n : numbers) self.send(p, n, 10 + n);
    }
    for (std::uint64_t n = 1; n <= count; ++n)
      for (const int p : self.peers()) all.push_back(self.receive(p, n, 10 + n));
    for (const auto& e : all) self.require_arrival(e);
  });
}

TEST_CASE_TEMPLATE_DEFINE("a message arrives whether it is received before it is sent or long afterwards", World,
                          receives_before_and_after) {
  World::run([](member& self) {
    std::vector<member::expected> early;
    for (const int p : self.peers()) early.push_back(self.receive(p, 1, 100));
    for (const auto& e : early) require(!e.arrival.done(), "nothing arrives before it is sent");
    // Each rank sends when the others have their receives, which it knows from a note.
    std::atomic<int> ready{0}, sent{0};
    self.net.listen([&](node_id, std::span<const std::byte> note) { ++(note.empty() ? ready : sent); });
    for (const int p : self.peers()) self.net.post_note(node_id(p), {});
    wait_until([&] { return ready == self.size - 1; }, "every rank has its receives");
    for (const int p : self.peers()) self.send(p, 1, 100), self.send(p, 2, 100);
    for (const auto& e : early) self.require_arrival(e);
    const bytes word(1);
    for (const int p : self.peers()) self.net.post_note(node_id(p), word);
    wait_until([&] { return sent == self.size - 1; }, "every rank has sent");
    for (const int p : self.peers()) self.require_arrival(self.receive(p, 2, 100));
    self.meet(3);
    self.net.listen(nullptr);
  });
}

TEST_CASE_TEMPLATE_DEFINE("messages of every size hold what was sent", World, carries_every_size) {
  World::run([](member& self) {
    // Around the limit of 7 bytes that one of the runs has, and around what networks send at once.
    std::vector<std::size_t> sizes{0, 1, 2, 6, 7, 8, 13, 14, 15, 0, 1000, 4095, 4097, 20'000};
    if (!World::limits_messages) sizes.insert(sizes.end(), {65'535, 65'537, 1'000'001, std::size_t{5} << 20, 3});
    std::vector<member::expected> all;
    for (std::size_t k = 0; k < sizes.size(); ++k)
      for (const int p : self.peers()) all.push_back(self.receive(p, k + 1, sizes[k]));
    for (std::size_t k = 0; k < sizes.size(); ++k)
      for (const int p : self.peers()) self.send(p, k + 1, sizes[k]);
    for (const auto& e : all) self.require_arrival(e);
  });
}

TEST_CASE_TEMPLATE_DEFINE("many messages are under way in both directions at once", World, carries_many) {
  World::run([](member& self) {
    constexpr std::uint64_t count = 400;
    const auto size = [](std::uint64_t n) { return static_cast<std::size_t>(n * 37 % 501); };
    std::vector<member::expected> all;
    for (std::uint64_t n = 1; n <= count; ++n)
      for (const int p : self.peers()) {
        all.push_back(self.receive(p, n, size(n)));
        self.send(p, n, size(n));
      }
    for (const auto& e : all) self.require_arrival(e);
    for (const pending_message& m : self.net.pending()) require(m.outgoing, "a message that came is not pending");
  });
}

TEST_CASE_TEMPLATE_DEFINE("an event is reached when its message and all before it have arrived", World,
                          orders_arrivals) {
  World::run([](member& self) {
    std::atomic<int> go{0};
    self.net.listen([&](node_id, std::span<const std::byte>) { ++go; });
    std::vector<member::expected> all;
    for (std::uint64_t n = 1; n <= 3; ++n)
      for (const int p : self.peers()) all.push_back(self.receive(p, n, 50));
    for (const int p : self.peers()) self.send(p, 3, 50), self.send(p, 2, 50);
    // What the others sent has most likely come by then; it must not count before the first message.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int k = 0; k < 100; ++k) progress_engine::poll();
    for (const auto& e : all) require(!e.arrival.done(), "no event is reached before the first message has come");
    for (const int p : self.peers()) self.net.post_note(node_id(p), {});
    wait_until([&] { return go == self.size - 1; }, "every rank has looked");
    for (const int p : self.peers()) self.send(p, 1, 50);
    for (std::size_t k = all.size(); k-- > 0;) self.require_arrival(all[k]);
    self.net.listen(nullptr);
  });
}

TEST_CASE_TEMPLATE_DEFINE("memory is kept while a message is under way, and let go afterwards", World, keeps_payloads) {
  World::run([](member& self) {
    constexpr std::size_t size = 30'000;
    struct record {
      std::atomic<bool> gone{false};
      bytes last;
    };
    // Memory that its owner alone keeps; what it held in the end is recorded.
    const auto make = [&](const bytes& begin, const std::shared_ptr<record>& note) {
      const std::shared_ptr<bytes> data(new bytes(begin), [note](bytes* held) {
        note->last = *held;
        delete held;
        note->gone = true;
      });
      return payload{*data, data};
    };
    std::vector<std::shared_ptr<record>> incoming, outgoing;
    std::vector<event> arrivals;
    for (const int p : self.peers()) {
      incoming.push_back(std::make_shared<record>());
      arrivals.push_back(self.net.receive(node_id(p), 1, make(bytes(size), incoming.back())));
      const bool gone = incoming.back()->gone;
      require(!gone || arrivals.back().done(), "the memory of a receive is kept until its message has come");
    }
    for (const int p : self.peers()) {
      outgoing.push_back(std::make_shared<record>());
      self.net.send(node_id(p), 1, make(contents(self.rank, p, 1, size), outgoing.back()));
    }
    for (const event& e : arrivals) wait_until([&] { return e.done(); }, "the message arrives");
    for (std::size_t k = 0; k < incoming.size(); ++k) {
      wait_until([&] { return incoming[k]->gone.load(); }, "the memory of a receive is let go");
      require(incoming[k]->last == contents(self.peers()[k], self.rank, 1, size), "it held the message");
      wait_until([&] { return outgoing[k]->gone.load(); }, "the memory of a send is let go");
    }
  });
}

TEST_CASE_TEMPLATE_DEFINE("threads of one rank may send and receive at once", World, takes_many_threads) {
  World::run([](member& self) {
    constexpr std::uint64_t count = 60;
    std::mutex mutex;
    std::vector<std::string> errors;
    std::vector<std::thread> threads;
    const auto start = [&](auto act) {
      threads.emplace_back([&mutex, &errors, act] {
        try {
          act();
        } catch (const std::exception& e) {
          const std::lock_guard lock(mutex);
          errors.emplace_back(e.what());
        }
      });
    };
    for (const int p : self.peers()) {
      for (std::uint64_t first = 1; first <= 2; ++first)
        start([&self, p, first] {
          for (std::uint64_t n = first; n <= count; n += 2) self.send(p, n, n);
        });
      start([&self, p] {
        for (std::uint64_t n = 1; n <= count; ++n) self.require_arrival(self.receive(p, n, n));
      });
    }
    for (std::thread& t : threads) t.join();
    for (const std::string& e : errors) require(false, e);
  });
}

TEST_CASE_TEMPLATE_DEFINE("a receive is pending until its message has arrived", World, lists_pending) {
  World::run([](member& self) {
    std::vector<member::expected> all;
    for (const int p : self.peers()) all.push_back(self.receive(p, 1, 77));
    const auto awaited = [&](int peer) {
      const std::vector<pending_message> now = self.net.pending();
      return std::any_of(now.begin(), now.end(), [&](const pending_message& m) {
        return !m.outgoing && m.peer == node_id(peer) && m.number == 1 && m.bytes == 77;
      });
    };
    std::atomic<int> looked{0};
    self.net.listen([&](node_id, std::span<const std::byte>) { ++looked; });
    for (const int p : self.peers()) wait_until([&] { return awaited(p); }, "a receive is pending");
    for (const int p : self.peers()) self.net.post_note(node_id(p), {});
    wait_until([&] { return looked == self.size - 1; }, "every rank has looked");
    for (const int p : self.peers()) self.send(p, 1, 77);
    for (const auto& e : all) self.require_arrival(e);
    for (const int p : self.peers()) wait_until([&] { return !awaited(p); }, "a message that came is not pending");
    self.net.listen(nullptr);
  });
}

}  // namespace tessera::comm::suite
