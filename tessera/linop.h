#pragma once

/// Named linear operators over all devices and ranks: expressions that are applied to arrays as launches of kernels.
/// This is all a program with operators includes; docs/guide/operators.md tells how they are used.
#include "tessera/linop/check/host_values.h"
#include "tessera/linop/check/properties.h"
#include "tessera/linop/leaf/cumsum.h"
#include "tessera/linop/leaf/einsum.h"
#include "tessera/linop/leaf/fft.h"
#include "tessera/linop/leaf/functions.h"
#include "tessera/linop/leaf/identity.h"
#include "tessera/linop/leaf/map.h"
#include "tessera/linop/leaf/sparse.h"
#include "tessera/linop/leaf/stencil.h"
#include "tessera/linop/op.h"
#include "tessera/linop/solve/solve.h"
#include "tessera/linop/split.h"
#include "tessera/tessera.h"
