#pragma once

#include "tests/device/backend_suite_support.h"

/// The part of the backend suite about queues, events and observers.
namespace tessera::device::suite {

TEST_CASE_TEMPLATE_DEFINE("work of one queue ends in order", World, keeps_queue_order) {
  bench<World> t({.disturbance = {.seed = 3, .max_delay_ns = 20'000}});
  std::atomic<int> now{0};
  std::vector<recorder> notes(50, recorder(now));
  std::vector<event> events;
  for (recorder& r : notes) events.push_back(t.b.fill(t.on(0, queue_kind::compute, {}, &r), {}));
  events.back().wait();
  for (std::size_t i = 0; i < notes.size(); ++i) {
    CHECK(events[i].done());
    CHECK(notes[i].admitted < notes[i].begun);
    CHECK(notes[i].begun < notes[i].done);
    if (i > 0) CHECK(notes[i - 1].done < (World::chains ? notes[i].begun : notes[i].admitted));
  }
}

TEST_CASE_TEMPLATE_DEFINE("a diamond over three queues runs as its events say", World, runs_diamonds) {
  bench<World> t({.disturbance = {.seed = 11, .max_delay_ns = 50'000}});
  for (int round = 0; round < 40; ++round) {
    std::atomic<int> now{0};
    recorder top(now), left(now), right(now), bottom(now);
    const event e = t.b.fill(t.on(0, queue_kind::compute, {}, &top), {});
    const event sides[] = {t.b.fill(t.on(1, queue_kind::copy_in, {&e, 1}, &left), {}),
                           t.b.fill(t.on(2, queue_kind::copy_out, {&e, 1}, &right), {})};
    t.b.fill(t.on(0, queue_kind::compute, sides, &bottom), {}).wait();
    const auto entry = [](const recorder& r) { return World::chains ? r.done : r.admitted; };
    CHECK(top.done < entry(left));
    CHECK(top.done < entry(right));
    CHECK(std::max(left.done, right.done) < entry(bottom));
  }
}

TEST_CASE_TEMPLATE_DEFINE("a random graph over all queues gives what running it in order gives", World,
                          runs_random_graphs) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    bench<World> t({.disturbance = {.seed = seed, .max_delay_ns = seed % 3 == 0 ? 0 : 15'000}});
    constexpr std::size_t nodes = 150;
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<std::uint64_t> expected(nodes, 1);
    std::byte* const cells = t.upload(0, expected);
    std::atomic<int> now{0};
    std::vector<recorder> notes(nodes, recorder(now));
    std::vector<event> events(nodes);
    std::vector<std::vector<std::size_t>> sources(nodes);
    for (std::size_t k = 1; k < nodes; ++k) {
      std::vector<event> after;
      for (std::size_t d = random() % 7; d > 0; --d) {
        sources[k].push_back(random() % k);
        after.push_back(events[sources[k].back()]);
      }
      const int device = static_cast<int>(random() % World::devices);
      const auto kind = static_cast<queue_kind>(random() % queues_per_device);
      // All sources are folded into the node's own cell; only the first fold waits, only the last is observed.
      if (sources[k].empty()) events[k] = t.b.fill(t.on(device, kind, after, &notes[k]), {});
      for (std::size_t s = 0; s < sources[k].size(); ++s) {
        const bool last = s + 1 == sources[k].size();
        events[k] = t.b.fold(t.on(device, kind, s == 0 ? after : std::vector<event>{}, last ? &notes[k] : nullptr),
                             {{cells + k * 8, {8}}, {cells + sources[k][s] * 8, {8}}, {1}, dtype_of<std::uint64_t>()});
        expected[k] += expected[sources[k][s]];
      }
    }
    for (const event& e : events) e.wait();
    for (std::size_t k = 1; k < nodes; ++k)
      for (std::size_t s : sources[k])
        if (s > 0) CHECK(notes[s].done < (World::chains ? notes[k].done : notes[k].admitted));
    if (World::computes) CHECK(t.template download<std::uint64_t>(0, cells, nodes) == expected);
    t.b.deallocate(0, cells, nodes * 8);
  }
}

TEST_CASE_TEMPLATE_DEFINE("work that is not admitted is skipped and its event happens", World,
                          skips_what_is_not_admitted) {
  bench<World> t;
  const std::vector<std::int32_t> before{1, 2, 3};
  std::byte* const data = t.upload(0, before);
  std::atomic<int> now{0};
  recorder refused(now, false), next(now);
  const event skipped = t.b.fill(t.on(0, queue_kind::compute, {}, &refused), {{data, {4}}, {3}, bytes_of(9)});
  const event after = t.b.fill(t.on(0, queue_kind::copy_in, {&skipped, 1}, &next), {});
  after.wait();
  CHECK(skipped.done());
  CHECK(refused.admitted == 1);
  CHECK(refused.begun == 0);
  CHECK(refused.done == 0);
  CHECK(next.done == 4);
  if (World::computes) CHECK(t.template download<std::int32_t>(0, data, 3) == before);
  t.b.deallocate(0, data, 12);
}

TEST_CASE_TEMPLATE_DEFINE("the event happens only after the observer has been told", World, tells_before_the_event) {
  struct slow final : observer {
    bool admit() noexcept override { return true; }
    void ended() noexcept override {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      told = true;
    }
    void failed(std::exception_ptr) noexcept override {}
    bool told = false;
  };
  bench<World> t;
  slow watch;
  t.b.fill(t.on(0, queue_kind::compute, {}, &watch), {}).wait();
  CHECK(watch.told);
}

TEST_CASE_TEMPLATE_DEFINE("a native function that throws is reported and the queue goes on", World,
                          reports_exceptions) {
  bench<World> t;
  std::atomic<int> now{0};
  recorder bad(now), good(now);
  std::atomic<bool> ran{false};
  const event first =
      t.b.native(t.on(0, queue_kind::compute, {}, &bad), [](native_context&) { throw std::runtime_error("boom"); });
  const event second = t.b.native(t.on(0, queue_kind::compute, {}, &good), [&](native_context&) { ran = true; });
  t.b.native(t.on(0), [](native_context&) { throw 1; });
  second.wait();
  CHECK(first.done());
  CHECK(bad.done < good.begun);
  CHECK(good.reason == nullptr);
  CHECK(ran == World::computes);
  REQUIRE((bad.reason != nullptr) == World::computes);
  if (World::computes) CHECK_THROWS_WITH_AS(std::rethrow_exception(bad.reason), "boom", std::runtime_error);
}

TEST_CASE_TEMPLATE_DEFINE("a backend that ends waits for its work", World, ends_in_order) {
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> now{0};
    std::vector<recorder> notes(40, recorder(now));
    {
      bench<World> t({.disturbance = {.seed = 5, .max_delay_ns = 5000}});
      event last;
      int k = 0;
      for (recorder& r : notes) {
        ++k;
        last = t.b.fill(t.on(k % 3, static_cast<queue_kind>(k % 3), {&last, 1}, &r), {});
      }
    }
    CHECK(std::all_of(notes.begin(), notes.end(), [](const recorder& r) { return r.done > 0; }));
  }
}

TEST_CASE_TEMPLATE_DEFINE("many threads may enqueue at once", World, takes_work_from_many_threads) {
  bench<World> t;
  constexpr int producers = 4, each = 500;
  std::vector<std::uint64_t> one{1}, zero(World::devices, 0);
  std::byte* const source = t.upload(0, one);
  std::byte* const sums = t.upload(0, zero);
  std::vector<std::thread> threads;
  for (int p = 0; p < producers; ++p)
    threads.emplace_back([&] {
      for (int i = 0; i < each; ++i)
        for (int d = 0; d < World::devices; ++d)
          t.b.fold(t.on(d), {{sums + d * 8, {8}}, {source, {8}}, {1}, dtype_of<std::uint64_t>()});
    });
  for (std::thread& p : threads) p.join();
  for (int d = 0; d < World::devices; ++d) t.b.fill(t.on(d), {}).wait();
  if (World::computes)
    CHECK(t.template download<std::uint64_t>(0, sums, World::devices) ==
          std::vector<std::uint64_t>(World::devices, producers * each));
  t.b.deallocate(0, source, 8);
  t.b.deallocate(0, sums, World::devices * 8);
}

TEST_CASE_TEMPLATE_DEFINE("a queue that does not exist is refused", World, refuses_unknown_queues) {
  bench<World> t;
  CHECK_THROWS_AS(t.b.fill({{World::devices, queue_kind::compute}, {}, nullptr}, {}), argument_error);
  CHECK_THROWS_AS(t.b.fill({{-1, queue_kind::copy_out}, {}, nullptr}, {}), argument_error);
}

}  // namespace tessera::device::suite
