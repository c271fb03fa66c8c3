#include "tests/nd/fuzz/program/generate.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tests/fuzz/frame/random.h"
#include "tests/nd/fuzz/program/draw_arrangement.h"
#include "tests/nd/fuzz/program/draw_value.h"
#include "tests/nd/fuzz/program/draw_view.h"
#include "tests/nd/fuzz/reference/reference.h"

namespace tessera::fuzz {
namespace {

using list = std::vector<std::int64_t>;
using enum scalar_kind;

constexpr std::int64_t most_elements = 6000;

bool is_rounded(scalar_kind type) {
  return type == float16 || type == bfloat16 || type == float32 || type == float64 || type == complex64 ||
         type == complex128;
}

class generator {
 public:
  generator(random_source random, bool likes_rows, const generate_options& wanted)
      : random_(random), likes_rows_(likes_rows) {
    const bool has_ranks = random_.percent(25);
    made_.ranks = has_ranks ? static_cast<int>(random_.in(2, 4)) : 1;
    made_.devices = has_ranks ? 1 + random_.weighted({6, 3, 1}) : 1 + random_.weighted({4, 2, 2, 1, 1});
    made_.has_small = random_.percent(40);
    made_.is_eager = random_.percent(20);
    made_.keeps_on_first = has_ranks && random_.percent(40);
    made_.is_compiled = wanted.is_compiled;
    made_.kind = wanted.kind;
    has_budget_ = random_.percent(10) || wanted.is_short_of_memory;
    is_large_ = random_.percent(made_.has_small ? 40 : 10);
    values_.begin(is_large_);
  }

  program make() {
    const auto count = index(draw_count());
    for (int n = 0; n < 3; ++n) add(draw_new(verb::data));
    for (int tries = 0; made_.steps.size() < count + 3 && tries < 400; ++tries) add(draw());
    if (has_budget_) made_.budget = std::max<std::int64_t>(16 << 10, 26 * (largest_ + 512));
    return made_;
  }

 private:
  /// How many operations: evenly up to 40 in one half of the programs, in the other one rather few, which run in less
  /// time and are easier to understand when they fail. A compiler makes long programs expensive.
  std::int64_t draw_count() {
    const std::int64_t most = made_.is_compiled ? 20 : 40;
    return random_.percent(50) ? random_.in(1, most) : random_.log_uniform(most);
  }
  /// Takes the step into the program if it makes sense, or if it must be refused, now and then.
  void add(step s) {
    const reference before = plain_;
    try {
      plain_.apply(s);
    } catch (const refused_step&) {
      if (!random_.percent(10)) return;
      s.refused = true;
    } catch (const invalid_step&) {
      return;
    }
    const plain_array& result = plain_.slot(s.to);
    if (s.action == verb::scan && !s.refused && made_.kind != "cpu" && is_rounded(result.type)) {
      plain_ = before;  // running sums of GPUs have an order of their own
      return;
    }
    if (!result.is_null() && (result.size() > most_elements || result.rank() > 5)) {
      plain_ = before;
      return;
    }
    if (!result.is_null()) largest_ = std::max(largest_, static_cast<std::int64_t>(result.memory->size()));
    made_.steps.push_back(std::move(s));
  }

  int draw_slot() { return static_cast<int>(random_.in(0, slots - 1)); }
  /// Rather one whose array is not lost then.
  int draw_new_slot() {
    int found = draw_slot();
    for (int tries = 0; tries < 4 && !plain_.slot(found).is_null(); ++tries) found = draw_slot();
    return found;
  }
  int draw_used_slot() {
    for (int tries = 0; tries < 20; ++tries)
      if (const int n = draw_slot(); !plain_.slot(n).is_null()) return n;
    return 0;
  }
  part draw_part(int views, bool repeats) {
    part p;
    p.slot = draw_used_slot();
    plain_array a = plain_.slot(p.slot);
    for (int n = 0; n < views && !a.is_null(); ++n) {
      view_call call = draw_view(random_, a, repeats);
      try {
        a = seen(a, call);
      } catch (const invalid_step&) {
        break;
      }
      if (a.rank() > 5) break;
      p.views.push_back(std::move(call));
    }
    return p;
  }
  /// A part that has, or can be repeated to, a shape.
  part draw_part_like(const list& shape) {
    if (random_.percent(10)) return draw_part(1, true);
    for (int tries = 0; tries < 5; ++tries) {
      part p = draw_part(random_.percent(25) ? 1 : 0, true);
      const plain_array a = value_of_part(p);
      if (a.shape == shape && !random_.percent(10)) return p;
      if (const auto fitting = draw_fitting(random_, a, shape)) return p.views.push_back(*fitting), p;
    }
    return draw_part(0, true);
  }
  part draw_number_part(scalar_kind beside) {
    part p;
    p.is_number = true;
    p.number = values_.number(beside);
    return p;
  }
  plain_array value_of_part(const part& p) const {
    try {
      return plain_.get(p);
    } catch (const invalid_step&) {
      return plain_array::made(float64, {});
    }
  }

