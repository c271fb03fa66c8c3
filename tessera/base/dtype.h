#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tessera {

class float16;  // in float16.h
class bfloat16;

enum class scalar_kind : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
  structure,  ///< Any trivially copyable type; known by size and alignment alone.
};

/// The type of an array's elements or of a kernel parameter: a scalar, a CUDA vector of 1 to 4 scalars, or a structure.
struct dtype {
  scalar_kind kind = scalar_kind::uint8;
  std::uint8_t lanes = 1;
  std::uint32_t size = 1;
  std::uint32_t alignment = 1;

  /// The scalar type `kind`, or a CUDA vector of it (`make(float32, 4)` is float4).
  static dtype make(scalar_kind kind, int lanes = 1);
  static constexpr dtype structure(std::size_t size, std::size_t alignment) {
    return {scalar_kind::structure, 1, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(alignment)};
  }

  [[nodiscard]] bool is_integer() const { return lanes == 1 && kind <= scalar_kind::uint64; }
  /// Real or complex numbers whose sums depend on their order.
  [[nodiscard]] bool is_floating() const {
    return lanes == 1 && kind >= scalar_kind::float16 && kind <= scalar_kind::complex128;
  }
  [[nodiscard]] bool is_complex() const {
    return lanes == 1 && (kind == scalar_kind::complex64 || kind == scalar_kind::complex128);
  }
  bool operator==(const dtype&) const = default;
};

/// "float32", "float32x4", "struct of 24 bytes".
[[nodiscard]] std::string to_string(const dtype& type);

/// True where bytes of `a` may stand in for `b`: equal scalars, complex numbers and pairs of their parts (`float2`,
/// `cuFloatComplex`), or equal sizes if either is a structure.
[[nodiscard]] bool interchangeable(const dtype& a, const dtype& b);

/// The dtype of a C++ type; `float16` and `bfloat16` are in float16.h. Types without a scalar kind of their own (also
/// types of 16 bits that a program defines) are structures.
template <class T>
constexpr dtype dtype_of() {
  static_assert(std::is_trivially_copyable_v<T>, "array elements must be trivially copyable");
  constexpr auto scalar = [](scalar_kind kind) {
    return dtype{kind, 1, static_cast<std::uint32_t>(sizeof(T)), static_cast<std::uint32_t>(alignof(T))};
  };
  if constexpr (std::is_same_v<T, bool>)
    return scalar(scalar_kind::boolean);
  else if constexpr (std::is_same_v<T, float16>)
    return scalar(scalar_kind::float16);
  else if constexpr (std::is_same_v<T, bfloat16>)
    return scalar(scalar_kind::bfloat16);
  else if constexpr (std::is_same_v<T, float>)
    return scalar(scalar_kind::float32);
  else if constexpr (std::is_same_v<T, double>)
    return scalar(scalar_kind::float64);
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return scalar(scalar_kind::complex64);
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return scalar(scalar_kind::complex128);
  else if constexpr (std::is_integral_v<T>) {
    constexpr int log_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
    constexpr auto first = std::is_signed_v<T> ? scalar_kind::int8 : scalar_kind::uint8;
    return scalar(static_cast<scalar_kind>(static_cast<int>(first) + log_size));
  } else {
    return dtype::structure(sizeof(T), alignof(T));
  }
}

}  // namespace tessera
