#pragma once

#include <optional>

#include "tessera/nd/ops/elementwise.h"

/// Functions of arrays that are made of several operations, with the names of NumPy. Throw `argument_error` as those of
/// ops/elementwise.h.
namespace tessera::nd {

/// Differences of neighbours along an axis, `times` times; each time there is one element fewer. Of truths: whether
/// neighbours differ.
[[nodiscard]] array diff(const array& a, int times = 1, int axis = -1, call_site here = call_site::current());
/// The derivative along an axis of values with the distance `spacing`: central differences, one-sided at the ends.
[[nodiscard]] array gradient(const array& a, double spacing = 1, int axis = -1, call_site here = call_site::current());

/// Whether a and b differ by at most absolute + relative * |b|. Equal infinities are close; NaN are if `equal_nan` says
/// so.
struct tolerance {
  double relative = 1e-5, absolute = 1e-8;
  bool equal_nan = false;
};
[[nodiscard]] array isclose(const array& a, const operand& b, const tolerance& within = {},
                            call_site here = call_site::current());

/// What takes the place of numbers that are not finite; infinities left out become the type's largest numbers.
struct finite_values {
  double nan = 0;
  std::optional<double> positive{}, negative{};
};
[[nodiscard]] array nan_to_num(const array& a, const finite_values& instead = {},
                               call_site here = call_site::current());
[[nodiscard]] array isposinf(const array& a, call_site here = call_site::current());
[[nodiscard]] array isneginf(const array& a, call_site here = call_site::current());

/// The larger and the smaller number; where one is NaN, the other.
[[nodiscard]] array fmax(const operand& a, const operand& b, call_site here = call_site::current());
[[nodiscard]] array fmin(const operand& a, const operand& b, call_site here = call_site::current());

[[nodiscard]] array deg2rad(const array& a, call_site here = call_site::current());
[[nodiscard]] array rad2deg(const array& a, call_site here = call_site::current());
/// 0 below zero, 1 above it, `at_zero` there.
[[nodiscard]] array heaviside(const array& a, const operand& at_zero, call_site here = call_site::current());
/// Powers, of float64 or complex128 at least.
[[nodiscard]] array float_power(const operand& a, const operand& b, call_site here = call_site::current());

}  // namespace tessera::nd
