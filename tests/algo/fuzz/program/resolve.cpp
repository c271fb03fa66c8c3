#include "tests/algo/fuzz/program/resolve.h"

#include <algorithm>

#include "tests/algo/fuzz/program/resolver.h"

namespace tessera::fuzz {
namespace {

constexpr int largest_count = 20;

}  // namespace

resolver::resolver(reference& state, const operation& o) : state_(state), o_(o) {
  s_.action = o.action;
  s_.type = o.type;
  s_.axes = o.axes;
  s_.slot = o.slot;
  s_.n[2] = o.numbers[8];
}

std::optional<step> resolver::make() {
  const bool possible = o_.action < verb::read_element    ? sizes()
                        : o_.action < verb::map_new       ? host()
                        : o_.action < verb::sort_elements ? skeleton()
                                                          : algorithm();
  if (s_.refused && o_.action == verb::farm) return std::nullopt;  // its first task may have run
  const bool is_pairs = o_.action == verb::pairs || o_.action == verb::pairs_reduce;
  const bool is_nothing = is_pairs ? s_.part[1].empty() || s_.part[2].empty() : s_.part[1].empty();
  if (s_.refused && (is_pairs || o_.action == verb::map_whole) && is_nothing) return std::nullopt;
  return possible ? std::optional(s_) : std::nullopt;
}

box resolver::drawn_box(std::initializer_list<extents> shapes, int which) const {
  box part = box::whole(*shapes.begin());
  for (int k = 0; k < part.rank(); ++k) {
    for (const extents& each : shapes) part.hi[k] = std::min(part.hi[k], each[k]);
    if (!o_.whole) part.hi[k] = pick(which + k, part.hi[k] + 1);
  }
  return shifted(part, *shapes.begin(), which + 3);
}
box resolver::shifted(box part, const extents& shape, int which) const {
  for (int k = 0; k < part.rank(); ++k) {
    const std::int64_t n = part.extent(k);
    part.lo[k] = o_.whole ? 0 : pick(which + k, shape[k] - n + 1);
    part.hi[k] = part.lo[k] + n;
  }
  return part;
}

bool resolver::sizes() {
  const container_id a = at(0), b = at(1);
  if (o_.action >= verb::push_back) s_.axes = 1;
  if (!is_unheld(at(0)) || (o_.action >= verb::copy && o_.action <= verb::swap && !is_unheld(b))) return false;
  s_.shape = drawn_shape();
  if (o_.action == verb::move && a == b) return false;
  if (o_.action == verb::fill && s_.axes > 1) s_.shape = shape_of(a);
  if (o_.action < verb::push_back) return true;
  const std::int64_t size = shape_of(at(0))[0];
  s_.n[0] = pick(0, size + 1);
  s_.n[1] = pick(1, largest_count);
  if (o_.action == verb::erase) s_.n[1] = pick(1, size - s_.n[0] + 1);
  if (o_.action == verb::reserve) s_.n[0] = s_.shape[0];
  return o_.action != verb::pop_back || size > 0;
}

bool resolver::host() {
  const container_id a = at(0);
  const extents shape = shape_of(a);
  if (o_.action <= verb::write_run) return elements(a, shape);
  if (o_.action == verb::release) return release();
  if (o_.action == verb::compare)
    return s_.type != value_kind::cell && is_free(a, box::whole(shape), false) &&
           is_free(at(1), box::whole(shape_of(at(1))), false);
  s_.form = o_.form % (o_.action == verb::local_part ? 2 : 3);
  if (o_.action == verb::from_root || o_.action == verb::from_own || o_.action == verb::local_part) return is_unheld(a);
  if (o_.action >= verb::update_host) return is_free_or_refused(a, box::whole(shape), false);
  if (o_.action == verb::hold && state_.held()) return false;
  s_.part[0] = drawn_box({shape}, 0);
  const bool reads =
      o_.action == verb::read_guard || o_.action == verb::read_part || (o_.action == verb::hold && s_.form == 0);
  return is_free_or_refused(a, s_.part[0], !reads);
}

bool resolver::elements(const container_id& a, const extents& shape) {
  const std::int64_t size = box::whole(shape).volume();
  if (size == 0) return false;
  const bool is_run = o_.action == verb::read_run || o_.action == verb::write_run;
  s_.n[0] = pick(0, size);
  s_.n[1] = s_.n[0] + 1 + (is_run ? pick(1, size - s_.n[0]) : 0);
  s_.n[3] = pick(2, size);
  s_.form = o_.form % 2;
  const bool is_range = s_.axes == 1 && o_.action != verb::swap_elements;
  const box part = is_range ? box({s_.n[0]}, {s_.n[1]}) : box::whole(shape);
  return is_free(a, part, o_.action != verb::read_element && o_.action != verb::read_run);
}

bool resolver::release() {
  const auto& held = state_.held();
  if (!held) return false;
  s_.type = held->type;
  s_.axes = held->axes;
  s_.slot[0] = held->slot;
  s_.part[0] = held->part;
  return true;
}

std::optional<step> resolve(reference& state, const operation& o) { return resolver(state, o).make(); }

}  // namespace tessera::fuzz
