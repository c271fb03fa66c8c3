#include "tessera/runtime/execute/ticket.h"

#include <doctest/doctest.h>

#include <thread>

#include "tests/runtime/silent_timeline.h"

using namespace tessera;
using runtime::ticket;
using runtime::ticket_table;
using support::silent_timeline;

namespace {

void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

/// A thread that waits for a ticket.
class waiting_thread {
 public:
  explicit waiting_thread(std::shared_ptr<ticket> t)
      : thread_([this, t = std::move(t)] {
          t->wait();
          released_ = true;
        }) {}
  ~waiting_thread() { thread_.join(); }
  waiting_thread(const waiting_thread&) = delete;
  waiting_thread& operator=(const waiting_thread&) = delete;
  [[nodiscard]] bool released() const { return released_; }
  /// False if it is not released for long.
  [[nodiscard]] bool released_soon() const {
    for (int k = 0; k < 5000 && !released_; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return released_;
  }

 private:
  std::atomic<bool> released_{false};
  std::thread thread_;
};

}  // namespace

TEST_CASE("a ticket is done when its work was issued and has ended") {
  host_timeline line;
  const auto t = std::make_shared<ticket>();
  const waiting_thread waiting(t);
  CHECK(!t->done());
  t->issued({{&line, 1}, {&line, 2}});
  line.advance(1);
  CHECK(!t->done());
  wait_a_moment();
  CHECK(!waiting.released());
  line.advance(2);
  CHECK(t->done());
  CHECK(waiting.released_soon());
}

TEST_CASE("a ticket whose work needs no event is done when it is issued") {
  ticket t;
  t.issued({});
  CHECK(t.done());
  t.wait();
}

TEST_CASE("a ticket waits for events of every kind of timeline") {
  host_timeline line;
  silent_timeline other;
  const auto t = std::make_shared<ticket>();
  const waiting_thread waiting(t);
  t->issued({{&other, 1}, {&line, 1}});
  line.advance(1);
  wait_a_moment();
  CHECK(!waiting.released());
  CHECK(!t->done());
  other.reach(1);
  CHECK(waiting.released_soon());
  CHECK(t->done());
}

TEST_CASE("giving a ticket up releases the threads that wait for it, and those that come later") {
  host_timeline line;
  const auto t = std::make_shared<ticket>();
  SUBCASE("before its work was issued") {}
  SUBCASE("while its work never ends") { t->issued({{&line, 1}}); }
  {
    const waiting_thread first(t), second(t);
    wait_a_moment();
    CHECK(!first.released());
    t->give_up();
    CHECK(first.released_soon());
    CHECK(second.released_soon());
  }
  t->wait();
  CHECK(t->done());
  line.advance(1);  // who waited is forgotten when the work ends after all
}

TEST_CASE("work may end long after a ticket was given up and is gone") {
  host_timeline line;
  {
    const auto t = std::make_shared<ticket>();
    t->issued({{&line, 1}});
    const waiting_thread waiting(t);
    wait_a_moment();
    t->give_up();
    CHECK(waiting.released_soon());
  }
  line.advance(1);
}

TEST_CASE("the wait hook is called again and again while a thread waits, and may end the wait") {
  static std::atomic<int> calls;
  calls = 0;
  host_timeline line;
  ticket t;
  SUBCASE("for work that is not issued") {}
  SUBCASE("for work that has not ended") { t.issued({{&line, 1}}); }
  set_wait_hook([] {
    if (++calls == 3) throw std::runtime_error("enough");
  });
  const auto begin = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH(t.wait(), "enough");
  CHECK(std::chrono::steady_clock::now() - begin >= std::chrono::milliseconds(140));
  CHECK(calls == 3);
  set_wait_hook(nullptr);
  CHECK(!t.done());
  line.advance(1);
  t.issued({});
  t.wait();
}

TEST_CASE("a wait for good does not call the hook") {
  static std::atomic<int> calls;
  calls = 0;
  set_wait_hook([] { ++calls; });
  host_timeline line;
  ticket t;
  t.issued({{&line, 1}});
  std::thread waiting([&] { t.wait_for_good(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  line.advance(1);
  waiting.join();
  set_wait_hook(nullptr);
  CHECK(calls == 0);
}

TEST_CASE("a ticket is taken from its table once, by its number") {
  ticket_table table;
  const auto a = std::make_shared<ticket>(), b = std::make_shared<ticket>();
  const std::uint64_t first = table.add(a), second = table.add(b);
  CHECK(first != second);
  CHECK(table.take(second) == b);
  CHECK(table.take(first) == a);
  CHECK(table.take(first) == nullptr);
  CHECK(table.take(second + 1) == nullptr);
}

TEST_CASE("releasing a table gives up tickets that are open, that were issued and that come later") {
  ticket_table table;
  host_timeline line;
  const auto open = std::make_shared<ticket>(), issued = std::make_shared<ticket>();
  table.add(open);
  table.take(table.add(issued))->issued({{&line, 1}});
  const waiting_thread first(open), second(issued);
  wait_a_moment();
  CHECK(!first.released());
  CHECK(!second.released());
  table.release_all();
  CHECK(first.released_soon());
  CHECK(second.released_soon());
  const auto later = std::make_shared<ticket>();
  table.add(later);
  later->wait();
  CHECK(later->done());
  line.advance(1);
}

TEST_CASE("a table does not keep tickets that were taken") {
  ticket_table table;
  std::weak_ptr<ticket> left;
  {
    const auto t = std::make_shared<ticket>();
    left = t;
    static_cast<void>(table.take(table.add(t)));
  }
  CHECK(left.expired());
}
