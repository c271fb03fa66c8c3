#pragma once

/// Arrays as in NumPy over all devices and ranks: operations are recorded, fused and carried out as kernels. This is
/// all a program with such arrays includes; docs/guide/arrays.md tells how they are used.
#include "tessera/nd/array.h"
#include "tessera/nd/error.h"
#include "tessera/nd/fft/fft.h"
#include "tessera/nd/linalg/einsum.h"
#include "tessera/nd/linalg/linalg.h"
#include "tessera/nd/ops/arrange/join.h"
#include "tessera/nd/ops/arrange/relayout.h"
#include "tessera/nd/ops/arrange/shape.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/elementwise.h"
#include "tessera/nd/ops/grid.h"
#include "tessera/nd/ops/index/index.h"
#include "tessera/nd/ops/index/places.h"
#include "tessera/nd/ops/numeric.h"
#include "tessera/nd/ops/order/sort.h"
#include "tessera/nd/ops/reduce.h"
#include "tessera/nd/ops/scan.h"
#include "tessera/nd/random/generator.h"
#include "tessera/nd/stats.h"
#include "tessera/tessera.h"
