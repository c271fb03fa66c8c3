// What goes between ranks, and in how many messages.
#include <doctest/doctest.h>

#include <bit>
#include <set>

#include "tessera/plan/coherence/dissemination.h"
#include "tests/plan/cluster.h"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::plan::test;

TEST_CASE("halos of several arrays share one message per neighbour") {
  cluster c(16, 1);
  const auto a = c.create({1600}), b = c.create({1600}), out = c.create({1600});
  c.host_write(a);
  c.host_write(b);
  c.forget();
  c.launch(
      {"global i => read a[i-1:i+1], read b[i-2:i+2], write out[i]", {1600}, {10}, {{"a", a}, {"b", b}, {"out", out}}});
  check_messages_match(c);
  CHECK(c.count<send_op>() == 30);
  for (const auto& [i, s] : c.all<send_op>(7)) CHECK(elements(s->parts) == 3);
}

TEST_CASE("large parts go in messages of their own, so that no reader waits for more than it needs") {
  cluster c(2, 1);
  const std::int64_t n = 1 << 20;
  const auto a = c.create({n}), b = c.create({n}), out = c.create({n});
  c.host_write(a);
  c.host_write(b);
  c.forget();
  c.launch({"global i => read a, read b, write out[i]", {n}, {64}, {{"a", a}, {"b", b}, {"out", out}}});
  check_messages_match(c);
  CHECK(c.all<send_op>(0).size() == 2);
}

TEST_CASE("what every rank reads reaches all of them in as many steps as the logarithm of their number") {
  for (const int ranks : {3, 4, 7, 16, 37}) {
    cluster c(ranks, 2);
    const std::int64_t n = 100 * ranks;
    const auto a = c.create({n}), out = c.create({n});
    c.host_write(a);
    c.forget();
    const launch_call everything{"global i => read a, write out[i]", {n}, {25}, {{"a", a}, {"out", out}}};
    c.launch(everything);
    check_messages_match(c);
    const auto steps = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(ranks - 1)));
    for (int r = 0; r < ranks; ++r) {
      CHECK(c.all<send_op>(r).size() == steps);
      CHECK(c.all<receive_op>(r).size() == steps);
      std::int64_t received = 0;
      for (const auto& [i, s] : c.all<receive_op>(r)) received += elements(s->parts);
      CHECK(received == n - 100);  // nothing comes twice
    }
    c.forget();
    c.launch(everything);
    c.launch(stencil_call(a, out, 25));
    c.host_read(a);
    CHECK(c.count<send_op>() == 0);
    c.launch({"global i => write a[i]", {n}, {25}, {{"a", a}}});
    c.launch(everything);
    check_messages_match(c);
    CHECK(c.count<send_op>() == static_cast<std::size_t>(ranks) * steps);
  }
}

TEST_CASE("what one rank has reaches all along a tree") {
  cluster c(16, 1);
  layout first;
  first.form = layout::kind::on_device;
  const auto a = c.create({8}, first), out = c.create({1600});
  c.host_write(a);
  c.forget();
  c.launch({"global i => read a, write out[i]", {1600}, {100}, {{"a", a}, {"out", out}}});
  check_messages_match(c);
  CHECK(c.count<send_op>() == 15);
  CHECK(c.all<send_op>(0).size() == 4);
  c.forget();
  c.launch({"global i => write a[0]", {1}, {1}, {{"a", a}}});
  c.host_read(a);
  check_messages_match(c);
  CHECK(c.all<send_op>(0).size() == 4);
  CHECK(c.count<send_op>() == 15);
}

TEST_CASE("ranks agree on messages where a part of a launch declares more boxes of a view than are listed") {
  cluster c(2, 2);
  const auto a = c.create({12'000, 10}), out = c.create({20'004, 6}, tiles({5001, 3}));
  launch_call flat{"global i => write a as [120000][i]", {120'000}, {30'006}, {{"a", a}}};
  flat.split = {split_spec::kind::blocks, {30'006}, 0};
  c.launch(flat);
  // Whole rows of the view lie together; halves of them are thousands of boxes, of which the hull is taken.
  c.launch({"global [j, i] => read a as [20004, 6][i, j], write out[i, j]",
            {6, 20'004},
            {3, 5001},
            {{"a", a}, {"out", out}}});
  CHECK(c.count<send_op>() > 0);
  check_messages_match(c);
}

TEST_CASE("an exchange by dissemination brings every part to every rank once") {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    std::vector<std::set<int>> has(static_cast<std::size_t>(ranks));
    std::vector<std::vector<dissemination_step>> steps;
    for (int r = 0; r < ranks; ++r) {
      has[static_cast<std::size_t>(r)].insert(r);
      steps.push_back(dissemination(ranks, r));
    }
    for (std::size_t k = 0; k < steps[0].size(); ++k) {
      auto next = has;
      for (int r = 0; r < ranks; ++r) {
        const dissemination_step& s = steps[static_cast<std::size_t>(r)][k];
        const dissemination_step& peer = steps[static_cast<std::size_t>(s.to.value)][k];
        CHECK(peer.from.value == r);
        CHECK(peer.received.first == s.sent.first);
        CHECK(peer.received.count == s.sent.count);
        for (int w = 0; w < s.sent.count; ++w) {
          const int part = (s.sent.first + w) % ranks;
          CHECK(has[static_cast<std::size_t>(r)].contains(part));
          CHECK(next[static_cast<std::size_t>(s.to.value)].insert(part).second);
        }
      }
      has = std::move(next);
    }
    for (const auto& h : has) CHECK(h.size() == static_cast<std::size_t>(ranks));
  }
}

TEST_CASE("a value goes once to every rank, and what uses it later moves nothing between ranks") {
  for (const int ranks : {1, 2, 3, 7, 16}) {
    cluster c(ranks, 2);
    const auto a = c.create({1600}), out = c.create({1600}), value = c.create({1});
    c.host_write(a);
    c.forget();
    c.run(snapshot_task{a.id, box({1234}, {1235}), value.id});
    check_messages_match(c);
    CHECK(c.count<send_op>() == static_cast<std::size_t>(ranks - 1));
    for (int r = 0; r < ranks; ++r) CHECK(c.all<copy_op>(r).size() >= 1);
    c.forget();
    c.launch({"global i => read v[0], readwrite out[i]", {1600}, {10}, {{"v", value}, {"out", out}}});
    c.host_read(value, {host_ranks::kind::here, {}});
    c.run(snapshot_task{a.id, box({1234}, {1235}), value.id});
    CHECK(c.count<send_op>() == 0);
  }
}

TEST_CASE("a value of a constant is the constant") {
  cluster c(4, 2);
  const auto a = c.create({1600}), value = c.create({1});
  c.fill(a);
  c.forget();
  c.run(snapshot_task{a.id, box({7}, {8}), value.id});
  for (int r = 0; r < 4; ++r) CHECK(c.instructions[static_cast<std::size_t>(r)].empty());
}
