#include <algorithm>
#include <cmath>

#include "tests/algo/fuzz/program/resolver.h"

namespace tessera::fuzz {
namespace {

constexpr std::int64_t most_pairs = 5000;
constexpr double most_exact = 0x1p44;  // doubles below it, and sums of some, are exact

}  // namespace

bool resolver::skeleton() {
  choose_container();
  s_.n[3] = pick(8, s_.type == value_kind::cell ? 1 : 3);
  switch (o_.action) {
    case verb::map_counting:
      s_.part[0] = drawn_box({shape_of(at(0))}, 0);
      s_.n[0] = pick(2, 1000);
      s_.n[1] = s_.n[0] + s_.part[0].volume();
      return is_free_or_refused(at(0), s_.part[0], true);
    case verb::reduce_all:
    case verb::reduce_wide:
      s_.part[0] = drawn_box({shape_of(at(0))}, 0);
      return is_free_or_refused(at(0), s_.part[0], false) && is_exact(at(0), s_.part[0], s_.part[0].volume()) &&
             (s_.type != value_kind::cell || !s_.part[0].empty());
    case verb::call_kernel:
      s_.part[0] = s_.axes == 1 ? drawn_box({shape_of(at(0))}, 0) : box::whole(shape_of(at(0)));
      return is_free_or_refused(at(0), s_.part[0], true) && is_exact(at(0), s_.part[0], 1);
    case verb::reduce_lines:
      return reduced_lines();
    case verb::pairs:
    case verb::pairs_reduce:
      return pairs();
    default:
      return mapped();
  }
}

void resolver::choose_container() {
  const bool counts = o_.action == verb::map_index || o_.action == verb::map_whole || o_.action == verb::map_lines ||
                      o_.action == verb::map_several || o_.action == verb::map_from_cell ||
                      o_.action == verb::map_counting || o_.action == verb::reduce_wide;
  const bool takes_cells = o_.action == verb::map_new || o_.action == verb::map_into || o_.action == verb::map_two ||
                           o_.action == verb::reduce_all || o_.action == verb::scan || o_.action == verb::farm;
  if (counts || (s_.type == value_kind::cell && !takes_cells)) s_.type = value_kind::number;
  if (o_.action == verb::map_to_cell) s_.type = value_kind::cell;
  const bool is_flat = o_.action == verb::map_counting || o_.action == verb::scan || o_.action == verb::pairs_reduce ||
                       o_.action == verb::reduce_lines;
  if (is_flat) s_.axes = 1;
  if (o_.action == verb::pairs || o_.action == verb::overlap_lines) s_.axes = 2;
  if (o_.action == verb::map_lines) s_.axes = std::min(s_.axes, 2);
}

container_id resolver::first_input() const {
  container_id b = at(1);
  if (o_.action == verb::map_several) b = {value_kind::number, s_.axes, s_.slot[2]};
  if (o_.action == verb::map_to_cell) b.type = value_kind::number;
  if (o_.action == verb::map_from_cell) b.type = value_kind::cell;
  return b;
}

bool resolver::mapped() {
  const container_id a = at(0), b = first_input();
  choose_form();
  const std::size_t input = o_.action == verb::map_several ? 2 : 1;
  const bool observes = o_.action == verb::map_reduce;
  s_.part[input] = s_.fresh ? drawn_box({shape_of(b)}, 0) : drawn_box({shape_of(b), shape_of(a)}, 0);
  s_.shape = s_.part[input].shape();
  if (!s_.fresh) s_.part[0] = shifted(s_.part[input], shape_of(a), 6);
  const bool keeps = o_.action == verb::overlap || o_.action == verb::overlap_lines;
  if (!s_.fresh && !observes && !tell_apart(a, s_.part[0], b, s_.part[input], keeps)) return false;
  if (s_.fresh ? !is_unheld(a) : !is_free_or_refused(a, s_.part[0], !observes)) return false;
  const std::int64_t summed = o_.action == verb::scan || observes ? 4 * s_.part[input].volume() : 1;
  if (!is_free_or_refused(b, s_.part[input], false) || !is_exact(b, s_.part[input], summed)) return false;
  if (observes && !is_exact(a, s_.part[0], summed)) return false;
  if (o_.action == verb::map_several) return second_result();
  return third_argument(a);
}

void resolver::choose_form() {
  s_.form = o_.form % 3;
  const bool can_be_new = o_.action == verb::map_several || o_.action == verb::scan || o_.action == verb::overlap ||
                          o_.action == verb::overlap_lines;
  s_.fresh = o_.action == verb::map_new || (can_be_new && pick(9, 3) == 0);
  if (o_.action == verb::scan) s_.form = o_.form % 2;
  if (o_.action == verb::scan && s_.form == 1) s_.fresh = true;
  if (o_.action == verb::map_lines) s_.form = o_.form % 2;
  if (o_.action != verb::overlap && o_.action != verb::overlap_lines) return;
  if (o_.action == verb::overlap_lines) s_.form = o_.form % 6;
  const std::int64_t least = s_.form % 3 == 1 ? 2 : 1;
  s_.n[0] = least + pick(4, 3);
  s_.n[1] = least + pick(3, 2);
  s_.n[3] = pick(2, 4);
}

bool resolver::tell_apart(const container_id& a, const box& out, const container_id& b, box& in, bool wholly) {
  if (a != b || intersect(out, in).empty()) return true;
  if (wholly) return false;
  in = out;
  return true;
}

bool resolver::second_result() {
  const container_id c{value_kind::real, s_.axes, s_.slot[1]};
  if (s_.fresh) return is_unheld(c);
  const extents shape = shape_of(c);
  for (int k = 0; k < s_.axes; ++k)
    if (shape[k] < s_.part[2].extent(k)) return false;
  s_.part[1] = shifted(s_.part[2], shape, 9);
  return is_free_or_refused(c, s_.part[1], true);
}

bool resolver::third_argument(const container_id& a) {
  container_id c = at(2);
  if (o_.action == verb::map_whole) c.axes = s_.form + 1;
  if (o_.action == verb::map_lines) c.axes = 2;
  const extents shape = shape_of(c);
  const box& out = s_.part[0];
  if (o_.action == verb::map_two || o_.action == verb::farm) {
    for (int k = 0; k < s_.axes; ++k)
      if (shape[k] < out.extent(k)) return false;
    s_.part[2] = shifted(out, shape, 2);
    return tell_apart(a, out, c, s_.part[2], false) && is_free_or_refused(c, s_.part[2], o_.action == verb::farm) &&
           is_exact(c, s_.part[2], 1);
  }
  if (o_.action == verb::map_whole || o_.action == verb::map_value) {
    s_.part[2] = drawn_box({shape}, 2);
    return !s_.part[2].empty() && is_free_or_refused(c, s_.part[2], false) && is_exact(c, s_.part[2], 1) &&
           (o_.action == verb::map_value || tell_apart(a, out, c, s_.part[2], true));
  }
  return o_.action != verb::map_lines || lines_argument(a, c);
}

bool resolver::lines_argument(const container_id& a, const container_id& c) {
  const extents shape = shape_of(c);
  const box& out = s_.part[0];
  s_.part[2] = drawn_box({shape}, 2);
  const std::int64_t lines = s_.part[1].extent(s_.axes == 2 ? s_.form : 0);
  if (lines > shape[s_.form] || s_.part[2].extent(1 - s_.form) == 0) return false;
  s_.part[2].lo[s_.form] = pick(1, shape[s_.form] - lines + 1);
  s_.part[2].hi[s_.form] = s_.part[2].lo[s_.form] + lines;
  return is_free_or_refused(c, s_.part[2], false) && tell_apart(a, out, c, s_.part[2], true);
}

bool resolver::reduced_lines() {
  const container_id matrix{s_.type, 2, s_.slot[1]};
  s_.form = o_.form % 2;
  s_.fresh = true;
  s_.part[1] = drawn_box({shape_of(matrix)}, 0);
  s_.shape = {s_.part[1].extent(s_.form)};
  const bool is_infinite = s_.type == value_kind::real && s_.part[1].extent(1 - s_.form) == 0;
  return !is_infinite && is_unheld(at(0)) && is_free_or_refused(matrix, s_.part[1], false) &&
         is_exact(matrix, s_.part[1], s_.part[1].volume());
}

bool resolver::pairs() {
  const container_id x{s_.type, 1, s_.slot[1]}, y{s_.type, 1, s_.slot[2]};
  s_.part[1] = drawn_box({shape_of(x)}, 0);
  s_.part[2] = drawn_box({shape_of(y)}, 1);
  const std::int64_t rows = s_.part[1].volume(), columns = s_.part[2].volume();
  s_.fresh = true;
  s_.shape = o_.action == verb::pairs ? extents{rows, columns} : extents{rows};
  const bool is_infinite = o_.action == verb::pairs_reduce && s_.type == value_kind::real && columns == 0;
  return !is_infinite && rows * columns <= most_pairs && is_unheld(at(0)) && is_free_or_refused(x, s_.part[1], false) &&
         is_free_or_refused(y, s_.part[2], false) && is_exact(x, s_.part[1], 4 * columns) &&
         is_exact(y, s_.part[2], 4 * columns);
}

bool resolver::is_exact(const container_id& c, const box& part, std::int64_t count) {
  if (c.type != value_kind::real) return true;
  double most = 0;
  with_axes<double>(c.axes, [&]<class T, int N>() {
    for (const double x : elements_of(state_.get<T, N>(c.slot), part)) most = std::max(most, std::abs(x));
  });
  return most * static_cast<double>(std::max<std::int64_t>(count, 1)) < most_exact;
}

}  // namespace tessera::fuzz
