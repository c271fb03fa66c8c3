#pragma once

#include <cmath>
#include <cstring>

#include "tessera/base/float16.h"
#include "tessera/kernel/scalar/opcode.h"

namespace tessera::support {

/// Reads a real number of type `kind`, so that NaN can be told from other bits.
inline double part_at(const std::byte* at, scalar_kind kind) {
  const auto get = [&](auto value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(static_cast<float>(value));
  };
  if (kind == scalar_kind::float16) return get(float16());
  if (kind == scalar_kind::bfloat16) return get(bfloat16());
  if (kind == scalar_kind::float32) return get(0.0f);
  double value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Equal bits, or both not a number.
inline bool same_value(const std::byte* a, const std::byte* b, scalar_kind kind) {
  const std::uint32_t size = dtype::make(kind).size;
  if (std::memcmp(a, b, size) == 0) return true;
  if (!kernels::contains(kernels::type_sets::fields, kind)) return false;
  const std::uint32_t part = dtype::make(kernels::real_kind(kind)).size;
  for (std::uint32_t k = 0; k < size; k += part) {
    const double x = part_at(a + k, kernels::real_kind(kind)), y = part_at(b + k, kernels::real_kind(kind));
    if (std::memcmp(a + k, b + k, part) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
  }
  return true;
}

}  // namespace tessera::support
