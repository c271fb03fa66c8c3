#include <doctest/doctest.h>

#include <set>

#include "tessera/base/error.h"
#include "tests/plan/cluster.h"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::plan::test;

namespace {

split_spec every(std::int64_t threads) { return {split_spec::kind::blocks, {threads}, 0}; }

/// The elements of `a` (rank 1) that a launch gives new contents by combining.
std::set<std::int64_t> combined(const cluster& c, const array_handle& a) {
  std::set<std::int64_t> found;
  for (const auto& [i, f] : c.all<fold_op>(0))
    if (f->target.array == a.id)
      for (const box& b : f->boxes)
        for (std::int64_t x = b.lo[0]; x < b.hi[0]; ++x) found.insert(x);
  for (const auto& [i, f] : c.all<fill_op>(0))
    if (f->target.array == a.id)
      for (const box& b : f->boxes)
        for (std::int64_t x = b.lo[0]; x < b.hi[0]; ++x) found.insert(x);
  return found;
}

std::set<std::int64_t> combined_by(const std::string& annotation, std::int64_t threads, std::int64_t pieces,
                                   std::int64_t elements) {
  cluster c(1, 2);
  const auto a = c.create({elements});
  c.host_write(a);
  c.forget();
  c.launch({annotation, {threads}, {4}, {{"a", a}}, {}, every(pieces)});
  return combined(c, a);
}

}  // namespace

TEST_CASE("a reduction replaces the elements it declares and no others, however it is split") {
  std::set<std::int64_t> even, ends, groups;
  for (std::int64_t i = 0; i < 16; ++i) even.insert(2 * i + 1);
  for (std::int64_t i = 0; i < 16; ++i) ends.insert(i * 12 / 4 % 9);
  for (std::int64_t i = 0; i < 16; ++i) groups.insert(i % 2 + i / 4 * 5);
  for (const std::int64_t pieces : {4, 8, 12, 16}) {
    CAPTURE(pieces);
    CHECK(combined_by("global i => reduce(+) a[2*i+1]", 16, pieces, 40) == even);
    CHECK(combined_by("global i => reduce(+) a[i*12/4%9]", 16, pieces, 40) == ends);
    CHECK(combined_by("global i => reduce(max) a[i%2 + i/4*5]", 16, pieces, 40) == groups);
    CHECK(combined_by("block b => reduce(+) a[9*b-1:9*b+4:3]", 16, pieces, 40) ==
          std::set<std::int64_t>{2, 8, 11, 17, 20, 26, 29});
    CHECK(combined_by("global i, block b => reduce(+) a[i-4*b]", 16, pieces, 40) == std::set<std::int64_t>{0, 1, 2, 3});
  }
}

TEST_CASE("a reduction without gaps is combined as one box, for any number of threads") {
  for (const char* annotation : {"global i => reduce(+) a[i%8]", "global i => reduce(+) a[i/2048]",
                                 "global i => reduce(+) a", "block b => reduce(+) a[b%3:b%3+5]"}) {
    cluster c(1, 2);
    layout here;
    here.form = layout::kind::on_device;
    const auto a = c.create({8}, here);
    c.launch({annotation, {1 << 14}, {4}, {{"a", a}}, {}, every(1 << 13)});
    for (const auto& [i, f] : c.all<fold_op>(0)) CHECK(f->boxes.size() == 1);
    CHECK(c.count<fold_op>() == 2);
    CHECK(combined(c, a).size() == 8);
  }
}

TEST_CASE("a registered operation is named by its launch and parameter wherever its identity or itself is needed") {
  for (const bool in_order : {false, true}) {
    CAPTURE(in_order);
    cluster c(1, 3, {.deterministic = in_order});
    const auto other = c.create({4}), a = c.create({4});
    launch_call call{"global i => read x, reduce(argmin) a", {24}, {4}, {{"x", other}, {"a", a}}, {}, every(8)};
    call.operations = {"moments", "argmin"};
    c.host_write(other);
    c.launch(call);
    const auto is_meant = [&](const combining& by) {
      return by.op == registered_op(1) && by.launch != nullptr && by.launch->arrays[1].array == a.id &&
             by.parameter == 1;
    };
    for (const auto& [i, f] : c.all<fold_op>(0)) CHECK(is_meant(f->by));
    int fills = 0;
    for (const auto& [i, f] : c.all<fill_op>(0)) {
      CHECK(f->value == nullptr);
      CHECK(is_meant(f->identity_of));
      ++fills;
    }
    CHECK(fills == (in_order ? 6 : 3));  // in order one for each superblock, of which the launch's grid makes six
    CHECK(c.count<fold_op>() >= 2);
    c.forget();
    call.annotation = "global i => read x, reduce(+) a";
    c.launch(call);
    for (const auto& [i, f] : c.all<fold_op>(0)) CHECK(f->by.launch == nullptr);
  }
}

TEST_CASE("in deterministic mode registered operations are not cut where the order of thread blocks would be lost") {
  // Blocks along y write the same elements, so that the launch can be cut along x alone: columns of blocks.
  const auto superblocks = [](const char* operation) {
    cluster c(1, 2, {.deterministic = true});
    const auto w = c.create({64}), a = c.create({4});
    c.launch({std::string("global [i, j] => write w[i], reduce(") + operation + ") a",
              {64, 8},
              {4, 4},
              {{"w", w}, {"a", a}},
              {},
              {},
              {"then"}});
    return c.count<launch_op>();
  };
  CHECK(superblocks("+") > 1);
  CHECK(superblocks("then") == 1);
}

TEST_CASE("a reduction into too many separate pieces is refused and told what to declare") {
  cluster c(1, 2);
  const auto a = c.create({1 << 20});
  CHECK_THROWS_WITH_AS(c.launch({"global i => reduce(+) a[2*i]", {1 << 19}, {64}, {{"a", a}}}),
                       doctest::Contains("separate pieces"), argument_error);
}

TEST_CASE("one array combined in two ways through two parameters is refused with both") {
  cluster c(1, 2);
  const auto a = c.create({8});
  const auto message = [&](const std::string& annotation) {
    try {
      c.launch({annotation, {8}, {4}, {{"a", a}, {"b", a}}});
    } catch (const argument_error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  const std::string two_ops = message("global i => reduce(+) a, reduce(max) b");
  CHECK_MESSAGE(two_ops.find("`reduce(+)`") != std::string::npos, two_ops);
  CHECK_MESSAGE(two_ops.find("`reduce(max)`") != std::string::npos, two_ops);
  const std::string two_modes = message("global i => reduce(+) a, atomic(+) b");
  CHECK_MESSAGE(two_modes.find("`atomic(+)`") != std::string::npos, two_modes);
  CHECK(message("global i => reduce(+) a[0:3], reduce(+) b[4:7]") == "accepted");
}

TEST_CASE("a launch declared as one piece is not split by hand") {
  cluster c(1, 2);
  const auto a = c.create({64});
  launch_call call{"single => readwrite a", {64}, {4}, {{"a", a}}, {}, every(32)};
  CHECK_THROWS_WITH_AS(c.launch(call), doctest::Contains("one superblock"), argument_error);
  call.split = every(64);
  CHECK_NOTHROW(c.launch(call));
  CHECK(c.count<launch_op>() == 1);
}
