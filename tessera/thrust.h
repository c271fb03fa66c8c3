#pragma once

/// For programs that come from Thrust: its vectors, iterators, function objects and algorithms, spelled as there, on
/// ours. See docs/guide/thrust.md.
#include "tessera/algo.h"
#include "tessera/algo/thrust/algorithm/compact.h"
#include "tessera/algo/thrust/algorithm/elementwise.h"
#include "tessera/algo/thrust/algorithm/for_each.h"
#include "tessera/algo/thrust/algorithm/gather.h"
#include "tessera/algo/thrust/algorithm/order.h"
#include "tessera/algo/thrust/algorithm/reductions.h"
#include "tessera/algo/thrust/algorithm/scans.h"
#include "tessera/algo/thrust/algorithm/sets.h"
#include "tessera/algo/thrust/iterator/outputs.h"
#include "tessera/algo/thrust/iterator/views.h"
#include "tessera/algo/thrust/iterator/zip.h"
#include "tessera/algo/thrust/memory.h"
#include "tessera/algo/thrust/placeholders.h"
#include "tessera/algo/thrust/vectors.h"
