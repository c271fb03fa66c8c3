#include <algorithm>

#include "tests/algo/fuzz/program/resolver.h"

namespace tessera::fuzz {

bool resolver::algorithm() {
  s_.axes = 1;
  s_.form = o_.form % 2;
  s_.n[3] = pick(8, 3);
  s_.n[1] = pick(4, 200);
  switch (o_.action) {
    case verb::sort_elements:
    case verb::part_elements:
    case verb::turn_round:
      s_.form = o_.form % 4;
      s_.part[0] = drawn_box({shape_of(at(0))}, 0);
      return is_free_or_refused(at(0), s_.part[0], true) && !s_.refused;
    case verb::count_some:
    case verb::find_some:
      s_.part[0] = drawn_box({shape_of(at(0))}, 0);
      return is_free_or_refused(at(0), s_.part[0], false) && !s_.refused;
    case verb::remove_some:
    case verb::keep_unique:
    case verb::rest_evenly:
      return is_unheld(at(0));
    case verb::find_places:
      s_.form = o_.form % 3;
      s_.part[1] = drawn_box({shape_of(at(1))}, 0);
      s_.part[2] = drawn_box({shape_of(at(2))}, 1);
      return is_free(at(1), s_.part[1], false) && is_free(at(2), s_.part[2], false);
    case verb::scatter_all:
      s_.part[1] = drawn_box({shape_of(at(1)), shape_of(at(0))}, 0);
      s_.part[0] = shifted(s_.part[1], shape_of(at(0)), 6);
      return (at(0) != at(1) || intersect(s_.part[0], s_.part[1]).empty()) && is_free(at(0), s_.part[0], true) &&
             is_free(at(1), s_.part[1], false);
    case verb::gather_some:
    case verb::gather_again: {
      s_.form = o_.form % 4;
      const container_id places{value_kind::number, 1, s_.slot[1]};
      s_.fresh = true;
      s_.part[1] = drawn_box({shape_of(places)}, 0);
      s_.part[2] = drawn_box({shape_of(at(2))}, 1);
      return is_unheld(at(0)) && !s_.part[2].empty() && is_free(places, s_.part[1], false) &&
             is_free(at(2), s_.part[2], false);
    }
    case verb::unite:
      s_.form = o_.form % 4;
      [[fallthrough]];
    case verb::take_top:
    case verb::sum_segments:
    case verb::copy_some:
    case verb::merge_sorted:
      s_.fresh = true;
      if (o_.action == verb::sum_segments && s_.type == value_kind::cell) s_.type = value_kind::number;
      s_.part[1] = drawn_box({shape_of(at(1))}, 0);
      s_.part[2] = drawn_box({shape_of(at(2))}, 1);
      return is_unheld(at(0)) && is_free(at(1), s_.part[1], false) && is_free(at(2), s_.part[2], false) &&
             is_exact(at(1), s_.part[1], s_.part[1].volume());
    default:
      return keyed();
  }
}

/// Keys are numbers, values of any type that can be summed.
bool resolver::keyed() {
  if (o_.action != verb::sort_keys && s_.type == value_kind::cell) s_.type = value_kind::number;
  if (o_.action == verb::reduce_keys) {
    s_.type = value_kind::number;
    s_.fresh = true;
    s_.part[2] = drawn_box({shape_of(at(2))}, 0);
    return is_unheld(at(0)) && is_unheld({value_kind::real, 1, s_.slot[1]}) && is_free(at(2), s_.part[2], false);
  }
  const container_id keys{value_kind::number, 1, s_.slot[1]};
  if (o_.action == verb::sort_keys) {
    s_.part[0] = drawn_box({shape_of(at(0)), shape_of(keys)}, 0);
    s_.part[1] = shifted(s_.part[0], shape_of(keys), 6);
    const bool same = at(0) == keys && !intersect(s_.part[0], s_.part[1]).empty();
    return !same && is_free(at(0), s_.part[0], true) && is_free(keys, s_.part[1], true);
  }
  const container_id values = at(2);
  s_.fresh = true;
  s_.part[1] = drawn_box({shape_of(keys), shape_of(values)}, 0);
  s_.part[2] = shifted(s_.part[1], shape_of(values), 6);
  return is_unheld(at(0)) && is_free(keys, s_.part[1], false) && is_free(values, s_.part[2], false) &&
         is_exact(values, s_.part[2], 4 * s_.part[2].volume());
}

}  // namespace tessera::fuzz
