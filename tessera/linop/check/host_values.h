#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "tessera/array/context.h"

namespace tessera::linop {

using host_values = std::vector<std::complex<double>>;

/// The elements of an array of real or complex numbers, row by row, on every rank.
[[nodiscard]] host_values values_of(const array_base& a, call_site here = call_site::current());
/// An array of these elements; of real types the real parts.
[[nodiscard]] array_base array_of(context ctx, const extents& shape, scalar_kind kind, const host_values& values,
                                  call_site here = call_site::current());
/// Numbers in [-1, 1), the same for a seed everywhere; real ones for real types.
[[nodiscard]] host_values random_values(std::int64_t count, scalar_kind kind, std::uint64_t seed);

}  // namespace tessera::linop
