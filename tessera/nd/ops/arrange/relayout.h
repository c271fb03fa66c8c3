#pragma once

#include <cstdint>
#include <span>

#include "tessera/nd/array.h"

/// New arrays with the elements of an array laid out in another way: one launch that follows the target, so that each
/// device fetches what it will hold. Where elements rest never changes results. Throw `argument_error` for layouts that
/// do not fit the array.
namespace tessera::nd {

/// Cut along other axes: `resplit(a, 1)`, `resplit(a, {0, 1})`, `resplit(a, layout::replicated())`.
[[nodiscard]] array resplit(const array& a, const layout& wanted, call_site here = call_site::current());
/// In the parts of a distribution, which may be uneven or empty.
[[nodiscard]] array redistribute(const array& a, const distribution& wanted, call_site here = call_site::current());
/// So many elements along an axis for each device, in their order. Throws `argument_error` unless there is a number for
/// each device, and their sum is the extent.
[[nodiscard]] array redistribute(const array& a, std::span<const std::int64_t> counts, int axis = 0,
                                 call_site here = call_site::current());
/// In even parts, along the axes that are cut.
[[nodiscard]] array balance(const array& a, call_site here = call_site::current());

}  // namespace tessera::nd
