#include "tessera/plan/coherence/instruction_writer.h"

#include <doctest/doctest.h>

#include <set>

using namespace tessera;
using namespace tessera::plan;

namespace {

/// The writer of rank 0 of two ranks with two devices each; its arrays have eight floats.
struct world {
  plan_state state{machine_table::uniform(2, 2), node_id(0), 1};
  std::vector<instruction> out;
  instruction_taker take;
  instruction_writer writer{state, task_id(7), out, take};

  array_id array() {
    const array_id id(++last_array);
    writer.create(id, {8}, dtype_of<float>(), nullptr);
    return id;
  }
  instruction_id use(array_id array, int device, std::int64_t lo, std::int64_t hi, bool written) {
    return writer.emit(notify_op{}, {{{array, state.machine.device(device)}, box({lo}, {hi}), written}});
  }
  [[nodiscard]] const std::vector<instruction_id>& last_waits_for() const { return out.back().after; }

  std::uint64_t last_array = 0;
};

using ids = std::vector<instruction_id>;

}  // namespace

TEST_CASE("a read waits for the last write of what it reads, and for nothing else") {
  world w;
  const array_id a = w.array();
  const instruction_id left = w.use(a, 0, 0, 4, true), right = w.use(a, 0, 4, 8, true);
  w.use(a, 0, 1, 3, false);
  CHECK(w.last_waits_for() == ids{left});
  w.use(a, 0, 3, 5, false);
  CHECK(w.last_waits_for() == ids{left, right});
  w.use(a, 1, 0, 8, false);
  CHECK(w.last_waits_for().empty());  // another copy
}

TEST_CASE("a write waits for the last write and all reads since") {
  world w;
  const array_id a = w.array();
  const instruction_id old = w.use(a, 0, 0, 8, true);
  const instruction_id first = w.use(a, 0, 0, 4, false), second = w.use(a, 0, 0, 8, false);
  const instruction_id next = w.use(a, 0, 0, 2, true);
  CHECK(w.last_waits_for() == ids{old, first, second});
  w.use(a, 0, 0, 2, true);
  CHECK(w.last_waits_for() == ids{next});
}

TEST_CASE("an instruction that reads and writes the same elements does not wait for itself") {
  world w;
  const array_id a = w.array();
  const instruction_id old = w.use(a, 0, 0, 8, true);
  const copy_ref copy{a, w.state.machine.device(0)};
  w.writer.emit(notify_op{}, {{copy, box({0}, {8}), false}, {copy, box({0}, {8}), true}});
  CHECK(w.last_waits_for() == ids{old});
}

TEST_CASE("instructions get ascending numbers, their task, and the extra dependencies once") {
  world w;
  const array_id a = w.array();
  const instruction_id write = w.use(a, 0, 0, 8, true);
  const instruction_id made =
      w.writer.emit(notify_op{}, {{{a, w.state.machine.device(0)}, box({0}, {8}), false}}, {write, write});
  CHECK(made.value == write.value + 1);
  CHECK(w.out.back().task == task_id(7));
  CHECK(w.last_waits_for() == ids{write});
}

TEST_CASE("messages are numbered for each peer and direction, from the number that was given") {
  world w;
  w.state.numbers.next_sent.assign(2, 5);
  const array_id a = w.array();
  const std::vector<message_part> part{{a, {box({0}, {8})}}};
  const location here = w.state.machine.device(0);
  w.writer.send(node_id(1), here, part);
  CHECK(std::get<send_op>(w.out.back().action).number == 5);
  w.writer.send(node_id(1), here, part);
  CHECK(std::get<send_op>(w.out.back().action).number == 6);
  w.writer.receive(node_id(1), here, part);
  CHECK(std::get<receive_op>(w.out.back().action).number == 1);
}

TEST_CASE("a message that arrives is a write, one that leaves a read") {
  world w;
  const array_id a = w.array();
  const std::vector<message_part> part{{a, {box({2}, {4})}}};
  const instruction_id sent = w.writer.send(node_id(1), w.state.machine.device(0), part);
  const instruction_id received = w.writer.receive(node_id(1), w.state.machine.device(0), part);
  CHECK(w.last_waits_for() == ids{sent});
  w.use(a, 0, 0, 8, false);
  CHECK(w.last_waits_for() == ids{received});
}

TEST_CASE("an array is released behind all that used its copies") {
  world w;
  const array_id a = w.array();
  const instruction_id first = w.use(a, 0, 0, 8, true), second = w.use(a, 1, 0, 8, false);
  w.writer.release(a);
  CHECK(std::holds_alternative<release_op>(w.out.back().action));
  CHECK(w.last_waits_for() == ids{first, second});
  const std::size_t before = w.out.size();
  w.writer.release(a);
  CHECK(w.out.size() == before);
}

TEST_CASE("temporaries have numbers of their own") {
  world w;
  std::set<array_id> all{w.array(), w.writer.make_temporary({8}, dtype_of<float>()),
                         w.writer.make_temporary({8}, dtype_of<float>())};
  CHECK(all.size() == 3);
}

TEST_CASE("behind two horizons old dependencies are left out") {
  world w;
  const array_id a = w.array(), other = w.array();
  const instruction_id old = w.use(a, 0, 0, 8, true);
  const auto reach_horizon = [&] {
    do {
      w.use(other, 1, 0, 8, true);
      w.writer.finish();
    } while (!std::holds_alternative<horizon_op>(w.out.back().action));
  };
  reach_horizon();
  w.use(a, 0, 0, 8, false);
  CHECK(w.last_waits_for() == ids{old});
  reach_horizon();
  w.use(a, 0, 0, 8, false);
  CHECK(w.last_waits_for().empty());
}

TEST_CASE("many instructions are handed on before the task ends") {
  plan_state state{machine_table::uniform(1, 1), node_id(0), 1};
  std::vector<instruction> out;
  std::size_t taken = 0;
  const instruction_taker take = [&](std::vector<instruction>& some) { taken += some.size(), some.clear(); };
  instruction_writer writer(state, task_id(1), out, take);
  for (int k = 0; k < 1000; ++k) writer.emit(notify_op{}, {});
  CHECK(taken > 0);
  CHECK(taken + out.size() == 1000);
}
