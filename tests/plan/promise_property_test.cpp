// Random programs over arrays with promised copies, carried out element by element: whatever is read is what was
// written last, on every rank.
#include <doctest/doctest.h>

#include <random>
#include <tuple>

#include "tessera/base/text.h"
#include "tests/plan/cluster.h"

using namespace tessera;
using namespace tessera::plan;
using namespace tessera::plan::test;

namespace {

using contents = std::vector<std::uint64_t>;  // per element the task that wrote it

/// Carries out the instructions of all ranks of programs on vectors of `size` elements.
class simulation {
 public:
  explicit simulation(std::int64_t size) : size_(size) {}

  /// What each array holds when `task` begins.
  std::map<std::uint64_t, std::map<array_id, contents>> before;

  /// False if ranks wait for messages that are never sent.
  bool run(const cluster& c) {
    std::vector<std::size_t> next(c.instructions.size());
    for (bool moved = true; moved;) {
      moved = false;
      for (std::size_t r = 0; r < next.size(); ++r)
        for (; next[r] < c.instructions[r].size() && carry_out(static_cast<int>(r), c.instructions[r][next[r]]);
             ++next[r])
          moved = true;
    }
    for (std::size_t r = 0; r < next.size(); ++r)
      if (next[r] < c.instructions[r].size()) return false;
    return true;
  }
  std::int64_t wrong = 0, checked = 0;

 private:
  contents& copy(const copy_ref& ref) {
    contents& all = copies_[{ref.array, ref.place}];
    all.resize(static_cast<std::size_t>(size_));
    return all;
  }
  template <class F>
  static void for_elements(const std::vector<box>& boxes, F f) {
    for (const box& b : boxes)
      for (std::int64_t i = b.lo[0]; i < b.hi[0]; ++i) f(static_cast<std::size_t>(i));
  }

  bool carry_out(int rank, const instruction& i) {
    const auto self = static_cast<std::int32_t>(rank);
    if (const auto* o = std::get_if<copy_op>(&i.action)) {
      if (o->source.place.is_host())
        for_elements(o->boxes,
                     [&](std::size_t e) { copy(o->target)[e + static_cast<std::size_t>(o->shift[0])] = i.task.value; });
      else
        for_elements(o->boxes, [&](std::size_t e) { copy(o->target)[e] = copy(o->source)[e]; });
    } else if (const auto* s = std::get_if<send_op>(&i.action)) {
      contents& packed = messages_[{self, s->peer.value, s->number}];
      for (const message_part& p : s->parts)
        for_elements(p.boxes, [&](std::size_t e) { packed.push_back(copy({p.array, s->source})[e]); });
    } else if (const auto* r = std::get_if<receive_op>(&i.action)) {
      const auto found = messages_.find({r->peer.value, self, r->number});
      if (found == messages_.end()) return false;
      std::size_t k = 0;
      for (const message_part& p : r->parts)
        for_elements(p.boxes, [&](std::size_t e) { copy({p.array, r->target})[e] = found->second.at(k++); });
    } else if (std::holds_alternative<launch_op>(i.action)) {
      launch(i);
    }
    return true;
  }

  void launch(const instruction& i) {
    for (const operand& o : i.operands)
      if (!o.written)
        for_elements({o.bounds}, [&](std::size_t e) {
          ++checked;
          wrong += copy(o.copy)[e] != before[i.task.value][o.copy.array][e];
        });
    for (const operand& o : i.operands)
      if (o.written) for_elements({o.bounds}, [&](std::size_t e) { copy(o.copy)[e] = i.task.value; });
  }

  std::int64_t size_;
  std::map<std::pair<array_id, location>, contents> copies_;
  std::map<std::tuple<std::int32_t, std::int32_t, std::uint64_t>, contents> messages_;
};

}  // namespace

TEST_CASE("whatever distributions promise, superblocks read what was written last") {
  std::int64_t checked = 0;
  for (unsigned seed = 1; seed <= 250; ++seed) {
    std::mt19937 random(seed);
    const auto draw = [&](int lo, int hi) { return std::uniform_int_distribution(lo, hi)(random); };
    const std::int64_t n = draw(8, 60);
    cluster c(draw(1, 4), draw(1, 3));
    simulation world(n);
    std::vector<array_handle> arrays;
    std::map<array_id, contents> now;
    std::uint64_t task = 0;
    for (int a = 0; a < 3; ++a, ++task) {
      layout home = tiles({draw(1, 20)}, draw(0, 1) == 1);
      home.halo = {draw(0, 2) == 0 ? draw(0, 30) : draw(0, 2)};
      if (draw(0, 3) == 0) home.form = layout::kind::replicated;
      arrays.push_back(c.create({n}, home));
      now[arrays.back().id] = contents(static_cast<std::size_t>(n));
    }
    for (const array_handle& a : arrays) {
      c.host_write(a);
      now[a.id].assign(static_cast<std::size_t>(n), ++task);
    }
    for (int k = 0; k < 25; ++k) {
      const array_handle in = arrays[static_cast<std::size_t>(draw(0, 2))],
                         out = arrays[static_cast<std::size_t>(draw(0, 2))];
      if (in.id == out.id) continue;
      const int reach = draw(0, 5), from = draw(0, static_cast<int>(n) - 1), to = draw(from + 1, static_cast<int>(n));
      const bool all = draw(0, 3) == 0;
      world.before[++task] = now;
      launch_call call{cat("global i => read in", all ? "" : cat("[i+", from, "-", reach, ":i+", from, "+", reach, "]"),
                           ", write out[i+", from, "]"),
                       {to - from},
                       {1},
                       {{"in", in}, {"out", out}}};
      if (draw(0, 2) == 0) call.split = {split_spec::kind::blocks, {draw(1, 16)}, 0};
      c.launch(call);
      for (int i = from; i < to; ++i) now[out.id][static_cast<std::size_t>(i)] = task;
    }
    CHECK(world.run(c));
    CHECK(world.wrong == 0);
    checked += world.checked;
  }
  CHECK(checked > 100'000);
}
