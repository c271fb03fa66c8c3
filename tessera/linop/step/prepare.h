#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tessera/linop/step/step.h"

namespace tessera::linop {

/// Least and greatest value of variables and functions of them.
struct value_range {
  std::int64_t lo = 0, hi = 0;
};
[[nodiscard]] std::vector<value_range> ranges_of(const step& s);
[[nodiscard]] value_range range_of(const affine& a, const std::vector<value_range>& variables);

/// The array lies without gaps in memory.
[[nodiscard]] bool is_contiguous(const array_base& a);
/// Elements from one index of each axis to the next one.
[[nodiscard]] std::vector<std::int64_t> strides_of(const array_base& a, const extents& seen_as);

/// The step with what it needs to be launched: shapes of all factors, guards where an index can lie outside, axes
/// joined that can be one, none of extent 1.
[[nodiscard]] step prepared(step s);

}  // namespace tessera::linop
