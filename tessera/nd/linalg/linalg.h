#pragma once

#include <cstdint>

#include "tessera/nd/linalg/derived.h"
#include "tessera/nd/linalg/factorisations.h"
#include "tessera/nd/linalg/products.h"
#include "tessera/nd/ops/arrange/shape.h"

/// All names of the Array API standard's `linalg`.
namespace tessera::nd::linalg {

using nd::cross;
using nd::matmul;
using nd::matrix_transpose;
using nd::outer;
using nd::tensordot;
using nd::vecdot;

/// Elements whose column - row is `offset`, of the last two axes; a view.
[[nodiscard]] array diagonal(const array& a, std::int64_t offset = 0, call_site here = call_site::current());
/// Their sum; of integers in 64 bits.
[[nodiscard]] array trace(const array& a, std::int64_t offset = 0, call_site here = call_site::current());

}  // namespace tessera::nd::linalg
