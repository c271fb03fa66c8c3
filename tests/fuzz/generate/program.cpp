#include "tests/fuzz/generate/program.h"

#include <algorithm>

#include "tests/fuzz/generate/launch.h"
#include "tests/fuzz/kernels/source_pool.h"

namespace tessera::fuzz {
namespace {

class generator {
 public:
  generator(std::uint64_t seed, const generator_limits& limits) : random_(seed), limits_(limits) {}

  program make() {
    draw_world();
    const std::int64_t count = random_.in(1, std::max(2, limits_.operations - slot_count));
    for (std::int64_t n = random_.in(1, 3); n > 0; --n) append(draw_create());
    for (std::int64_t n = 0; n < count; ++n) append_one();
    for (int s = 0; s < slot_count; ++s)
      if (state_.at(s).array) append(read_op{{s, whole(s)}, false});
    program_.deterministic = random_.percent(20) && !has_float_atomic();
    program_.small = random_.percent(25) ? random_.in(1, 4096) : 0;
    program_.check_access = random_.percent(5) && program_.kind == "cpu";  // drawn last: programs stay what they were
    return std::move(program_);
  }

 private:
  /// Which is refused where the same bits are wanted everywhere.
  [[nodiscard]] bool has_float_atomic() const {
    const auto is_one = [](const parameter& p) {
      return is_float(p.type) &&
             std::any_of(p.rules.begin(), p.rules.end(), [](const rule& r) { return r.mode == access::atomic; });
    };
    return std::any_of(program_.operations.begin(), program_.operations.end(), [&](const operation& o) {
      const auto* l = std::get_if<launch_op>(&o);
      return l != nullptr && std::any_of(l->definition.parameters.begin(), l->definition.parameters.end(), is_one);
    });
  }

  [[nodiscard]] span_box whole(int slot) const {
    const int_list shape = shape_of(state_.at(slot).part);
    return {int_list(shape.size(), 0), shape};
  }

  void draw_world() {
    const std::int64_t ranks = limits_.ranks > 0 ? limits_.ranks : random_.percent(55) ? 1 : 1 + random_.log_uniform(7);
    program_.devices.clear();
    program_.kind = limits_.kind;
    const bool equal = random_.percent(70);
    for (std::int64_t r = 0; r < ranks; ++r) {
      const std::int64_t most = ranks > 2 ? 3 : 8;
      const int drawn = limits_.devices > 0 ? limits_.devices : static_cast<int>(random_.in(1, most));
      program_.devices.push_back(equal && r > 0 ? program_.devices[0] : drawn);
    }
    program_.delivery = random_.percent(70) ? random_.bits() | 1 : 0;
    program_.disturbance = random_.percent(25) ? 1 + random_.bits() % 1'000'000'000 : 0;
    program_.check_unwritten = random_.percent(5);
    program_.tier = random_.percent(30) ? "fiber" : "";
    if (!random_.percent(limits_.memory)) return;
    program_.memory = random_.percent(50) ? 1 : static_cast<int>(random_.in(1, 100));
    if (limits_.share > 0) program_.memory = 1 + limits_.share;
    program_.host = random_.percent(50) ? 0 : static_cast<int>(random_.in(1, 100));
  }

  bool append(operation o) {
    outcome result;
    if (!state_.apply(o, result)) return false;
    program_.operations.push_back(std::move(o));
    return true;
  }

  void append_one() {
    switch (random_.weighted({8, 3, 4, 8, 8, 8, 3, 1, 54, 3})) {
      case 0:
        append(draw_create());
        return;
      case 1:
        append(drop_op{random_slot()});
        return;
      case 2:
        if (const auto from = draw_argument(random_, state_, 80)) append(view_op{random_slot(), *from});
        return;
      case 3:
        if (const auto to = draw_argument(random_, state_, 60)) append(fill_op{*to, random_.bits()});
        return;
      case 4:
        if (const auto to = draw_argument(random_, state_, 60))
          append(write_op{*to, random_.bits(), random_.percent(30), draw_participants()});
        return;
      case 5:
        if (const auto from = draw_argument(random_, state_, 60))
          append(read_op{*from, random_.percent(40), draw_participants()});
        return;
      case 6:
        append(swap_op{random_slot(), random_slot()});
        return;
      case 7:
        append(wait_op{});
        return;
      case 8:
        append_launch();
        return;
      default:
        append_value();
    }
  }

  void append_value() {
    auto from = draw_argument(random_, state_, 0);
    const auto to = draw_argument(random_, state_, 50);
    if (!limits_.sources || !from || !to || volume(from->part.hi) == 0) return;
    for (std::size_t k = 0; k < from->part.lo.size(); ++k) {
      from->part.lo[k] = random_.in(0, from->part.hi[k] - 1);
      from->part.hi[k] = from->part.lo[k] + 1;
    }
    const int rank = random_.percent(50) ? every_rank : static_cast<int>(random_.in(0, 6));
    append(value_op{*from, *to, rank, from->part.lo.empty() && random_.percent(70)});
  }

  void append_launch() {
    constexpr int tries = 6;
    for (int n = 0; n < tries; ++n) {
      std::optional<launch_op> l = limits_.sources && random_.percent(source_percent)
                                       ? draw_source_launch(random_, state_)
                                       : draw_launch(random_, state_);
      if (l) limit_devices(*l, program_.all_devices());
      if (l && append(std::move(*l))) return;
    }
  }

