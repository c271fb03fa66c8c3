// Copies that a distribution promises are brought up to date by what writes the array (rule C2).
#include <doctest/doctest.h>

#include <random>
#include <set>

#include "tessera/base/error.h"
#include "tessera/plan/promised_copies.h"
#include "tests/plan/cluster.h"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::plan::test;

namespace {

layout with_halo(layout home, const extents& widths) {
  home.halo = widths;
  return home;
}

layout replicated() {
  layout home;
  home.form = layout::kind::replicated;
  return home;
}

/// Elements that one rank is sent.
std::int64_t received(const cluster& c, int rank) {
  std::int64_t sum = 0;
  for (const auto& [i, r] : c.all<receive_op>(rank)) sum += elements(r->parts);
  return sum;
}

std::size_t movements(const cluster& c) { return c.count<copy_op>() + c.count<send_op>() + c.count<receive_op>(); }

/// Sends, and copies between devices, of a stencil loop of ten steps with and without a halo.
std::size_t loop(int nodes, int devices, bool halo) {
  cluster c(nodes, devices);
  const layout home = halo ? with_halo(tiles({25}), {1}) : tiles({25});
  auto a = c.create({25 * nodes * devices}, home), b = c.create(a.shape, home);
  c.host_write(a);
  c.launch(stencil_call(a, b, 25));  // from here on both loops have begun
  std::swap(a, b);
  c.forget();
  for (int step = 0; step < 10; ++step, std::swap(a, b)) c.launch(stencil_call(a, b, 25));
  check_messages_match(c);
  return c.count<send_op>() + c.count<copy_op>();
}

}  // namespace

TEST_CASE("a halo is copied by the task that writes it, and its reader copies nothing") {
  cluster c(1, 4);
  const layout home = with_halo(tiles({25}), {1});
  const auto a = c.create({100}, home), b = c.create({100}, home);
  c.host_write(a);
  c.forget();
  c.launch(stencil_call(a, b, 25));
  const auto copies = c.all<copy_op>(0);
  CHECK(copies.size() == 6);  // both ways between three pairs of neighbours
  for (const auto& [i, copy] : copies) {
    CHECK(copy->source.array == b.id);
    CHECK(elements(copy->boxes) == 1);
    CHECK(i->task == c.all<launch_op>(0).front().first->task);
  }
  c.forget();
  c.launch(
      {"global i => read in[i-1:i+1], write out[i]", {100}, {25}, {{"in", b}, {"out", c.create({100}, tiles({25}))}}});
  CHECK(c.count<copy_op>() == 0);
}

TEST_CASE("a halo costs a stencil loop no more messages and copies than its readers did") {
  CHECK(loop(1, 4, true) == loop(1, 4, false));
  CHECK(loop(3, 1, true) == loop(3, 1, false));
  CHECK(loop(3, 2, true) == loop(3, 2, false));
}

TEST_CASE("a vector that is replicated is everywhere before it is read") {
  for (const int nodes : {1, 2, 3, 7}) {
    cluster c(nodes, 2);
    const std::int64_t n = 20 * nodes;
    const auto x = c.create({n}, replicated()), y = c.create({n});
    c.launch({"global i => write x[i]", {n}, {10}, {{"x", x}}});
    check_messages_match(c);
    for (int r = 0; r < nodes; ++r) CHECK(received(c, r) == n - 20);
    c.forget();
    c.launch({"global i => read x, write y[i]", {n}, {10}, {{"x", x}, {"y", y}}});
    CHECK(movements(c) == 0);
  }
}

TEST_CASE("a sum into a replicated array is everywhere at once") {
  cluster c(3, 2);
  const auto x = c.create({60}), total = c.create({1}, replicated()), y = c.create({60});
  c.host_write(x);
  c.launch({"global i => read x[i], reduce(+) total[0]", {60}, {10}, {{"x", x}, {"total", total}}});
  check_messages_match(c);
  c.forget();
  c.launch({"global i => read total[0], write y[i]", {60}, {10}, {{"total", total}, {"y", y}}});
  CHECK(movements(c) == 0);
}

TEST_CASE("a wide halo comes from several neighbours") {
  cluster c(8, 1);
  const auto a = c.create({80}, with_halo(tiles({10}), {25})), out = c.create({80}, tiles({10}));
  c.host_write(a);
  check_messages_match(c);
  CHECK(received(c, 0) == 25);
  CHECK(c.all<receive_op>(0).size() == 3);
  CHECK(received(c, 4) == 50);
  c.forget();
  c.launch({"global i => read in[i-25:i+25], write out[i]", {80}, {10}, {{"in", a}, {"out", out}}});
  CHECK(movements(c) == 0);
}

TEST_CASE("the halo of a tile has corners, and widths may differ by axis") {
  const auto received_with = [](const extents& widths) {
    cluster c(4, 1);
    const auto a = c.create({8, 8}, with_halo(tiles({4, 4}), widths));
    c.host_write(a);
    check_messages_match(c);
    return received(c, 3);
  };
  CHECK(received_with({1}) == 4 + 4 + 1);
  CHECK(received_with({1, 1}) == 4 + 4 + 1);
  CHECK(received_with({1, 0}) == 4);
  CHECK(received_with({0, 2}) == 8);
  CHECK(received_with({2, 1}) == 2 * 4 + 4 + 2);
  CHECK(received_with({0, 0}) == 0);
  CHECK(received_with({100}) == 48);
}

