#pragma once

#include "tessera/array/context.h"
#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"
#include "tessera/plan/layout.h"

namespace tessera::algo {

/// Where the elements of a container of `shape` rest unless the program says otherwise: less than 64 KiB on one device;
/// more in one part per device, along the first axis, and of vectors in multiples of 4096 elements, so that chunks of
/// algorithms do not lie across devices. With TESSERA_SMALL=0 cuts fall anywhere and there is no threshold.
[[nodiscard]] plan::layout usual_layout(const context& ctx, const extents& shape, const dtype& type);

}  // namespace tessera::algo
