#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tessera/plan/annotation/annotation.h"
#include "tessera/plan/planner.h"
#include "tests/plan/split/tiles.h"

/// A whole cluster in one process: one planner per rank, fed with the same tasks, whose instructions can be asked
/// about.
namespace tessera::plan::test {

struct array_handle {
  array_id id;
  extents shape;
};

struct launch_call {
  std::string annotation;
  extents threads;
  extents block;
  std::vector<std::pair<std::string, array_handle>> arrays;  // parameter names in signature order
  std::map<std::string, std::int64_t> scalars = {};
  split_spec split = {};
  std::vector<std::string> operations = {};  // registered ones
  std::vector<named_intervals> tables = {};
};

class cluster {
 public:
  explicit cluster(int nodes, int devices, const machine_settings& settings = {})
      : machine_(machine_table::uniform(nodes, devices, {"cpu", std::int64_t{1} << 40}, settings)) {
    for (int n = 0; n < nodes; ++n) planners_.emplace_back(machine_, node_id(n), 1);
    instructions.resize(static_cast<std::size_t>(nodes));
  }

  array_handle create(const extents& shape, layout home = {}) {
    const array_id id(++last_array_);
    run(create_task{id, shape, dtype_of<float>(), std::move(home), nullptr});
    return {id, shape};
  }
  void fill(const array_handle& a) { run(fill_task{a.id, box::whole(a.shape), std::vector<std::byte>(4)}); }
  void host_write(const array_handle& a, host_ranks ranks = {}) { run(host_write_task{exchange(a, ranks, 999)}); }
  void host_read(const array_handle& a, host_ranks ranks = {}) { run(host_read_task{exchange(a, ranks, 998)}); }
  void drop(const array_handle& a) { run(drop_task{a.id}); }
  void launch(const launch_call& call) { run(make(call)); }

  /// Plans on all ranks.
  void run(task_body body) {
    const task t{task_id(++last_task_), {}, std::move(body)};
    for (std::size_t n = 0; n < planners_.size(); ++n) planners_[n].plan(t, instructions[n]);
  }

  static std::shared_ptr<const launch_task> make(const launch_call& call) {
    auto made = std::make_shared<launch_task>();
    made->name = "kernel";
    made->space = {call.threads, call.block};
    made->split = call.split;
    annotation a = parse_annotation(call.annotation, call.operations);
    std::vector<parameter_info> infos;
    std::vector<array_argument> arguments;
    for (const auto& [name, handle] : call.arrays) {
      made->arrays.push_back({static_cast<int>(infos.size()), handle.id, box::whole(handle.shape)});
      arguments.push_back({&handle.shape, true});
      infos.push_back({name, true, false});
    }
    for (const auto& [name, value] : call.scalars) infos.push_back({name, false, false}), arguments.push_back({});
    check_against(a, infos);
    std::vector<std::optional<std::int64_t>> constants;
    for (const constant_slot& c : a.constants()) constants.push_back(value_of(call, c));
    made->accesses = std::make_shared<const access_pattern>(bind(a, {constants, arguments, call.tables}));
    return made;
  }

  /// All instructions of one kind on one rank, or on all.
  template <class Op>
  [[nodiscard]] std::vector<std::pair<const instruction*, const Op*>> all(int rank) const {
    std::vector<std::pair<const instruction*, const Op*>> found;
    for (const instruction& i : instructions[static_cast<std::size_t>(rank)])
      if (const Op* w = std::get_if<Op>(&i.action)) found.emplace_back(&i, w);
    return found;
  }
  template <class Op>
  [[nodiscard]] std::size_t count() const {
    std::size_t sum = 0;
    for (int r = 0; r < ranks(); ++r) sum += all<Op>(r).size();
    return sum;
  }
  [[nodiscard]] int ranks() const { return static_cast<int>(planners_.size()); }
  [[nodiscard]] const planner& on(int rank) const { return planners_[static_cast<std::size_t>(rank)]; }
  void forget() {
    for (auto& list : instructions) list.clear();
  }

  std::vector<std::vector<instruction>> instructions;  // per rank

 private:
  host_exchange exchange(const array_handle& a, host_ranks ranks, std::uint64_t buffer) {
    return {a.id, box::whole(a.shape), ranks, {array_id(buffer)}, ++tickets_};
  }
  static std::optional<std::int64_t> value_of(const launch_call& call, const constant_slot& c) {
    if (c.from == constant_slot::source::block_dim) return call.block[c.index];
    if (c.from == constant_slot::source::grid_dim) return domain{call.threads, call.block}.granules()[c.index];
    const auto found = call.scalars.find(c.name);
    return found == call.scalars.end() ? std::nullopt : std::optional(found->second);
  }

  machine_table machine_;
  std::vector<planner> planners_;
  std::uint64_t last_array_ = 0, last_task_ = 0, tickets_ = 0;
};

inline std::int64_t elements(const std::vector<message_part>& parts) {
  std::int64_t sum = 0;
  for (const message_part& p : parts)
    for (const box& b : p.boxes) sum += b.volume();
  return sum;
}

inline std::int64_t elements(const std::vector<box>& boxes) {
  std::int64_t sum = 0;
  for (const box& b : boxes) sum += b.volume();
  return sum;
}

inline const char* const stencil = "global i => read in[i-1:i+1], write out[i]";

inline launch_call stencil_call(const array_handle& in, const array_handle& out, std::int64_t block = 16) {
  return {stencil, in.shape, {block}, {{"in", in}, {"out", out}}};
}

/// Every message that a rank sends is expected by the other with the same number and boxes, and none is missing.
inline void check_messages_match(const cluster& c) {
  std::map<std::array<std::uint64_t, 3>, std::vector<std::vector<box>>> sent, received;
  const auto boxes_of = [](const std::vector<message_part>& parts) {
    std::vector<std::vector<box>> boxes;
    for (const message_part& p : parts) boxes.push_back(p.boxes);
    return boxes;
  };
  for (int r = 0; r < c.ranks(); ++r) {
    const auto rank = static_cast<std::uint64_t>(r);
    for (const auto& [i, s] : c.all<send_op>(r))
      sent[{rank, static_cast<std::uint64_t>(s->peer.value), s->number}] = boxes_of(s->parts);
    for (const auto& [i, s] : c.all<receive_op>(r))
      received[{static_cast<std::uint64_t>(s->peer.value), rank, s->number}] = boxes_of(s->parts);
  }
  CHECK(sent == received);
}

}  // namespace tessera::plan::test
