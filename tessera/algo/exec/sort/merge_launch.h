#pragma once

#include "tessera/algo/exec/sort/sort_launch.h"

namespace tessera::algo {

/// Merges two sorted ranges into `out`, which shares no element with them; those of `left` go first where they are
/// equal. Waits twice, or not at all where one device holds all.
void merge_into(const keyed_elements& left, const keyed_elements& right, const keyed_elements& out,
                const key_order& order, call_site here);

}  // namespace tessera::algo
