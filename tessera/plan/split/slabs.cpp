#include "tessera/plan/split/slabs.h"

#include <algorithm>

#include "tessera/base/checked.h"
#include "tessera/base/defects.h"

namespace tessera::plan {
namespace {

std::string range(std::int64_t lo, std::int64_t hi) { return cat("[", lo, ", ", hi, ")"); }

std::string label(const launch_shape& shape) { return cat("launch of '", shape.name, "': "); }

void check_slab(const launch_shape& shape, int axis, const slab& s, int devices) {
  check_device(shape, s.device, devices);
  const std::int64_t size = shape.space.size[axis], block = shape.space.granule[axis];
  if (s.lo < 0 || s.lo > s.hi || s.hi > size)
    throw argument_error(
        cat(label(shape), "part ", range(s.lo, s.hi), " does not lie within the ", size, " threads of axis ", axis));
  const auto between_blocks = [&](std::int64_t t) { return t % block == 0 || t == size; };
  if (!between_blocks(s.lo) || !between_blocks(s.hi))
    throw argument_error(cat(label(shape), "part ", range(s.lo, s.hi), " of axis ", axis,
                             " cuts a thread block: it must begin and end at multiples of ", block,
                             " threads, or at the end of the launch, ", size));
}

/// `slabs` ascending and none empty.
void check_cover(const launch_shape& shape, int axis, const std::vector<slab>& slabs) {
  const std::int64_t size = shape.space.size[axis];
  const auto refuse_gap = [&](std::int64_t lo, std::int64_t hi) {
    throw argument_error(cat(label(shape), "no part has the threads ", range(lo, hi), " of axis ", axis,
                             "; parts must cover all ", size));
  };
  std::int64_t covered = 0;
  for (std::size_t i = 0; i < slabs.size(); ++i) {
    const slab& s = slabs[i];
    if (s.lo > covered) refuse_gap(covered, s.lo);
    if (s.lo < covered)
      throw argument_error(cat(label(shape), "parts ", range(slabs[i - 1].lo, slabs[i - 1].hi), " and ",
                               range(s.lo, s.hi), " of axis ", axis, " overlap at ",
                               range(s.lo, std::min(covered, s.hi))));
    covered = s.hi;
  }
  if (covered < size) refuse_gap(covered, size);
}

}  // namespace

int slab_axis(const launch_shape& shape) {
  const extents& size = shape.space.size;
  if (shape.split.axis == split_spec::slowest_axis) {
    int axis = size.rank() - 1;
    while (axis > 0 && size[axis] <= 1) --axis;
    return axis;
  }
  if (shape.split.axis < 0 || shape.split.axis >= size.rank())
    throw argument_error(cat(label(shape), "parts along axis ", shape.split.axis, ", but the launch has ", size.rank(),
                             size.rank() == 1 ? " axis" : " axes", "; x is axis 0"));
  return shape.split.axis;
}

std::vector<slab> ascending_slabs(const launch_shape& shape) {
  std::vector<slab> slabs = shape.split.slabs;
  std::erase_if(slabs, [](const slab& s) { return s.lo == s.hi; });
  std::sort(slabs.begin(), slabs.end(), [](const slab& a, const slab& b) { return a.lo < b.lo; });
  return slabs;
}

grid_cuts cuts_by_slabs(const launch_shape& shape, int devices) {
  const int axis = slab_axis(shape);
  for (const slab& s : shape.split.slabs) check_slab(shape, axis, s, devices);
  const std::vector<slab> slabs = ascending_slabs(shape);
  check_cover(shape, axis, slabs);

  grid_cuts cuts = whole_cuts(shape);
  std::vector<std::int64_t>& along = cuts[static_cast<std::size_t>(axis)];
  const std::int64_t end = along.back();
  along = {0};
  for (const slab& s : slabs) {
    const std::int64_t next = ceil_div(s.hi, shape.space.granule[axis]) + planted("slab_too_long");
    if (next < end) along.push_back(next);
  }
  along.push_back(end);
  return cuts;
}

void check_device(const launch_shape& shape, int device, int devices) {
  if (device < 0 || device >= devices)
    throw argument_error(cat(label(shape), "device ", device, " does not exist; there are ", devices));
}

}  // namespace tessera::plan
