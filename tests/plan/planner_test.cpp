#include "tessera/plan/planner.h"

#include <doctest/doctest.h>

#include <random>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tests/plan/cluster.h"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::plan::test;

namespace {

bool depends(const instruction& later, const instruction& earlier) {
  return std::find(later.after.begin(), later.after.end(), earlier.id) != later.after.end();
}

}  // namespace

TEST_CASE("a stencil over 16 ranks of 8 devices moves only halos") {
  cluster c(16, 8);
  const auto a = c.create({12800}), b = c.create({12800});
  c.host_write(a);
  c.launch(stencil_call(a, b, 10));
  c.forget();
  c.launch(stencil_call(b, a, 10));

  check_messages_match(c);
  CHECK(c.count<launch_op>() == 128);
  CHECK(c.count<send_op>() == 30);  // both ways between 15 pairs of neighbours
  CHECK(c.all<send_op>(0).size() == 1);
  CHECK(c.all<send_op>(7).size() == 2);
  for (int r = 0; r < 16; ++r) {
    for (const auto& [i, s] : c.all<send_op>(r)) CHECK(elements(s->parts) == 1);
    CHECK(c.all<copy_op>(r).size() == 14);  // both ways between 7 pairs of devices
  }
}

TEST_CASE("what a rank has received it is not sent again") {
  cluster c(2, 2);
  const auto a = c.create({64}), b = c.create({64}), d = c.create({64});
  c.host_write(a);
  c.launch(stencil_call(a, b));
  c.forget();
  c.launch(stencil_call(a, d));
  CHECK(c.count<send_op>() == 0);
  CHECK(c.count<copy_op>() == 0);
}

TEST_CASE("a rank's second device takes what its first one was sent") {
  cluster c(2, 2);
  layout first_half;
  first_half.form = layout::kind::on_device;
  const auto a = c.create({8}, first_half);
  const auto b = c.create({4, 8}, tiles({1, 8}));
  c.host_write(a);
  c.launch({"global [j, i] => read a, write b[i, j]", {8, 4}, {8, 1}, {{"a", a}, {"b", b}}});
  check_messages_match(c);
  CHECK(c.all<send_op>(0).size() == 1);
  CHECK(c.all<receive_op>(1).size() == 1);
  CHECK(c.all<copy_op>(1).size() == 1);
}

TEST_CASE("constants cost nothing until they are read") {
  cluster c(2, 2);
  const auto a = c.create({64}), b = c.create({64});
  c.fill(a);
  c.fill(b);
  c.forget();
  c.launch({"global i => write b[i]", {64}, {16}, {{"b", b}}});
  CHECK(c.count<fill_op>() == 0);
  c.launch(stencil_call(a, b));
  CHECK(c.count<fill_op>() == 4);
  CHECK(c.count<send_op>() == 0);
}

TEST_CASE("a write waits for the readers of what it overwrites, a read for the writer") {
  cluster c(1, 1);
  const auto a = c.create({64}), b = c.create({64});
  c.host_write(a);
  c.forget();
  c.launch(stencil_call(a, b));
  c.launch({"global i => write a[i]", {64}, {16}, {{"a", a}}});
  c.launch(stencil_call(a, b));
  const auto launches = c.all<launch_op>(0);
  REQUIRE(launches.size() == 3);
  CHECK(depends(*launches[1].first, *launches[0].first));  // write after read
  CHECK(depends(*launches[2].first, *launches[1].first));  // read after write
  CHECK(depends(*launches[2].first, *launches[0].first));  // write after write
}

TEST_CASE("launches that touch different parts of an array do not depend on each other") {
  cluster c(1, 1);
  const auto a = c.create({64});
  c.launch({"global i => write a[i]", {32}, {16}, {{"a", a}}});
  c.launch({"global i => write a[i+32]", {32}, {16}, {{"a", a}}});
  CHECK(c.all<launch_op>(0)[1].first->after.empty());
}