  step draw_new(verb action) {
    step s;
    s.action = action;
    s.to = draw_new_slot();
    s.type = values_.type();
    list shape = values_.shape();
    if (action == verb::eye) shape = {random_.in(0, 9), random_.in(0, 9)};
    if (action == verb::indices && shape.empty()) shape = {random_.in(0, 5)};
    s.numbers[0] = action == verb::data ? random_.in(1, 99999) : random_.in(-3, 3);
    if (action == verb::arange || action == verb::indices) s.type = int64;
    if (action == verb::arange) {
      s.numbers[2] = random_.percent(70) ? 1 : random_.in(2, 4) * (random_.percent(50) ? 1 : -1);
      s.numbers[1] = s.numbers[0] + s.numbers[2] * (is_large_ ? random_.in(1100, 4000) : random_.in(0, 9));
      shape = {arange_count(s.numbers)};
    }
    s.shape = extents_of(shape);
    const int rank = s.shape.rank();
    s.axis = rank > 0 ? static_cast<int>(random_.in(0, rank - 1)) : 0;
    s.where = static_cast<placement>(random_.weighted({5, 3, 2, 1}));
    if ((s.where == placement::axis && (rank == 0 || action == verb::indices)) ||
        (s.where == placement::mesh && rank < 2))
      s.where = placement::automatic;
    s.from[0] = draw_number_part(s.type);
    return s;
  }

  function draw_function(int operands) {
    std::int64_t sum = 0;
    function found{};
#define TESSERA_FUNCTION(name, count, weight) \
  if (count == operands && random_.in(0, (sum += weight) - 1) < weight) found = function::name;
#include "tests/nd/fuzz/program/operations.def"
    return found;
  }

  /// A call of a function whose result has, or can be repeated to, a shape, if one is given.
  void draw_call(step& s, const list* shape) {
    const int operands = 1 + random_.weighted({3, 10, 2});
    s.called = draw_function(operands);
    s.from[0] = shape != nullptr ? draw_part_like(*shape) : draw_part(random_.percent(35) ? 1 : 0, true);
    const plain_array first = value_of_part(s.from[0]);
    for (int k = 1; k < operands; ++k)
      s.from[index(k)] = random_.percent(30) ? draw_number_part(first.type) : draw_part_like(first.shape);
    if (operands == 2 && random_.percent(30)) std::swap(s.from[0], s.from[1]);
    if (operands == 3 && s.called == function::where && random_.percent(30)) s.from[1] = draw_number_part(first.type);
  }

  void draw_reduction(step& s) {
    s.from[0] = draw_part(random_.percent(40) ? 1 : 0, true);
    s.combined = static_cast<reduction>(random_.in(0, reductions - 1));
    s.numbers = {random_.percent(25) ? 1 : 0, random_.percent(25) ? 1 : 0, 0};
    const int rank = value_of_part(s.from[0]).rank();
    if (likes_rows_ && rank > 0 && random_.percent(60)) {
      s.shape = {rank - 1};
      s.numbers[0] = 1;
      return;
    }
    if (rank == 0 || random_.percent(25)) return;
    const int axis = static_cast<int>(random_.in(0, rank - 1));
    s.shape = {axis};
    const bool is_place = s.combined == reduction::argmin || s.combined == reduction::argmax;
    if (!is_place && rank > 1 && random_.percent(30)) s.shape = {axis, (axis + random_.in(1, rank - 1)) % rank};
    if (!is_place && rank > 2 && random_.percent(15)) s.shape = {axis, (axis + 1) % rank, (axis + 2) % rank};
  }

  /// A function of what was reduced and of the result: rows that are gone through twice.
  step draw_behind_reduction() {
    step s;
    s.action = verb::compute;
    s.called = draw_function(2);
    s.from[0] = made_.steps.back().from[0];
    s.from[1].slot = made_.steps.back().to;
    if (random_.percent(30)) std::swap(s.from[0], s.from[1]);
    s.to = draw_new_slot();
    return s;
  }

