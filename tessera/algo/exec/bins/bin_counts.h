#pragma once

#include "tessera/algo/exec/skeleton_options.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// Adds to element k of `counts`, a vector of std::int64_t, how many of the elements of `bins`, numbers of the same
/// type, are k. Other numbers count nowhere. One launch; each device counts what rests there, and its counts meet.
void count_bins(const sequence& bins, const operand& counts, const skeleton_options& options = {});

}  // namespace tessera::algo
