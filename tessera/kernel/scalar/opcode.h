#pragma once

#include <cstdint>
#include <string_view>

#include "tessera/base/dtype.h"

namespace tessera::kernels {

enum class opcode : std::uint8_t {
#define TESSERA_LEAF(name) name,
#define TESSERA_CONVERSION(name) name,
#define TESSERA_OPCODE(name, operands, result, types, text) name,
#include "tessera/kernel/scalar/opcode.def"
};

/// How the type of a result follows from the type of an operation.
enum class result_rule : std::uint8_t { same, wrapped, boolean, real, given };

/// Types for which an operation exists, one bit per `scalar_kind`.
using type_set = std::uint32_t;

namespace type_sets {
constexpr type_set of(scalar_kind kind) { return type_set{1} << static_cast<unsigned>(kind); }
constexpr type_set range(scalar_kind first, scalar_kind last) { return (of(last) << 1) - of(first); }
inline constexpr type_set booleans = of(scalar_kind::boolean);
inline constexpr type_set integers = range(scalar_kind::int8, scalar_kind::uint64);
inline constexpr type_set words = of(scalar_kind::uint64);
inline constexpr type_set wide_floats = range(scalar_kind::float32, scalar_kind::float64);
inline constexpr type_set floats = range(scalar_kind::float16, scalar_kind::float64);
inline constexpr type_set complexes = range(scalar_kind::complex64, scalar_kind::complex128);
inline constexpr type_set bits = booleans | integers;
inline constexpr type_set reals = integers | floats;
inline constexpr type_set signed_reals = range(scalar_kind::int8, scalar_kind::int64) | floats;
inline constexpr type_set ordered = booleans | reals;
inline constexpr type_set fields = floats | complexes;
inline constexpr type_set numbers = reals | complexes;
inline constexpr type_set every = booleans | numbers;
}  // namespace type_sets

/// A row of opcode.def.
struct operation_facts {
  std::string_view name;
  int operands = 0;
  result_rule result = result_rule::given;
  type_set types = type_sets::every;
  std::string_view text{};  ///< Empty for leaves and conversions.
};
[[nodiscard]] const operation_facts& facts_of(opcode operation);

[[nodiscard]] constexpr bool contains(type_set set, scalar_kind kind) { return (set & type_sets::of(kind)) != 0; }
/// The type of the parts of a complex type; any other type itself.
[[nodiscard]] constexpr scalar_kind real_kind(scalar_kind kind) {
  if (kind == scalar_kind::complex64) return scalar_kind::float32;
  return kind == scalar_kind::complex128 ? scalar_kind::float64 : kind;
}
/// The type in which an operation of type `kind` computes: float for numbers of 16 bits, unsigned for integers where
/// results wrap around. `select` computes nothing.
[[nodiscard]] scalar_kind computed_kind(opcode operation, scalar_kind kind);
/// "float", "unsigned long long": the type as kernels spell it.
[[nodiscard]] const char* spelling(scalar_kind type);

}  // namespace tessera::kernels
