#include "tests/fuzz/generate/launch.h"

#include <algorithm>
#include <array>

#include "tests/fuzz/generate/index.h"
#include "tests/fuzz/generate/tables.h"

namespace tessera::fuzz {
namespace {

/// Draws one kernel and its arguments. The first argument decides the launch's extent; the others suit themselves.
class launch_drawer {
 public:
  launch_drawer(random_source& random, const reference& state) : random_(random), state_(state) {}

  std::optional<launch_op> draw() {
    const auto target = draw_argument(random_, state_, 30);
    if (!target) return std::nullopt;
    kernel& k = launch_.definition;
    k.salt = random_.bits();
    k.scalars = random_.percent(40) ? static_cast<int>(random_.in(1, 5)) : 0;
    k.single = random_.percent(3);
    draw_block();
    add_target(*target);
    const std::int64_t others = random_.weighted({10, 35, 30, 15, 10});
    for (std::int64_t n = 0; n < others; ++n)
      if (const auto o = draw_argument(random_, state_, 30)) add_other(*o);
    finish_kernel();
    draw_form(random_, state_, launch_);
    draw_tables(random_, state_, launch_);
    return std::move(launch_);
  }

 private:
  [[nodiscard]] element type_of(const argument_spec& o) const { return state_.at(o.slot).array->type; }

  void draw_block() {
    const std::int64_t axes = launch_.definition.single ? 1 : random_.in(1, 3);
    for (std::int64_t a = 0; a < axes; ++a) {
      launch_.block.push_back(random_.percent(30) ? 1 : random_.in(1, axes == 1 ? 32 : 6));
      launch_.threads.push_back(-1);  // not decided yet
    }
  }

  /// Threads of axes that no index has decided.
  void decide_threads() {
    for (std::int64_t& n : launch_.threads)
      if (n < 0) n = random_.percent(3) ? 0 : random_.log_uniform(launch_.threads.size() == 1 ? 200 : 12);
  }

  void add_target(const argument_spec& o) {
    parameter p = begin(o);
    const element type = p.type;
    rule r;
    r.mode = static_cast<access>(random_.weighted({0, 0, 50, 20, is_struct(type) ? 0 : 15, is_struct(type) ? 0 : 15}));
    const int_list space = space_of(p, o);
    if (launch_.definition.single) {
      decide_threads();
      launch_.threads = {random_.in(1, 8)};
      launch_.block = launch_.threads;
      r.leader = true;
      if (r.mode == access::reduce) r.mode = access::readwrite;
    } else if (combines(r.mode)) {
      decide_threads();
      r.indices = indices_.any_indices(space);
    } else {
      r.indices = indices_.injective_indices(space, r);
      for (std::int64_t& n : launch_.threads)
        if (n < 0) n = 1;
    }
    p.rules.push_back(std::move(r));
    add(o, std::move(p));
  }

  void add_other(const argument_spec& o) {
    parameter p = begin(o);
    const int_list space = space_of(p, o);
    const bool structure = is_struct(p.type);
    switch (random_.weighted({66, 9, 9, structure ? 0 : 5, structure ? 0 : 5, 3, 3})) {
      case 0:
        add_reads(space, p);
        break;
      case 1:
        p.rules.push_back(written(space, access::write));
        break;
      case 2:
        p.rules.push_back(written(space, access::readwrite));
        break;
      case 3:
        p.rules.push_back(combined(space, access::reduce));
        break;
      case 4:
        p.rules.push_back(combined(space, access::atomic));
        break;
      case 5:
        break;  // none
      default:
        add_reads(space, p);
        add({-1, {}}, std::move(p));
        return;
    }
    add(o, std::move(p));
  }

  void add_reads(const int_list& space, parameter& p) {
    for (std::int64_t n = random_.percent(18) ? 2 : 1; n > 0; --n) {
      rule r;
      r.indices = launch_.definition.single ? std::vector<index_spec>{} : indices_.any_indices(space);
      r.leader = launch_.definition.single;
      p.rules.push_back(std::move(r));
    }
    p.is_const = random_.percent(70);
  }

  rule written(const int_list& space, access mode) {
    rule r;
    r.mode = mode;
    r.leader = launch_.definition.single;
    if (!launch_.definition.single) r.indices = indices_.injective_indices(space, r);
    return r;
  }

  rule combined(const int_list& space, access mode) {
    rule r;
    r.mode = launch_.definition.single ? access::read : mode;
    r.leader = launch_.definition.single;
    if (!launch_.definition.single) r.indices = indices_.any_indices(space);
    return r;
  }

  parameter begin(const argument_spec& o) {
    parameter p;
    p.type = type_of(o);
    static constexpr std::array all{'+', '*', '<', '>', '&', '|', '^'};
    const std::int64_t first = p.type == element::boolean ? 4 : 0, last = is_float(p.type) ? 3 : 6;
    p.op = all[static_cast<std::size_t>(random_.in(first, last))];
    const int_list shape = shape_of(o.part);
    if (!launch_.definition.single && !shape.empty() && random_.percent(10)) p.view = draw_view(volume(shape));
    return p;
  }