TEST_CASE("state stays bounded over many launches, also if one array is only read") {
  cluster c(1, 3);
  const auto a = c.create({300}), b = c.create({300});
  c.host_write(a);
  std::size_t after_some = 0;
  for (int i = 0; i < 20'000; ++i) {
    c.launch(stencil_call(a, b));
    c.forget();
    if (i == 2'000) after_some = c.on(0).tracked();
  }
  CHECK(c.on(0).tracked() <= 2 * after_some);
}

TEST_CASE("state depends on what is different now, not on how many elements were written one by one") {
  cluster c(1, 3);
  const auto a = c.create({30'000});
  std::size_t most = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t x = i * std::int64_t{7919} % 30'000;
    if (i == 100) c.fill(a);  // what is not written since is constant
    c.run(host_write_task{{a.id, {{x}, {x + 1}}, {}, {array_id(999)}}});
    c.forget();
    most = std::max(most, c.on(0).tracked());
  }
  CHECK(most < 12'000);
}

TEST_CASE("every instruction comes after those it depends on") {
  cluster c(3, 2);
  const auto a = c.create({90}), b = c.create({90}), s = c.create({1});
  c.host_write(a);
  for (int i = 0; i < 30; ++i) {
    c.launch(stencil_call(a, b));
    c.launch({"global i => read in[i], atomic(+) sum", {90}, {10}, {{"in", b}, {"sum", s}}});
    c.launch(stencil_call(b, a));
    c.host_read(s);
  }
  check_messages_match(c);
  for (const auto& list : c.instructions)
    for (const instruction& i : list)
      for (const instruction_id before : i.after) CHECK(before < i.id);
}

TEST_CASE("a sum over 16 ranks is combined along a tree") {
  cluster c(16, 2);
  const auto a = c.create({3200}), s = c.create({1});
  c.host_write(a);
  c.forget();
  c.launch({"global i => read in[i], reduce(+) sum", {3200}, {10}, {{"in", a}, {"sum", s}}});
  check_messages_match(c);
  CHECK(c.count<send_op>() == 15);
  CHECK(c.all<receive_op>(0).size() == 4);  // log2 of 16
  for (int r = 1; r < 16; ++r) CHECK(c.all<send_op>(r).size() == 1);
}

TEST_CASE("a launch that is not split runs where most of its bytes are") {
  cluster c(2, 2);
  layout third;
  third.form = layout::kind::on_device;
  third.device = 2;
  const auto big = c.create({1000}, third), small = c.create({10});
  c.host_write(big);
  c.host_write(small);
  c.forget();
  c.launch(
      {"single => read big, small, write out", {32}, {32}, {{"big", big}, {"small", small}, {"out", c.create({5})}}});
  REQUIRE(c.count<launch_op>() == 1);
  CHECK(c.all<launch_op>(1).at(0).second->place == location{node_id(1), 0});
}

TEST_CASE("a split that makes superblocks write the same element is refused and both are named") {
  cluster c(1, 2);
  const auto a = c.create({64});
  launch_call call{"global i => write a[i/2]", {64}, {1}, {{"a", a}}};
  call.split = {split_spec::kind::blocks, {31}, 0};
  CHECK_THROWS_WITH_AS(c.launch(call), doctest::Contains("superblocks 0"), argument_error);
}

TEST_CASE("an automatic split moves its cuts to where no two superblocks write the same element") {
  cluster c(1, 2);
  const auto a = c.create({31});
  c.launch({"global i => write a[i/3]", {93}, {1}, {{"a", a}}});
  const auto launches = c.all<launch_op>(0);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].second->part.hi[0] % 3 == 0);
}

TEST_CASE("an update in place that reads its neighbours is not split") {
  cluster c(1, 4);
  const auto a = c.create({64});
  c.host_write(a);
  c.launch({"global i => readwrite a[i-1:i+1]", {64}, {4}, {{"a", a}}});
  CHECK(c.count<launch_op>() == 1);
}

TEST_CASE("superblocks follow the distribution of the first written array on both axes") {
  cluster c(1, 4);
  const auto a = c.create({64, 64}), b = c.create({64, 64}, tiles({32, 32}));
  c.host_write(a);
  c.launch({"global [x, y] => read in[y, x], write out[y, x]", {64, 64}, {16, 16}, {{"in", a}, {"out", b}}});
  const auto launches = c.all<launch_op>(0);
  REQUIRE(launches.size() == 4);
  CHECK(launches[1].second->part == box({2, 0}, {4, 2}));
  for (int d = 0; d < 4; ++d) CHECK(launches[static_cast<std::size_t>(d)].second->place.index == d);
}

TEST_CASE("padding threads of the last block do not lose what they declare but do not write") {
  cluster c(1, 1);
  const auto a = c.create({100});
  c.host_write(a);
  c.forget();
  c.launch({"global i => write a[i]", {70}, {64}, {{"a", a}}});
  const instruction& launch = *c.all<launch_op>(0).at(0).first;
  const auto reads = std::count_if(launch.operands.begin(), launch.operands.end(),
                                   [](const operand& o) { return !o.written && o.bounds == box({70}, {100}); });
  CHECK(reads == 1);
}

TEST_CASE("a launch over a whole array is one entry of the map, whatever the number of ranks") {
  for (const int ranks : {1, 4, 16, 64}) {
    cluster c(ranks, 1);
    const auto a = c.create({6400}), b = c.create({6400});
    c.host_write(a);
    for (int i = 0; i < 3; ++i) c.launch(stencil_call(a, b)), c.launch(stencil_call(b, a));
    CHECK(c.on(0).tracked() < 40);
  }
}

TEST_CASE("random programs give matching messages on all ranks") {
  std::mt19937 random(5);
  for (int round = 0; round < 20; ++round) {
    cluster c(2 + static_cast<int>(random() % 4), 1 + static_cast<int>(random() % 3));
    std::vector<array_handle> arrays;
    for (int i = 0; i < 4; ++i)
      arrays.push_back(c.create({40 + static_cast<std::int64_t>(random() % 50)},
                                tiles({1 + static_cast<std::int64_t>(random() % 20)}, random() % 2)));
    for (const auto& a : arrays) c.host_write(a);
    for (int step = 0; step < 30; ++step) {
      const auto& x = arrays[random() % 4];
      const auto& y = arrays[random() % 4];
      if (x.id == y.id) continue;
      const std::string shift = std::to_string(random() % 9);
      const char* modes[] = {"write", "readwrite", "atomic(+)", "reduce(max)"};
      const std::string text = cat("global i => read x[i-", shift, ":i+2], ", modes[random() % 4], " y[i+", shift, "]");
      c.launch({text,
                {1 + static_cast<std::int64_t>(random() % 60)},
                {1 + static_cast<std::int64_t>(random() % 8)},
                {{"x", x}, {"y", y}}});
      if (random() % 4 == 0) c.host_read(x);
    }
    check_messages_match(c);
  }
}

TEST_CASE("a launch that the user has put on a device stays there, wherever its bytes are") {
  cluster c(2, 2);
  layout third;
  third.form = layout::kind::on_device;
  third.device = 2;
  const auto big = c.create({1000}, third);
  c.host_write(big);
  launch_call call{"single => readwrite big", {32}, {32}, {{"big", big}}};
  call.split.form = split_spec::kind::on_device;
  call.split.device = 1;
  c.launch(call);
  call.split.form = split_spec::kind::slabs;
  call.split.slabs = {{0, 32, 1}};
  c.launch(call);
  REQUIRE(c.count<launch_op>() == 2);
  for (const auto& [i, l] : c.all<launch_op>(0)) CHECK(l->place == location{node_id(0), 1});
  check_messages_match(c);
}
