#pragma once

/// Containers and skeletons for C++ programs: vectors, matrices and tensors on all devices of all ranks.
#include "tessera/algo/container/matrix.h"
#include "tessera/algo/container/tensor.h"
#include "tessera/algo/container/vector.h"
#include "tessera/tessera.h"