  step draw_write(verb action) {
    step s;
    s.action = action;
    s.target = draw_part(random_.weighted({4, 5, 2}), random_.percent(5));
    const plain_array target = value_of_part(s.target);
    s.to = s.target.slot;
    if (action == verb::assign_result) {
      draw_call(s, &target.shape);
      return s;
    }
    s.from[0] = random_.percent(40) ? draw_number_part(target.type) : draw_part_like(target.shape);
    s.called = draw_function(2);
    if (action == verb::put_mask) s.from[1] = draw_part_like(target.shape);
    if (action == verb::repeat) {
      s.called = random_.percent(50) ? function::add : function::subtract;
      s.numbers[0] = made_.is_compiled ? 3 : random_.in(2, random_.percent(20) ? 300 : 30);
    }
    return s;
  }

  step draw() {
    if (likes_rows_ && made_.steps.back().action == verb::reduce && random_.percent(70)) return draw_behind_reduction();
    step s;
    s.action = likes_rows_ && random_.percent(20) ? verb::reduce
                                                  : static_cast<verb>(random_.weighted({
#define TESSERA_VERB(name, weight) weight,
#include "tests/nd/fuzz/program/verbs.def"
                                                    }));
    switch (s.action) {
      case verb::full:
      case verb::data:
      case verb::arange:
      case verb::eye:
      case verb::indices:
        return draw_new(s.action);
      case verb::assign:
      case verb::assign_result:
      case verb::in_place:
      case verb::put_mask:
      case verb::repeat:
        return draw_write(s.action);
      case verb::compute:
        draw_call(s, nullptr);
        break;
      case verb::reduce:
        draw_reduction(s);
        break;
      case verb::take: {
        s.from[0] = draw_part(random_.percent(30) ? 1 : 0, true);
        const plain_array a = value_of_part(s.from[0]);
        s.axis = static_cast<int>(random_.in(0, a.rank() - 1));
        s.numbers[0] = a.rank() > 0 ? a.shape[index(s.axis)] : 0;
        s.from[1] = draw_part(1, true);
        break;
      }
      case verb::compress:
        s.from[0] = draw_part(random_.percent(30) ? 1 : 0, true);
        s.from[1] = draw_part_like(value_of_part(s.from[0]).shape);
        break;
      case verb::scan:
        s.from[0] = draw_part(random_.percent(40) ? 1 : 0, true);
        s.combined = static_cast<reduction>(random_.weighted({3, 1, 1, 1}));
        s.axis = static_cast<int>(random_.in(0, value_of_part(s.from[0]).rank() - 1));
        s.numbers[0] = s.combined <= reduction::prod && random_.percent(20) ? 1 : 0;
        break;
      case verb::arrange: {
        s.from[0] = draw_part(random_.percent(30) ? 1 : 0, true);
        const plain_array a = value_of_part(s.from[0]);
        draw_arrangement(random_, a, s);
        s.from[1] = random_.percent(70) ? draw_part_like(a.shape) : draw_part(1, true);
        break;
      }
      case verb::cast:
        s.type = values_.type();
        s.from[0] = draw_part(random_.percent(30) ? 1 : 0, true);
        break;
      case verb::view:
        s.from[0] = draw_part(random_.percent(70) ? 1 : 2, true);
        break;
      case verb::copy:
      case verb::alias:
        s.from[0] = draw_part(s.action == verb::copy && random_.percent(60) ? 1 : 0, true);
        break;
      case verb::evaluate:
      case verb::fetch:
      case verb::read:
        s.target = draw_part(random_.percent(30) ? 1 : 0, true);
        s.to = s.target.slot;
        return s;
      case verb::engine_fill:
        s.target = draw_part(0, false);
        s.to = s.target.slot;
        s.from[0] = draw_number_part(value_of_part(s.target).type);
        return s;
      case verb::drop:
        s.to = draw_slot();
        return s;
    }
    s.to = draw_new_slot();
    return s;
  }

  random_source random_;
  value_source values_{random_};
  program made_;
  reference plain_;
  bool likes_rows_ = false, has_budget_ = false, is_large_ = false;
  std::int64_t largest_ = 0;
};

}  // namespace

program generate(std::uint64_t seed, std::uint64_t index, const generate_options& wanted) {
  // One program in four is about reductions of rows.
  return generator(random_source::of_program(seed, index), index % 4 == 3, wanted).make();
}

}  // namespace tessera::fuzz
