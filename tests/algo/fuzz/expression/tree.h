#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace tessera::fuzz {

/// The types of values in random expressions.
enum class scalar : std::uint8_t { boolean, int8, uint16, int32, uint32, int64, float32, float64 };
inline constexpr int scalar_count = 8;
using plain_value = std::variant<bool, signed char, unsigned short, int, unsigned, long long, float, double>;
[[nodiscard]] inline scalar type_of(const plain_value& v) { return static_cast<scalar>(v.index()); }

enum class code : std::uint8_t {
#define TESSERA_OPERATION(name, operands, text) name,
#include "tests/algo/fuzz/expression/operations.def"
#undef TESSERA_OPERATION
};
inline constexpr int code_count = 0
#define TESSERA_OPERATION(name, operands, text) +1
#include "tests/algo/fuzz/expression/operations.def"
#undef TESSERA_OPERATION
    ;
[[nodiscard]] int operands_of(code operation);

/// Columns of elements that expressions take: this many of each type.
inline constexpr int columns_per_type = 2;
inline constexpr std::size_t elements = 16;
using column_values = std::array<plain_value, elements>;
/// Element `k` of every column: values at the limits of the type, then random ones.
[[nodiscard]] std::vector<column_values> make_columns(std::uint64_t seed);

/// One operation of an expression; operands are earlier ones.
struct node {
  code operation{};
  scalar type{};   ///< Of a parameter, and what `convert` makes.
  int column = 0;  ///< Of a parameter.
  std::array<std::uint16_t, 3> operands{};
  plain_value number{};
};

/// A random expression: its last operation, or another, is the result.
struct tree {
  std::vector<node> nodes;
  std::size_t result = 0;
};

/// What the operation gives for these operands by the rules of C++; without a value if it is not defined for them, for
/// their types, or if it may be rounded in more than one way. `operands`: as many as it has.
struct outcome {
  bool has_value = false;
  plain_value value{};
};
[[nodiscard]] outcome evaluate(const node& n, const std::array<plain_value, 3>& operands);
/// The result for element `k` of the columns.
[[nodiscard]] outcome evaluate(const tree& t, const std::vector<column_values>& columns, std::size_t k);

/// As a program writes it: a lambda.
[[nodiscard]] std::string text_of(const tree& t);
[[nodiscard]] const char* text_of(scalar type);

}  // namespace tessera::fuzz
