#include "tessera/array/distribution.h"

#include "tessera/base/checked.h"

namespace tessera {

tiled tiled::halo(std::int64_t width) const { return halo(extents{width}); }

tiled tiled::halo(const extents& widths) const {
  for (const std::int64_t w : widths)
    if (w < 0) throw argument_error(cat("a halo is negative: ", to_string(widths)));
  tiled result = *this;
  result.halo_ = widths;
  return result;
}

tiled tiled::cyclic() const {
  tiled result = *this;
  result.cyclic_ = true;
  return result;
}

plan::layout tiled::parts(const extents& shape, int) const {
  for (const std::int64_t n : tile_)
    if (n <= 0) throw argument_error(cat("a distribution's parts must have positive extents, not ", to_string(tile_)));
  plan::layout home;
  home.form = plan::layout::kind::tiles;
  home.cyclic = cyclic_;
  home.halo = halo_;
  home.tile = tile_;
  if (axis_ == axis::last && shape.rank() > 0) {
    home.tile = extents::uniform(shape.rank(), 0);
    home.tile[shape.rank() - 1] = tile_[0];
  }
  return home;
}

simple_distribution replicated() {
  plan::layout home;
  home.form = plan::layout::kind::replicated;
  return simple_distribution(home);
}

simple_distribution on_device(int device) {
  plan::layout home;
  home.form = plan::layout::kind::on_device;
  home.device = device;
  return simple_distribution(home);
}

simple_distribution automatic() { return simple_distribution({}); }

}  // namespace tessera
