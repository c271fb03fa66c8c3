#pragma once

#include <span>

#include "tessera/nd/array.h"

/// Elements at places that arrays of integers tell, as NumPy's indexing by arrays. The whole array may be read.
namespace tessera::nd {

/// One array of integers per axis of `a`, or none for an axis that is taken whole. Arrays are repeated to a common
/// shape, whose axes stand for those that are indexed: where the first of these stands if they are neighbours, else in
/// front. A new array. Places that `a` does not have are an `index_error`, as of `take`.
[[nodiscard]] array at_places(const array& a, std::span<const array> places, call_site here = call_site::current());
/// Writes `value`, repeated to the shape of what `at_places` gives; where places are equal the last one counts. Waits
/// for the places and for all elements.
void put_at_places(const array& a, std::span<const array> places, const array& value,
                   call_site here = call_site::current());

/// Writes the elements of `value` one after the other where `mask` is true: as many as are true, or one. Waits for
/// their number.
void put_in_order(const array& a, const array& mask, const array& value, call_site here = call_site::current());

}  // namespace tessera::nd