  storage_view draw_view(std::int64_t elements) {
    storage_view v;
    v.offset = random_.percent(60) ? 0 : random_.in(0, 3);
    const std::int64_t left = std::max<std::int64_t>(elements - v.offset, 0);
    if (random_.percent(40)) {
      v.shape = {left};
    } else {
      const std::int64_t row = random_.in(1, std::min<std::int64_t>(left + 1, 12));
      v.shape = {(left + row - 1) / row, row};
      if (random_.percent(30)) v.shape.front() = std::max<std::int64_t>(v.shape.front() - 1, 0);
    }
    const std::int64_t row = v.shape.size() == 1 ? 1 : v.shape[1];
    v.open = random_.percent(50) && v.shape.front() == (left + row - 1) / row;
    return v;
  }

  static int_list space_of(const parameter& p, const argument_spec& o) {
    return p.view ? p.view->shape : shape_of(o.part);
  }

  void add(const argument_spec& o, parameter p) {
    launch_.arguments.push_back(o);
    launch_.definition.parameters.push_back(std::move(p));
  }

  void finish_kernel() {
    kernel& k = launch_.definition;
    for (bound& n : k.names)
      if (random_.percent(4)) {
        const auto a = static_cast<std::size_t>(n.axis);
        n.below = random_.in(0, n.from == bound::kind::global ? launch_.threads[a] + 1 : launch_.block[a]);
      }
    if (k.single) k.names.clear();
  }

  random_source& random_;
  const reference& state_;
  launch_op launch_;
  index_drawer indices_{random_, launch_};
};

/// Any device: see `limit_devices`.
int draw_device(random_source& random) { return static_cast<int>(random.in(0, 1000)); }

/// Uneven, some of them empty, on devices in no order. A kernel that is one piece has one slab with threads.
void draw_slabs(random_source& random, launch_op& l) {
  if (random.percent(50)) l.axis = static_cast<int>(random.in(0, static_cast<std::int64_t>(l.threads.size()) - 1));
  const std::int64_t most = volume(l.threads);
  for (std::int64_t n = random.in(1, 6); n > 0; --n) {
    const bool empty = l.definition.single || random.percent(15);
    const std::int64_t blocks = empty ? 0 : random.percent(70) ? random.log_uniform(8) : random.log_uniform(most + 1);
    l.slabs.push_back({blocks, draw_device(random)});
  }
}

}  // namespace

std::optional<launch_op> draw_launch(random_source& random, const reference& state) {
  return launch_drawer(random, state).draw();
}

std::optional<argument_spec> draw_argument(random_source& random, const reference& state, int slice_percent) {
  std::vector<int> live;
  for (int s = 0; s < slot_count; ++s)
    if (state.at(s).array) live.push_back(s);
  if (live.empty()) return std::nullopt;
  const int slot = live[static_cast<std::size_t>(random.in(0, static_cast<std::int64_t>(live.size()) - 1))];
  const int_list shape = shape_of(state.at(slot).part);
  argument_spec o{slot, {int_list(shape.size(), 0), shape}};
  if (!random.percent(slice_percent)) return o;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    if (random.percent(35)) continue;
    o.part.lo[k] = random.in(0, shape[k]);
    o.part.hi[k] = random.in(o.part.lo[k], shape[k]);
  }
  return o;
}

void draw_form(random_source& random, const reference& state, launch_op& l) {
  if (!l.definition.single && l.source < 0 && random.percent(25)) {
    l.by_grid = true;
    for (std::size_t a = 0; a < l.threads.size(); ++a)
      l.threads[a] = (l.threads[a] + l.block[a] - 1) / l.block[a] * l.block[a];
  }
  l.split_form = static_cast<launch_op::split>(random.weighted({45, 22, 12, 6, 10, 5}));
  if (l.definition.single && l.split_form == launch_op::split::blocks) l.split_form = launch_op::split::automatic;
  if (l.split_form == launch_op::split::blocks)
    for (const std::int64_t n : l.threads)
      l.pieces.push_back(random.percent(15) ? 0 : std::max<std::int64_t>(random.in(1, n), (n + 7) / 8));
  if (l.split_form == launch_op::split::slabs) draw_slabs(random, l);
  l.device = draw_device(random);
  l.follow = static_cast<int>(random.in(0, static_cast<std::int64_t>(l.arguments.size()) - 1));
  if (random.percent(94)) return;
  // Sometimes so often that old work is forgotten behind horizons.
  const bool long_run = random.percent(12) && volume(l.threads) <= 64;
  l.times = static_cast<int>(long_run ? random.in(50, 300) : random.log_uniform(10));
  l.exchange = l.arguments.size() >= 2 && l.arguments[0].slot >= 0 && l.arguments[1].slot >= 0 &&
               state.at(l.arguments[0].slot).array->type == state.at(l.arguments[1].slot).array->type &&
               shape_of(l.arguments[0].part) == shape_of(l.arguments[1].part);
}

}  // namespace tessera::fuzz