  int draw_participants() {
    if (random_.percent(70)) return every_rank;
    return random_.percent(50) ? own_parts : static_cast<int>(random_.in(0, 6));
  }
  int random_slot() { return static_cast<int>(random_.in(0, slot_count - 1)); }

  create_op draw_create() {
    create_op c;
    c.slot = random_slot();
    c.type = random_.percent(40) ? element::i32 : static_cast<element>(random_.in(0, element_count - 1));
    c.shape = draw_shape();
    if (const auto like = draw_argument(random_, state_, 0); like && random_.percent(40)) {
      c.type = state_.at(like->slot).array->type;
      c.shape = shape_of(state_.at(like->slot).part);
    }
    c.contents = static_cast<create_op::kind>(random_.weighted({15, 20, 20, 45}));
    c.seed = random_.bits();
    c.placement = draw_distribution(c.shape);
    return c;
  }

  int_list draw_shape() {
    const int rank = random_.weighted({4, 42, 30, 16, 8});
    int_list shape;
    const auto budget = static_cast<double>(random_.log_uniform(3000));
    const double side = std::pow(budget, 1.0 / std::max(rank, 1));
    for (int k = 0; k < rank; ++k) {
      const auto most = static_cast<std::int64_t>(side * (rank == 1 ? 1.0 : 1.6)) + 1;
      shape.push_back(random_.percent(2) ? 0 : random_.percent(20) ? random_.log_uniform(most) : random_.in(1, most));
    }
    return shape;
  }

  distribution draw_distribution(const int_list& shape) {
    distribution d;
    d.form = static_cast<distribution::kind>(random_.weighted({20, 14, 13, 9, 18, 8, 7, 14}));
    if (shape.empty() && d.form > distribution::kind::automatic && d.form < distribution::kind::replicated)
      d.form = distribution::kind::automatic;
    const auto piece = [&](std::int64_t n) {
      return random_.in(1, std::max<std::int64_t>(1, random_.percent(70) ? n / 2 + 1 : n + 2));
    };
    switch (d.form) {
      case distribution::kind::blocks:
      case distribution::kind::rows:
        d.tile = {piece(shape.front())};
        break;
      case distribution::kind::columns:
        d.tile = {piece(shape.back())};
        break;
      case distribution::kind::tiles:
        for (std::size_t k = 0; k < shape.size(); ++k) d.tile.push_back(piece(shape[k]));
        if (d.tile.size() > 1 && random_.percent(20)) d.tile.pop_back();
        break;
      case distribution::kind::on_device:
        d.device = static_cast<int>(random_.in(0, program_.all_devices() - 1));
        break;
      case distribution::kind::listed:
        random_.percent(50) ? draw_slabs(shape, d) : draw_parts(shape, d);
        break;
      default:
        break;
    }
    d.cyclic = random_.percent(35);
    if (d.form != distribution::kind::replicated && !shape.empty() && random_.percent(35)) d.halo = draw_halo(shape);
    return d;
  }

  /// Boxes that lie side by side along one axis, some of them empty.
  void draw_slabs(const int_list& shape, distribution& d) {
    const int_list planned = shape.empty() ? int_list{1} : shape;
    const auto axis = static_cast<std::size_t>(random_.in(0, static_cast<std::int64_t>(planned.size()) - 1));
    std::int64_t next = 0;
    for (std::int64_t left = random_.in(1, 6); left > 0; --left) {
      span_box b{int_list(planned.size(), 0), planned};
      b.lo[axis] = next;
      if (left > 1) b.hi[axis] = random_.percent(10) ? next : random_.in(next, planned[axis]);
      next = b.hi[axis];
      d.parts.emplace_back(std::move(b), static_cast<int>(random_.in(0, program_.all_devices() - 1)));
    }
  }

  /// Now and then so wide that it reaches over several parts; one width for all axes, or some of them by themselves.
  int_list draw_halo(const int_list& shape) {
    const auto width = [&](std::int64_t n) { return random_.percent(80) ? random_.in(0, 2) : random_.in(0, n + 1); };
    int_list halo{width(shape.front())};
    if (shape.size() > 1 && random_.percent(40))
      for (auto axes = random_.in(2, static_cast<std::int64_t>(shape.size())); std::ssize(halo) < axes;)
        halo.push_back(width(shape[halo.size()]));
    return halo;
  }

  void draw_parts(const int_list& shape, distribution& d) {
    const int_list planned = shape.empty() ? int_list{1} : shape;
    for (std::int64_t n = random_.in(0, 5); n > 0; --n) {
      span_box b{planned, planned};
      for (std::size_t k = 0; k < planned.size(); ++k) {
        b.lo[k] = random_.in(0, planned[k]);
        b.hi[k] = random_.in(b.lo[k], planned[k]);
      }
      d.parts.emplace_back(std::move(b), static_cast<int>(random_.in(0, program_.all_devices() - 1)));
    }
  }

  random_source random_;
  generator_limits limits_;
  program program_;
  reference state_;
};

}  // namespace

program generate(std::uint64_t seed, std::uint64_t index, const generator_limits& limits) {
  return generator(values::mix(values::mix(seed, 0x7E55), index), limits).make();
}

}  // namespace tessera::fuzz
