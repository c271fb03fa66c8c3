#pragma once

#include <vector>

#include "tessera/nd/array.h"

namespace tessera::nd {

/// The elements of `a` at the places along `axis` that `indices`, an array of integers of any shape, tells: its axes
/// stand in the result for that one. Negative places count from the end. All of `a` may be read. A place that `a` does
/// not have is an `argument_error`: at once if `indices` is a host value, else where a value is next looked at.
[[nodiscard]] array take(const array& a, const array& indices, int axis = 0, call_site here = call_site::current());
/// For functions that index: refuses places that an axis of `extent` elements does not have, as `take` does.
void check_places(const array& indices, std::int64_t extent, int axis, call_site here);
/// Element by element: `indices` has the shape of the result, and tells for each the place along `axis`. The other axes
/// of both arrays are repeated where they have one element.
[[nodiscard]] array take_along_axis(const array& a, const array& indices, int axis = -1,
                                    call_site here = call_site::current());

/// The elements of `a` where `mask`, booleans of its shape, is true, in their order. Waits for their number.
[[nodiscard]] array compress(const array& mask, const array& a, call_site here = call_site::current());
/// The places of elements that are not zero, one array per axis. Waits for their number.
[[nodiscard]] std::vector<array> nonzero(const array& a, call_site here = call_site::current());
/// Among all elements, in their order.
[[nodiscard]] array flatnonzero(const array& a, call_site here = call_site::current());
/// Writes `value`, repeated to the shape of `a`, where `mask` is true.
void put_mask(const array& a, const array& mask, const array& value, call_site here = call_site::current());
void put_mask(const array& a, const array& mask, const number& value, call_site here = call_site::current());

}  // namespace tessera::nd
