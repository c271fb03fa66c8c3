#include "tessera/plan/task_codec.h"

#include <doctest/doctest.h>

#include <random>

#include "tessera/base/error.h"
#include "tests/plan/cluster.h"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::plan::test;

namespace {

/// One task of every kind.
std::vector<task> samples() {
  const array_handle a{array_id(1), {40, 8}}, b{array_id(2), {40, 8}};
  layout listed;
  listed.form = layout::kind::listed;
  listed.parts = {{box({0, 0}, {40, 8}), 1, 7}};
  const auto launch = std::make_shared<launch_task>(*cluster::make(
      {"global [x < 8, y] => read in[y-1:y+1, x], write out[y, x]", {8, 40}, {4, 4}, {{"in", a}, {"out", b}}}));
  launch->scalars.push_back({2, std::vector<std::byte>(8, std::byte{5})});
  launch->shared_bytes = 48;
  const auto in_slabs = std::make_shared<launch_task>(*launch), on_device = std::make_shared<launch_task>(*launch);
  in_slabs->split.form = split_spec::kind::slabs;
  in_slabs->split.slabs = {{0, 4, 3}, {4, 4, 2}, {4, 8, 1}};
  in_slabs->split.axis = 0;
  on_device->split.form = split_spec::kind::on_device;
  on_device->split.device = 2;
  const auto reducing = cluster::make({"global i => reduce(argmin) in, reduce(+) out",
                                       {8},
                                       {4},
                                       {{"in", a}, {"out", b}},
                                       {},
                                       {},
                                       {"moments", "argmin"}});
  launch_call by_rows{"global i => read in[rows(i), :], write out[rows(7 - i), :]", {8}, {4}, {{"in", a}, {"out", b}}};
  by_rows.tables = {{"rows", intervals({{3, 9}, {9, 9}, {12, 40}, {0, 3}, {9, 10}, {10, 10}, {10, 12}, {5, 5}})}};
  const auto with_table = std::make_shared<launch_task>(*cluster::make(by_rows));
  with_table->scalars = launch->scalars;
  std::vector<task> all;
  const auto add = [&](task_body body) { all.push_back({task_id(all.size() + 1), {}, std::move(body)}); };
  add(create_task{a.id, a.shape, dtype_of<float>(), tiles({8, 8}, true), nullptr});
  add(create_task{b.id, b.shape, dtype::structure(24, 8), listed, nullptr});
  add(fill_task{a.id, box({1, 2}, {3, 4}), std::vector<std::byte>(4, std::byte{9})});
  add(host_write_task{{a.id, box::whole(a.shape), {}, {array_id(std::uint64_t{1} << 62)}, 3}});
  add(host_write_task{{a.id, box::whole(a.shape), {host_ranks::kind::own, {}}, {array_id(7), array_id(8)}, 5}});
  add(host_read_task{{b.id, box::whole(b.shape), {host_ranks::kind::one, node_id(3)}, {}, 4}});
  add(host_read_task{{b.id, box::whole(b.shape), {host_ranks::kind::here, {}}, {array_id(9)}, 6}});
  const auto value = array_id(77);
  add(create_task{value, {1, 1}, dtype_of<float>(), {}, nullptr});
  add(snapshot_task{a.id, box({1, 2}, {2, 3}), value});
  add(std::shared_ptr<const launch_task>(launch));
  add(std::shared_ptr<const launch_task>(in_slabs));
  add(std::shared_ptr<const launch_task>(on_device));
  add(std::shared_ptr<const launch_task>(reducing));
  add(std::shared_ptr<const launch_task>(with_table));
  add(fence_task{12});
  add(drop_task{a.id});
  return all;
}

}  // namespace

TEST_CASE("every task survives the way through bytes") {
  for (const task& t : samples()) {
    const std::vector<std::byte> bytes = encode(t);
    const task back = decode_task(bytes);
    CHECK(back.id == t.id);
    CHECK(back.body.index() == t.body.index());
    CHECK(encode(back) == bytes);
  }
}

TEST_CASE("the bytes of a task are its number, its tag and its fields") {
  const task t{task_id(5), {}, fill_task{array_id(3), box({1}, {3}), {std::byte{9}}}};
  // Numbers are written doubled: the lowest bit is the sign.
  const std::vector<int> expected{10, 4, 6, 2, 2, 6, 2, 9};
  std::vector<int> bytes;
  for (const std::byte b : encode(t)) bytes.push_back(static_cast<int>(b));
  CHECK(bytes == expected);
}

TEST_CASE("a tag that no kind of task has is refused") {
  CHECK_THROWS_WITH_AS((void)decode_task(std::vector<std::byte>{std::byte{10}, std::byte{16}}),
                       "malformed task: 8 lies outside 0 to 7", argument_error);
}

TEST_CASE("a planner cannot tell whether its tasks came through bytes") {
  const auto machine = machine_table::uniform(2, 2);
  planner direct(machine, node_id(1), 1), through_bytes(machine, node_id(1), 1);
  std::vector<instruction> a, b;
  for (const task& t : samples()) {
    if (std::holds_alternative<drop_task>(t.body)) continue;
    if (const auto* launch = std::get_if<std::shared_ptr<const launch_task>>(&t.body);
        launch && (*launch)->scalars.empty())
      continue;
    direct.plan(t, a);
    through_bytes.plan(decode_task(encode(t)), b);
  }
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(to_string(a[i]) == to_string(b[i]));
}

TEST_CASE("tasks that travel differently count as different to ranks, and numbers of a rank's own do not count") {
  std::mt19937 random(11);
  const auto without_own_numbers = [](task t) {
    t.id = task_id(1);
    const auto clear = [](host_exchange& e) { e.buffers.clear(), e.ticket = 0; };
    if (auto* w = std::get_if<host_write_task>(&t.body)) clear(*w);
    if (auto* r = std::get_if<host_read_task>(&t.body)) clear(*r);
    return t;
  };
  int differ = 0, same = 0;
  for (const task& t : samples()) {
    const std::vector<std::byte> bytes = encode(t);
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (int round = 0; round < 40; ++round) {
        std::vector<std::byte> other = bytes;
        other[at] ^= static_cast<std::byte>(1 + random() % 255);
        try {
          const task changed = decode_task(other);
          const bool equal = encode(without_own_numbers(changed)) == encode(without_own_numbers(t));
          (equal ? same : differ) += 1;
          CHECK((shared_hash(changed) == shared_hash(t)) == equal);
        } catch (const argument_error&) {
        }
      }
  }
  CHECK(differ > 1000);
  CHECK(same > 100);
}

TEST_CASE("damaged bytes are refused or give another task, never a crash") {
  std::mt19937 random(3);
  int refused = 0;
  for (const task& t : samples()) {
    const std::vector<std::byte> bytes = encode(t);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut)
      CHECK_THROWS_AS((void)decode_task(std::span(bytes).first(cut)), argument_error);
    for (int round = 0; round < 300; ++round) {
      std::vector<std::byte> damaged = bytes;
      damaged[random() % damaged.size()] ^= static_cast<std::byte>(1 + random() % 255);
      try {
        (void)decode_task(damaged);
      } catch (const argument_error&) {
        ++refused;
      }
    }
  }
  CHECK(refused > 100);
}
