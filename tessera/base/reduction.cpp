#include "tessera/base/reduction.h"

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tessera/base/error.h"
#include "tessera/base/number.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

constexpr std::array<std::string_view, 7> names{"+", "*", "min", "max", "&", "|", "^"};

/// Calls f with a zero of the C++ type that `kind` stands for.
template <class F>
void with_scalar(scalar_kind kind, F f) {
  if (!with_number(kind, f)) throw argument_error(cat("no reduction on elements of kind ", static_cast<int>(kind)));
}

template <class T>
T identity(reduce_op op) {
  using limits = std::numeric_limits<T>;
  switch (op) {
    case reduce_op::multiply:
      return T(1);
    case reduce_op::min:
      return limits::has_infinity ? limits::infinity() : limits::max();
    case reduce_op::max:
      return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
    case reduce_op::bit_and:
      return std::is_same_v<T, bool> ? T(1) : static_cast<T>(-1);
    default:
      return T(0);
  }
}

/// Integers combine in their unsigned type, so that sums and products wrap as on a device instead of being undefined.
template <class T>
T apply(reduce_op op, T a, T b) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using wide = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
    switch (op) {
      case reduce_op::add:
        return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
      case reduce_op::multiply:
        return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
      default:
        break;
    }
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
      case reduce_op::bit_and:
        return static_cast<T>(a & b);
      case reduce_op::bit_or:
        return static_cast<T>(a | b);
      case reduce_op::bit_xor:
        return static_cast<T>(a ^ b);
      default:
        break;
    }
  }
  switch (op) {
    case reduce_op::add:
      return static_cast<T>(a + b);
    case reduce_op::multiply:
      return static_cast<T>(a * b);
    case reduce_op::min:
      return b < a ? b : a;
    default:
      return a < b ? b : a;
  }
}

}  // namespace

std::string to_string(reduce_op op) {
  return is_registered(op) ? cat("registered ", registered_number(op))
                           : std::string(names[static_cast<std::size_t>(op)]);
}

std::optional<reduce_op> parse_reduce_op(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<reduce_op>(i);
  return std::nullopt;
}

bool supports(reduce_op op, const dtype& type) {
  if (is_registered(op)) return true;
  const bool bitwise = op >= reduce_op::bit_and;
  if (type.kind == scalar_kind::boolean) return type.lanes == 1 && bitwise;
  if (type.is_integer()) return true;
  return type.is_complex() ? op == reduce_op::add : type.is_floating() && !bitwise;
}

std::vector<std::byte> identity_of(reduce_op op, const dtype& type) {
  std::vector<std::byte> bytes(type.size);
  if (type.is_complex()) return bytes;  // 0, the only one
  with_scalar(type.kind, [&](auto zero) {
    const auto value = identity<decltype(zero)>(op);
    std::memcpy(bytes.data(), &value, sizeof value);
  });
  return bytes;
}

void combine(reduce_op op, const dtype& type, std::byte* target, const std::byte* source, std::int64_t count) {
  scalar_kind kind = type.kind;
  if (kind == scalar_kind::boolean) kind = scalar_kind::uint8;  // its byte: elements without a value may hold anything
  if (type.is_complex()) {
    kind = kind == scalar_kind::complex64 ? scalar_kind::float32 : scalar_kind::float64;  // sums part by part
    count *= 2;
  }
  with_scalar(kind, [&](auto zero) {
    using T = decltype(zero);
    auto* to = reinterpret_cast<T*>(target);
    const auto* from = reinterpret_cast<const T*>(source);
    for (std::int64_t i = 0; i < count; ++i) to[i] = apply(op, to[i], from[i]);
  });
}

}  // namespace tessera
