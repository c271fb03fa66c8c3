#include <limits>

#include "tests/algo/fuzz/expression/apply.h"

namespace tessera::fuzz {
namespace {

/// True if x can be converted to T: floats to integers that can hold them.
template <class T, class X>
bool fits(X x) {
  if constexpr (std::is_floating_point_v<X> && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const double whole = std::trunc(static_cast<double>(x));
    return whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
           whole < -2.0 * static_cast<double>(std::numeric_limits<T>::min() / 2) +
                       (std::is_unsigned_v<T> ? static_cast<double>(std::numeric_limits<T>::max()) + 1.0 : 0.0);
  } else if constexpr (std::is_same_v<X, double> && std::is_same_v<T, float>) {
    return !(std::abs(x) > static_cast<double>(std::numeric_limits<float>::max())) || std::isinf(x);
  } else {
    return true;
  }
}

/// A product that a following addition may be contracted with must be exact.
template <class C>
bool is_exact_product(C x, C y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return true;
  const C product = x * y;
  return std::isfinite(product) && std::fma(x, y, -product) == 0 &&
         (product == 0 ? x == 0 || y == 0 : std::abs(product) >= std::numeric_limits<C>::min());
}

template <class X, class Y>
bool is_defined(code operation, X x, Y y) {
  using C = decltype(x + y);
  const C a = static_cast<C>(x), b = static_cast<C>(y);
  if constexpr (std::is_floating_point_v<C>) {
    if (operation == code::multiply) return is_exact_product(a, b);
    if (operation == code::sign_of) return !std::isnan(b);  // NaN has either sign
  } else {
    C ignored{};
    if (operation == code::divide || operation == code::remainder)
      return b != 0 && !(std::is_signed_v<C> && a == std::numeric_limits<C>::min() && b == static_cast<C>(-1));
    if (operation == code::shift_left || operation == code::shift_right)
      return !(y < Y(0)) && static_cast<long long>(y) < static_cast<long long>(8 * sizeof(decltype(+x)));
    if constexpr (std::is_signed_v<C>) {
      if (operation == code::add) return !__builtin_add_overflow(a, b, &ignored);
      if (operation == code::subtract) return !__builtin_sub_overflow(a, b, &ignored);
      if (operation == code::multiply) return !__builtin_mul_overflow(a, b, &ignored);
    }
  }
  return true;
}

template <class X>
bool is_defined(code operation, X x) {
  if constexpr (std::is_integral_v<X> && std::is_signed_v<decltype(-x)>)
    if (operation == code::negate || operation == code::absolute) return +x != std::numeric_limits<decltype(+x)>::min();
  return true;
}

outcome of(const std::optional<plain_value>& value) { return {value.has_value(), value.value_or(plain_value())}; }

outcome selected(const std::array<plain_value, 3>& operands) {
  const bool* condition = std::get_if<bool>(operands.data());
  if (condition == nullptr) return {};
  return std::visit(
      [&](const auto& a, const auto& b) {
        return outcome{true, plain_value(tessera::select(*condition, a, b))};
      },
      operands[1], operands[2]);
}

}  // namespace

int operands_of(code operation) {
  constexpr int counts[] = {
#define TESSERA_OPERATION(name, operands, text) operands,
#include "tests/algo/fuzz/expression/operations.def"
#undef TESSERA_OPERATION
  };
  return counts[static_cast<std::size_t>(operation)];
}

outcome evaluate(const node& n, const std::array<plain_value, 3>& operands) {
  if (n.operation == code::select) return selected(operands);
  if (n.operation == code::convert)
    return std::visit(
        [&](const auto& x) {
          return with_scalar(n.type, [&]<class T>() {
            return fits<T>(x) ? outcome{true, plain_value(static_cast<T>(x))} : outcome();
          });
        },
        operands[0]);
  if (operands_of(n.operation) == 1)
    return std::visit(
        [&](const auto& x) { return is_defined(n.operation, x) ? of(apply<plain_value>(n.operation, x)) : outcome(); },
        operands[0]);
  return std::visit(
      [&](const auto& x, const auto& y) {
        return is_defined(n.operation, x, y) ? of(apply<plain_value>(n.operation, x, y)) : outcome();
      },
      operands[0], operands[1]);
}

outcome evaluate(const tree& t, const std::vector<column_values>& columns, std::size_t k) {
  std::vector<plain_value> values;
  for (const node& n : t.nodes) {
    outcome made{true, n.number};
    if (n.operation == code::parameter) made.value = columns[static_cast<std::size_t>(n.column)][k];
    if (operands_of(n.operation) > 0) {
      std::array<plain_value, 3> operands{};
      for (int o = 0; o < operands_of(n.operation); ++o)
        operands[static_cast<std::size_t>(o)] = values[n.operands[static_cast<std::size_t>(o)]];
      made = evaluate(n, operands);
    }
    if (!made.has_value) return {};
    values.push_back(made.value);
  }
  return {true, values[t.result]};
}

}  // namespace tessera::fuzz
