#pragma once

/// Containers and skeletons for C++ programs: vectors, matrices and tensors on all devices of all ranks, and functions
/// of the program applied to their elements.
#include "tessera/algo/algorithm/bounds.h"
#include "tessera/algo/algorithm/by_key.h"
#include "tessera/algo/algorithm/elementwise.h"
#include "tessera/algo/algorithm/moves.h"
#include "tessera/algo/algorithm/reductions.h"
#include "tessera/algo/algorithm/scans.h"
#include "tessera/algo/algorithm/searches.h"
#include "tessera/algo/algorithm/segmented.h"
#include "tessera/algo/container/matrix.h"
#include "tessera/algo/container/tensor.h"
#include "tessera/algo/container/vector.h"
#include "tessera/algo/skeleton/call.h"
#include "tessera/algo/skeleton/map.h"
#include "tessera/algo/skeleton/map_overlap.h"
#include "tessera/algo/skeleton/map_pairs.h"
#include "tessera/algo/skeleton/reduce.h"
#include "tessera/algo/skeleton/scan.h"
#include "tessera/algo/skeleton/tune.h"
#include "tessera/algo/view/views.h"
#include "tessera/tessera.h"