TEST_CASE("parts that are listed may be uneven and have halos, too") {
  layout home;
  home.form = layout::kind::listed;
  home.parts = {{box({0}, {10}), 0, 0}, {box({10}, {12}), 1, 1}, {box({12}, {40}), 2, 2}};
  cluster c(3, 1);
  const auto a = c.create({40}, with_halo(home, {3}));
  c.host_write(a);
  check_messages_match(c);
  CHECK(received(c, 0) == 3);  // of both others
  CHECK(c.all<receive_op>(0).size() == 2);
  CHECK(received(c, 1) == 6);
  CHECK(received(c, 2) == 3);
}

TEST_CASE("only what was written moves") {
  cluster c(2, 1);
  const auto a = c.create({20}, with_halo(tiles({10}), {4}));
  c.host_write(a);
  c.forget();
  c.run(host_write_task{{a.id, box({8}, {11}), {}, {array_id(997)}, 50}});
  CHECK(received(c, 0) == 1);
  CHECK(received(c, 1) == 2);
  c.forget();
  c.launch({"global i => write a[i + 2]", {4}, {4}, {{"a", a}}});
  CHECK(received(c, 0) == 0);
  CHECK(received(c, 1) == 0);
}

TEST_CASE("a promise costs nothing on one device, and constants keep every promise") {
  cluster one(1, 1);
  const auto a = one.create({20}, with_halo(tiles({10}), {4})), all = one.create({20}, replicated());
  one.forget();
  one.launch({"global i => write a[i], write all[i]", {20}, {10}, {{"a", a}, {"all", all}}});
  CHECK(one.instructions[0].size() == one.all<launch_op>(0).size());

  cluster many(2, 2);
  const auto b = many.create({40}, with_halo(tiles({10}), {4}));
  many.forget();
  many.fill(b);
  CHECK(many.instructions[0].empty());
}

TEST_CASE("what takes more than half of a device's memory is not replicated") {
  const auto machine = [](std::int64_t memory) { return machine_table::uniform(1, 2, {"cpu", memory}); };
  const partition_ptr home = make_partition(replicated(), {100}, 2);
  CHECK(kept_copies(*home, {100}, dtype_of<float>(), machine(800)));
  CHECK_FALSE(kept_copies(*home, {100}, dtype_of<float>(), machine(799)));
  CHECK(promise_note("x", *home, {100}, dtype_of<float>(), machine(799)).find("not replicated") != std::string::npos);
  CHECK(promise_note("x", *make_partition({}, {100}, 2), {100}, dtype_of<float>(), machine(799)).empty());
}

TEST_CASE("halos of too many axes or negative ones are refused") {
  CHECK_THROWS_AS((void)make_partition(with_halo(tiles({10}), {1, 1}), {40}, 2), argument_error);
  CHECK_THROWS_AS((void)make_partition(with_halo(tiles({10}), {-1}), {40}, 2), argument_error);
}

TEST_CASE("a device is promised exactly what lies within the halo of its parts") {
  std::mt19937 random(7);
  const auto draw = [&](int lo, int hi) { return std::uniform_int_distribution(lo, hi)(random); };
  for (int n = 0; n < 200; ++n) {
    const extents shape{draw(1, 9), draw(1, 9)}, widths{draw(0, 3), draw(0, 3)};
    const int devices = draw(2, 4);
    const partition_ptr home =
        make_partition(with_halo(tiles({draw(1, 4), draw(1, 4)}, draw(0, 1) == 1), widths), shape, devices);
    if (!home->promised()) continue;
    std::map<int, std::set<std::pair<std::int64_t, std::int64_t>>> expected, found;
    std::vector<partition::piece> parts, promised;
    const box query({draw(0, 3), draw(0, 3)}, {draw(4, 9), draw(4, 9)});
    home->pieces(box::whole(shape), parts);
    for (const partition::piece& p : parts)
      for (std::int64_t i = 0; i < shape[0]; ++i)
        for (std::int64_t j = 0; j < shape[1]; ++j)
          if (i >= p.bounds.lo[0] - widths[0] && i < p.bounds.hi[0] + widths[0] && j >= p.bounds.lo[1] - widths[1] &&
              j < p.bounds.hi[1] + widths[1] && query.contains(box({i, j}, {i + 1, j + 1})))
            expected[p.device].insert({i, j});
    home->promised()->pieces(query, promised);
    for (const partition::piece& p : promised)
      for (std::int64_t i = p.bounds.lo[0]; i < p.bounds.hi[0]; ++i)
        for (std::int64_t j = p.bounds.lo[1]; j < p.bounds.hi[1]; ++j) found[p.device].insert({i, j});
    CHECK(found == expected);
  }
}
