#pragma once

#include "tessera/nd/array.h"

/// Orders of elements, with the names of the Array API standard. NaN come last, complex numbers are ordered by their
/// real and then their imaginary part. All elements are read to every rank: these functions wait for them.
namespace tessera::nd {

/// The elements of each line along an axis in their order. Sorts are stable.
[[nodiscard]] array sort(const array& a, int axis = -1, bool descending = false, call_site here = call_site::current());
/// The places of these elements in the line, as int64.
[[nodiscard]] array argsort(const array& a, int axis = -1, bool descending = false,
                            call_site here = call_site::current());

/// For each value the first place of a sorted vector at which it may be put so that the vector stays sorted, or the
/// last one
/// (`after`).
[[nodiscard]] array searchsorted(const array& sorted, const array& values, bool after = false,
                                 call_site here = call_site::current());

/// The different elements in their order; for each the place where it stands first among all elements, how often it is
/// there, and for each element of the array the place of its value. NaN differ from each other.
struct unique_elements {
  array values, indices, inverse, counts;
};
[[nodiscard]] unique_elements unique_all(const array& a, call_site here = call_site::current());

/// For each element whether it is one of `of`.
[[nodiscard]] array isin(const array& a, const array& of, call_site here = call_site::current());

}  // namespace tessera::nd
