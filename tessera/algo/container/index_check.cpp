#include "tessera/algo/container/index_check.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

std::int64_t checked_index(std::int64_t i, std::int64_t size, const char* call) {
  if (i < 0 || i >= size) throw argument_error(cat(call, ": there is no element ", i, " among ", size));
  return i;
}

const extents& checked_axes(const extents& shape, int axes) {
  if (shape.rank() != axes)
    throw argument_error(cat("a container of ", axes, " axes is given the shape ", to_string(shape)));
  return shape;
}

void require_count(std::int64_t count, const extents& shape) {
  if (count != box::whole(shape).volume())
    throw argument_error(cat("a container of shape ", to_string(shape), " is given ", count, " values"));
}

void refuse_index(const extents& index, const extents& shape) {
  throw argument_error(cat("there is no element ", to_string(index), " in a container of shape ", to_string(shape)));
}

void require_part(const box& part, const extents& shape) {
  bool inside = part.rank() == shape.rank();
  for (int k = 0; inside && k < shape.rank(); ++k)
    inside = 0 <= part.lo[k] && part.lo[k] <= part.hi[k] && part.hi[k] <= shape[k];
  if (!inside)
    throw argument_error(cat("the part ", to_string(part), " is outside of a container of shape ", to_string(shape)));
}

}  // namespace tessera::algo
