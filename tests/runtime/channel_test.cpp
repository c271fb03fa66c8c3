#include "tessera/runtime/channel.h"

#include <doctest/doctest.h>

#include <thread>

using namespace tessera;
using runtime::channel;

namespace {

/// Long enough for another thread to have done what it should not do.
void wait_a_moment() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

}  // namespace

TEST_CASE("values leave a channel in the order in which they were pushed") {
  channel<int> c(10);
  CHECK(c.push(1));
  std::vector<int> more{2, 3}, batch;
  CHECK(c.push_all(more));
  CHECK(more.empty());
  CHECK(c.push(4));
  CHECK(c.size() == 4);
  CHECK(c.pop_all(batch));
  CHECK(batch == std::vector{1, 2, 3, 4});
  CHECK(c.size() == 0);
}

TEST_CASE("taking from an empty channel does not wait") {
  channel<int> c(10);
  std::vector<int> batch{7};
  c.take(batch);
  CHECK(batch.empty());
  c.push(1);
  c.take(batch);
  CHECK(batch == std::vector{1});
}

TEST_CASE("a thread that pushes to a full channel waits for room") {
  channel<int> c(2);
  std::atomic<bool> pushed{false};
  c.push(1);
  c.push(2);
  std::thread producer([&] { pushed = c.push(3); });
  wait_a_moment();
  CHECK(!pushed);
  std::vector<int> batch;
  SUBCASE("popped") { CHECK(c.pop_all(batch)); }
  SUBCASE("taken") { c.take(batch); }
  CHECK(batch == std::vector{1, 2});
  producer.join();
  CHECK(pushed);
  CHECK(c.pop_all(batch));
  CHECK(batch == std::vector{3});
}

TEST_CASE("a thread that waits for room calls the wait hook, which may end the wait with nothing pushed") {
  channel<int> c(1);
  c.wait_for_room();
  c.push(1);
  set_wait_hook([] { throw std::runtime_error("enough"); });
  CHECK_THROWS_WITH(c.wait_for_room(), "enough");
  set_wait_hook(nullptr);
  CHECK(c.size() == 1);
  std::vector<int> batch;
  CHECK(c.pop_all(batch));
  c.wait_for_room();
}

TEST_CASE("many values pushed at once need room for the first one only") {
  channel<int> c(2);
  std::vector<int> many{1, 2, 3, 4, 5}, one{6}, batch;
  CHECK(c.push_all(many));
  std::atomic<bool> pushed{false};
  std::thread producer([&] { pushed = c.push_all(one); });
  wait_a_moment();
  CHECK(!pushed);
  CHECK(c.pop_all(batch));
  CHECK(batch.size() == 5);
  producer.join();
  CHECK(pushed);
}

TEST_CASE("a closed channel gives what it holds and takes no more") {
  channel<int> c(10);
  std::vector<int> batch, more{2};
  c.push(1);
  c.close();
  CHECK(!c.push(2));
  CHECK(!c.push_all(more));
  CHECK(c.pop_all(batch));
  CHECK(batch == std::vector{1});
  CHECK(!c.pop_all(batch));
  CHECK(batch.empty());
}

TEST_CASE("closing releases a consumer that waits and threads that wait for room") {
  channel<int> empty(1), full(1);
  full.push(1);
  std::atomic<int> released{0};
  std::thread consumer([&] {
    std::vector<int> batch;
    if (!empty.pop_all(batch)) ++released;
  });
  std::thread producer([&] {
    if (!full.push(2)) ++released;
  });
  wait_a_moment();
  CHECK(released == 0);
  empty.close();
  full.close();
  consumer.join();
  producer.join();
  CHECK(released == 2);
}

TEST_CASE("a consumer that is told to expect something returns only when it has come") {
  channel<int> c(10);
  std::atomic<bool> returned{false};
  std::vector<int> batch;
  std::thread consumer([&] {
    c.pop_all(batch);
    returned = true;
  });
  while (!c.awaited()) std::this_thread::yield();
  wait_a_moment();
  c.expect();
  wait_a_moment();
  CHECK(!returned);
  CHECK(c.awaited());
  c.expect();
  c.push(5);
  consumer.join();
  CHECK(batch == std::vector{5});
  CHECK(!c.awaited());
}

TEST_CASE("nothing is lost or reordered when many threads push to a small channel") {
  struct item {
    int producer, number;
  };
  constexpr int producers = 4, count = 2000;
  channel<item> c(3);
  std::vector<std::thread> threads;
  for (int p = 0; p < producers; ++p)
    threads.emplace_back([&c, p] {
      for (int n = 0; n < count; ++n) {
        std::vector<item> pair{{p, n}, {p, n + 1}};
        if (n % 3 == 0 && n + 1 < count)
          c.push_all(pair), ++n;
        else
          c.push({p, n});
      }
    });
  std::vector<int> next(producers, 0);
  bool in_order = true;
  int received = 0;
  std::vector<item> batch;
  while (received < producers * count && c.pop_all(batch))
    for (const item& i : batch) {
      in_order = in_order && next[static_cast<std::size_t>(i.producer)]++ == i.number;
      ++received;
    }
  for (std::thread& t : threads) t.join();
  CHECK(in_order);
  CHECK(received == producers * count);
}
