#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// A statement that makes no sense for the arrays as they are.
class invalid_step : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One that the library must refuse.
class refused_step : public invalid_step {
 public:
  using invalid_step::invalid_step;
};

/// A handle: elements of a shared memory, at offset + sum(index * stride).
struct plain_array {
  std::shared_ptr<std::vector<std::byte>> memory;
  scalar_kind type{};
  std::int64_t offset = 0;
  std::vector<std::int64_t> shape, strides;
  std::vector<std::int64_t> origin{};  ///< The shape of the array that this is a view of.

  /// Zeros, row-major.
  [[nodiscard]] static plain_array made(scalar_kind type, const std::vector<std::int64_t>& shape);

  [[nodiscard]] bool is_null() const { return memory == nullptr; }
  [[nodiscard]] int rank() const { return static_cast<int>(shape.size()); }
  [[nodiscard]] std::int64_t size() const;
  /// True if it shows a whole array as that was made.
  [[nodiscard]] bool is_whole() const;
  /// True if several indices have one element.
  [[nodiscard]] bool repeats() const;
  /// Where the elements are, in the order of indices.
  [[nodiscard]] std::vector<std::int64_t> places() const;
  /// The elements as bytes, in the order of indices.
  [[nodiscard]] std::vector<std::byte> bytes() const;
  /// New elements, equal to these.
  [[nodiscard]] plain_array copied() const;
  /// Writes elements that lie one behind the other.
  void write(const std::vector<std::byte>& elements) const;
};

[[nodiscard]] std::int64_t volume_of(const std::vector<std::int64_t>& shape);

/// The shape in which both meet. Throws `refused_step`.
[[nodiscard]] std::vector<std::int64_t> met_shape(const std::vector<std::int64_t>& a,
                                                  const std::vector<std::int64_t>& b);
/// The array repeated to `shape`. Throws `refused_step`.
[[nodiscard]] plain_array repeated(const plain_array& a, const std::vector<std::int64_t>& shape);
/// What a call makes of a handle: a view, or a copy where `reshape` needs one. Throws `invalid_step`.
[[nodiscard]] plain_array seen(const plain_array& a, const view_call& call);

[[nodiscard]] std::vector<std::int64_t> list_of(const extents& e);
[[nodiscard]] extents extents_of(const std::vector<std::int64_t>& list);

/// Calls use.operator()<T>() for the C++ type of a kind.
template <class Use>
auto with_kind(scalar_kind kind, Use use) {
  switch (kind) {
    case scalar_kind::boolean:
      return use.template operator()<bool>();
    case scalar_kind::int8:
      return use.template operator()<std::int8_t>();
    case scalar_kind::int16:
      return use.template operator()<std::int16_t>();
    case scalar_kind::int32:
      return use.template operator()<std::int32_t>();
    case scalar_kind::int64:
      return use.template operator()<std::int64_t>();
    case scalar_kind::uint8:
      return use.template operator()<std::uint8_t>();
    case scalar_kind::uint16:
      return use.template operator()<std::uint16_t>();
    case scalar_kind::uint32:
      return use.template operator()<std::uint32_t>();
    case scalar_kind::uint64:
      return use.template operator()<std::uint64_t>();
    case scalar_kind::float32:
      return use.template operator()<float>();
    case scalar_kind::float64:
      return use.template operator()<double>();
    case scalar_kind::complex64:
      return use.template operator()<std::complex<float>>();
    case scalar_kind::complex128:
      return use.template operator()<std::complex<double>>();
    default:
      throw invalid_step("a type that programs do not have");
  }
}

}  // namespace tessera::fuzz
