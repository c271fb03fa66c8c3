#include "tessera/algo/skeleton/map_overlap.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

std::vector<std::int64_t> checked_radius(std::initializer_list<int> radius, int axes, call_site here) {
  if (static_cast<int>(radius.size()) != axes)
    throw argument_error(
        cat(label_of("map_overlap", here), ": a radius for ", radius.size(), " axes, but neighbourhoods have ", axes));
  for (const int r : radius)
    if (r < 0) throw argument_error(cat(label_of("map_overlap", here), ": the radius ", r, " is negative"));
  return {radius.begin(), radius.end()};
}

int axis_along(matrix_lines lines, call_site here) {
  if (lines == &rows) return 1;
  if (lines == &columns) return 0;
  throw argument_error(cat(label_of("map_overlap", here), ": along ts::rows or ts::columns"));
}

extents region_shape(const call& bound) {
  for (const bound_argument& a : bound.arguments)
    if (a.as == bound_argument::kind::region) return a.given->elements.shape();
  throw argument_error(
      cat(label_of("map_overlap", bound.site), ": '", bound.text().name, "' has no parameter that is a neighbourhood"));
}

}  // namespace tessera::algo
