#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tessera/array/array.h"
#include "tessera/base/call_site.h"
#include "tessera/linop/dims.h"

namespace tessera::linop {

class node;

/// A, its adjoint, or A^H A.
enum class mode : std::uint8_t { forward, adjoint, normal };
inline constexpr mode fwd = mode::forward, adj = mode::adjoint, normal = mode::normal;

/// A linear operator: a handle to an expression that does not change. It takes an array whose last axes are the
/// dimensions of `ishape()` and gives one whose last axes are those of `oshape()`; axes in front of them are a batch.
/// Elements are float, double or complex numbers of these. Calls return at once, on all devices and ranks.
class op {
 public:
  op() = default;
  explicit op(std::shared_ptr<const node> tree) : tree_(std::move(tree)) {}

  /// A x as a new array. Throws `argument_error` for an `x` that does not fit.
  [[nodiscard]] array_base operator()(const array_base& x, call_site here = call_site::current()) const;
  /// y = alpha op(A) x + beta y. With beta 0 the old contents of y are not looked at. x and y must not overlap.
  void apply(std::complex<double> alpha, const array_base& x, std::complex<double> beta, const array_base& y,
             mode m = fwd, call_site here = call_site::current()) const;

  /// The adjoint; of an operator between real and complex numbers, with regard to the real part of inner products.
  [[nodiscard]] op H() const;
  /// A^H A, or A^H inner A, in the cheapest form that is known.
  [[nodiscard]] op N() const;
  [[nodiscard]] op N(const op& inner) const;

  [[nodiscard]] const dims& ishape() const;
  [[nodiscard]] const dims& oshape() const;
  /// The size of a dimension of `ishape` or `oshape`, if the operator knows it without an array. Throws
  /// `argument_error` if there is none of this name.
  [[nodiscard]] std::optional<std::int64_t> size(std::string_view dimension) const;
  /// Whether it gives for complex multiples of x these multiples of its result, not for real ones alone.
  [[nodiscard]] bool is_complex_linear() const;
  /// The expression: "dense(T K) * fft(Nx Ny)".
  [[nodiscard]] std::string text() const;

  /// For code that makes nodes.
  [[nodiscard]] const std::shared_ptr<const node>& tree() const { return tree_; }
  [[nodiscard]] const node& operator*() const;

 private:
  std::shared_ptr<const node> tree_;
};

[[nodiscard]] op operator*(const op& left, const op& right);
[[nodiscard]] op operator+(const op& a, const op& b);
[[nodiscard]] op operator-(const op& a, const op& b);
[[nodiscard]] op operator-(const op& a);

/// `factor` times `a`.
[[nodiscard]] op scaled(std::complex<double> factor, const op& a);
template <class Number>
requires std::convertible_to<Number, double>
[[nodiscard]] op operator*(Number factor, const op& a) { return scaled(static_cast<double>(factor), a); }
template <class Real>
[[nodiscard]] op operator*(std::complex<Real> factor, const op& a) {
  return scaled(std::complex<double>(factor), a);
}
template <class Number>
requires(std::convertible_to<Number, double>) [[nodiscard]] op operator/(const op& a, Number divisor) {
  return scaled(1 / static_cast<double>(divisor), a);
}

}  // namespace tessera::linop
