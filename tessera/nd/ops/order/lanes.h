#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/index.h"
#include "tessera/nd/array.h"
#include "tessera/nd/ops/apply.h"

/// For functions of order, which read all elements to every rank and work there.
namespace tessera::nd {

/// The order of sorts: NaN behind all numbers, complex numbers by their real and then their imaginary part.
template <class T>
[[nodiscard]] bool comes_before(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a < b || (std::isnan(b) && !std::isnan(a));
  } else {
    return a < b;
  }
}
template <class T>
[[nodiscard]] bool comes_before(const std::complex<T>& a, const std::complex<T>& b) {
  if (comes_before(a.real(), b.real())) return true;
  if (comes_before(b.real(), a.real())) return false;
  return comes_before(a.imag(), b.imag());
}

/// `comes_before` as an object.
struct sort_order {
  template <class T>
  [[nodiscard]] bool operator()(const T& a, const T& b) const {
    return comes_before(a, b);
  }
};

/// Calls `body.template operator()<T>()` with the C++ type in which elements of `kind` are compared.
template <class Body>
decltype(auto) with_key_type(scalar_kind kind, Body body) {
  switch (kind) {
    case scalar_kind::boolean:
    case scalar_kind::uint8:
      return body.template operator()<std::uint8_t>();
    case scalar_kind::int8:
      return body.template operator()<std::int8_t>();
    case scalar_kind::int16:
      return body.template operator()<std::int16_t>();
    case scalar_kind::int32:
      return body.template operator()<std::int32_t>();
    case scalar_kind::int64:
      return body.template operator()<std::int64_t>();
    case scalar_kind::uint16:
      return body.template operator()<std::uint16_t>();
    case scalar_kind::uint32:
      return body.template operator()<std::uint32_t>();
    case scalar_kind::uint64:
      return body.template operator()<std::uint64_t>();
    case scalar_kind::float64:
      return body.template operator()<double>();
    case scalar_kind::complex64:
      return body.template operator()<std::complex<float>>();
    case scalar_kind::complex128:
      return body.template operator()<std::complex<double>>();
    default:
      return body.template operator()<float>();
  }
}

/// All elements of `a`, row-major, in the type T of `with_key_type`. Waits for them.
template <class T>
[[nodiscard]] std::vector<T> keys_of(const array& a, call_site here) {
  const bool is_half = a.type() == scalar_kind::float16 || a.type() == scalar_kind::bfloat16;
  const std::vector<std::byte> bytes = elements_of(is_half ? as_type(a, scalar_kind::float32, here) : a, here);
  std::vector<T> keys(bytes.size() / sizeof(T));
  if (!keys.empty()) std::memcpy(keys.data(), bytes.data(), bytes.size());
  return keys;
}

/// The lines of elements along one axis of a row-major array.
class lanes {
 public:
  lanes(const extents& shape, int axis) : length_(shape[axis]) {
    for (int k = axis + 1; k < shape.rank(); ++k) step_ *= shape[k];
    count_ = length_ == 0 ? 0 : element_count(shape) / length_;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t length() const { return length_; }
  /// The place of element k of a lane.
  [[nodiscard]] std::size_t place(std::int64_t lane, std::int64_t k) const {
    return index((lane / step_ * length_ + k) * step_ + lane % step_);
  }

 private:
  std::int64_t length_, step_ = 1, count_ = 0;
};

}  // namespace tessera::nd
