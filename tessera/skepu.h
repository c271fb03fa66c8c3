#pragma once

/// For programs that come from SkePU 2 and 3: its containers and skeletons, spelled as there, on ours. See "Coming from
/// SkePU" in docs/guide/containers.md.
#include "tessera/algo.h"
#include "tessera/algo/skepu/reductions.h"
