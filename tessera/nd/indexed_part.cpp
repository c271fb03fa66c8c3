#include "tessera/nd/indexed_part.h"

#include <algorithm>
#include <iterator>

#include "tessera/base/index.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {

void select(index_map& made, const extents& shape, std::span<const index_item> items, call_site here) {
  const auto used = std::count_if(items.begin(), items.end(),
                                  [](const index_item& i) { return !std::holds_alternative<new_axis_tag>(i); });
  if (used > shape.rank()) refuse<index_error>(here, used, " indices for an array with ", shape.rank(), " axes");
  made.source_rank = shape.rank();
  const int rank = static_cast<int>(std::ssize(items) - used) + shape.rank() -
                   static_cast<int>(std::count_if(items.begin(), items.end(), [](const index_item& i) {
                     return std::holds_alternative<std::int64_t>(i);
                   }));
  if (rank > max_rank) in_call(here, [&] { throw_rank_too_large(index(rank)); });
  made.domain = extents::uniform(rank, 1);
  int axis = 0, own = 0;
  for (const index_item& item : items) {
    if (const auto* place = std::get_if<std::int64_t>(&item)) {
      made.terms[index(own)].first = resolve_index(*place, shape[own], own, here);
      ++own;
    } else if (const auto* part = std::get_if<slice>(&item)) {
      const resolved_slice taken = resolve(*part, shape[own], here);
      made.domain[axis] = taken.count;
      made.terms[index(own++)] = {taken.first, taken.step, axis++};
    } else {
      ++axis;
    }
  }
  for (; own < shape.rank(); ++own, ++axis) {
    made.domain[axis] = shape[own];
    made.terms[index(own)] = {0, 1, axis};
  }
}

void select(cell_part& made, const extents& shape, std::span<const index_item> items, call_site here) {
  index_map& map = made.axes.emplace();
  select(map, shape, items, here);
  made.elements = {map.domain, extents::uniform(map.domain.rank(), 0), 0};
  const bool is_empty = element_count(map.domain) == 0;
  std::int64_t stride = 1;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    const index_map::term& t = map.terms[index(k)];
    if (!is_empty) made.elements.offset += t.first * stride;
    if (t.axis >= 0) made.elements.strides[t.axis] = t.step * stride;
    stride *= std::max<std::int64_t>(shape[k], 1);
  }
}

std::optional<std::int64_t> one_element(const extents& shape, std::span<const index_item> items, call_site here) {
  if (std::ssize(items) != shape.rank()) return {};
  std::int64_t number = 0;
  for (int k = 0; k < shape.rank(); ++k) {
    const auto* place = std::get_if<std::int64_t>(&items[index(k)]);
    if (place == nullptr) return {};
    number = number * shape[k] + resolve_index(*place, shape[k], k, here);
  }
  return number;
}

}  // namespace tessera::nd
