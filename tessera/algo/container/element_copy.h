#pragma once

#include "tessera/array/array.h"
#include "tessera/base/call_site.h"

namespace tessera::algo {

/// Copies all elements of `from` to `to`, boxes of equal shape in different arrays with elements of one size: one
/// launch of a kernel that is compiled once per element size and number of axes. Returns at once.
void copy_elements(const array_base& to, const array_base& from, call_site here);

}  // namespace tessera::algo
