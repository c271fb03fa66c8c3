#include "tessera/plan/task_traits.h"

#include <doctest/doctest.h>

#include "tessera/plan/task_codec.h"

using namespace tessera;
using namespace tessera::plan;

static_assert(!known_task<int>, "a kind without an entry is recognised");
static_assert(task_kinds<std::variant<drop_task, create_task>>::are_numbered());
static_assert(!task_kinds<std::variant<create_task, fill_task>>::are_numbered(), "a gap between tags is recognised");

namespace {

const box part({1, 2}, {3, 4});

task made_at(task_body body) { return {task_id(1), {"main.cpp", 12}, std::move(body)}; }

host_exchange exchange(host_ranks::kind ranks = host_ranks::kind::every) {
  return {array_id(5), part, {ranks, {}}, {array_id(70), array_id(71)}, 9, 0x1234};
}

}  // namespace

TEST_CASE("a call is described by its verb, its place and what may differ between two calls there") {
  CHECK(describe(made_at(create_task{array_id(5), {40, 8}, dtype_of<float>(), {}, nullptr})) ==
        "an array is made at main.cpp:12 (array 5 {40, 8} of float32, distribution automatic {})");
  CHECK(describe(made_at(drop_task{array_id(5)})) == "an array is dropped at main.cpp:12 (array 5)");
  CHECK(describe(made_at(fill_task{array_id(5), part, {}})) ==
        "an array is filled at main.cpp:12 (array 5 [1:3, 2:4])");
  CHECK(describe(made_at(host_write_task{exchange()})) ==
        "an array is written at main.cpp:12 (array 5 [1:3, 2:4]), with contents of hash 0x0000000000001234");
  CHECK(describe(made_at(host_read_task{exchange()})) == "an array is read at main.cpp:12 (array 5 [1:3, 2:4])");
  CHECK(describe(made_at(snapshot_task{array_id(5), part, array_id(6)})) ==
        "a value is taken at main.cpp:12 (array 5 [1:3, 2:4])");
  CHECK(describe(made_at(fence_task{3})) == "a wait at main.cpp:12");
}

TEST_CASE("a launch is described by its kernel, threads and arguments in the order of parameters") {
  auto launch = std::make_shared<launch_task>();
  launch->name = "stencil";
  launch->kernel = 0xab;
  launch->accesses_hash = 0xcd;
  launch->space = {{100}, {32}};
  launch->arrays = {{2, array_id(8), box::whole({100}), false}, {0, array_id(7), box::whole({100}), false}};
  launch->scalars = {{1, {std::byte{100}, std::byte{0}}}};
  launch->split.form = split_spec::kind::on_device;
  launch->split.device = 3;
  CHECK(describe(made_at(launch)) ==
        "launch of 'stencil' at main.cpp:12 (threads {100}, block {32}, arguments array 7 [0:100], 0x0064, "
        "array 8 [0:100], split on device 3, kernel 0x00000000000000ab, accesses 0x00000000000000cd)");
}

TEST_CASE("a call whose place is not known is described without it") {
  CHECK(describe({task_id(1), {}, drop_task{array_id(5)}}) == "an array is dropped (array 5)");
}

TEST_CASE("calls that concern one rank alone are not shared") {
  CHECK(!is_shared(made_at(drop_task{array_id(5)})));
  CHECK(!is_shared(made_at(fence_task{3})));
  CHECK(!is_shared(made_at(host_read_task{exchange(host_ranks::kind::here)})));
  CHECK(is_shared(made_at(host_read_task{exchange(host_ranks::kind::own)})));
  CHECK(is_shared(made_at(host_write_task{exchange()})));
  CHECK(is_shared(made_at(fill_task{array_id(5), part, {}})));
}

TEST_CASE("what ranks compare of an exchange are neither its host memory nor its ticket") {
  const task whole = made_at(host_write_task{exchange()}), compared = shared_part(whole);
  const auto& body = std::get<host_write_task>(compared.body);
  CHECK(body.buffers.empty());
  CHECK(body.ticket == 0);
  CHECK(body.contents == 0x1234);
  CHECK(shared_hash(compared) == shared_hash(whole));
  CHECK(describe(compared) == describe(whole));
}
