#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tessera/array/distribution.h"
#include "tessera/plan/split/spec.h"

namespace tessera::runtime {
struct array_record;
}  // namespace tessera::runtime

namespace tessera {

class array_base;

/// Threads lo <= t < hi of a launch along one axis, and the device that runs them, numbered through all ranks.
using slab = plan::slab;

/// How a launch is cut into superblocks. Made from `blocks({x, y, z})`, `like(array)`, `whole()`, `on(device)` or
/// `parts({{lo, hi, device}, ...})`. Never changes results.
class split {
 public:
  split() = default;
  split(const tiled& parts);  // NOLINT: `.split = ts::blocks({64, 64})` is the notation
  [[nodiscard]] const plan::split_spec& spec() const { return spec_; }
  [[nodiscard]] const std::shared_ptr<const runtime::array_record>& followed() const { return followed_; }

 private:
  friend split whole();
  friend split like(const array_base& a);
  friend split on(int device);
  friend split parts(std::vector<slab> slabs, int axis);
  plan::split_spec spec_;
  std::shared_ptr<const runtime::array_record> followed_;
};

/// One superblock, on the device that owns most of what it uses.
[[nodiscard]] split whole();
/// Follows the distribution of an array that is passed to the launch.
[[nodiscard]] split like(const array_base& a);
/// The whole launch on one device, numbered through all ranks. The launch throws `argument_error` if there is none.
[[nodiscard]] split on(int device);
/// One superblock per slab, on the slab's device: uneven, several on a device, none on others. Slabs lie along `axis`
/// (x is 0; left out: the last axis that has more than one thread, which rows of arrays follow), begin and end at
/// thread blocks or at the end of the launch, come in any order, may be empty, and cover the launch exactly: otherwise
/// the launch throws `argument_error`.
[[nodiscard]] split parts(std::vector<slab> slabs, int axis = plan::split_spec::slowest_axis);

/// While one lives, launches that this thread makes run on `device`, numbered through all ranks, unless they have a
/// split of their own. Of several the innermost holds.
class device_scope {
 public:
  explicit device_scope(int device);
  ~device_scope();
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;
  /// The device of the innermost scope of this thread.
  [[nodiscard]] static std::optional<int> current();

 private:
  std::optional<int> outer_;
};

}  // namespace tessera
