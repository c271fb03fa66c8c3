#pragma once

#include <cstdint>

#include "tessera/base/geometry/box.h"

namespace tessera::algo {

/// `i`, if there is such an element among `size`; else throws `argument_error`. `call`: what was asked for.
[[nodiscard]] std::int64_t checked_index(std::int64_t i, std::int64_t size, const char* call);
/// `shape`, if it has `axes` axes; else throws `argument_error`.
[[nodiscard]] const extents& checked_axes(const extents& shape, int axes);
/// Throws `argument_error` if `count` values are given for a container of `shape`.
void require_count(std::int64_t count, const extents& shape);
[[noreturn]] void refuse_index(const extents& index, const extents& shape);
/// Throws `argument_error` unless `part` lies in a container of `shape`.
void require_part(const box& part, const extents& shape);

}  // namespace tessera::algo
