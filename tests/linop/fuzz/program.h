#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Random expressions of linear operators, as plain values.
namespace tessera::fuzz {

using shape = std::vector<std::int64_t>;  ///< At most three axes, named X, Y and Z from the last one back: Z is last.

enum class verb : std::uint8_t {
  diagonal,
  dense,
  sum,
  repeat,
  pad,
  crop,
  slice,
  embed,
  flip,
  roll,
  blocks,
  merge,
  fft,
  convolution,
  derivative,
  gradient,
  cumsum,
  sparse,
  real,
  imag,
  conj,
  scale,
  add,
  adjoint,
  normal,
  normal_of,
  split,
  batch,
  count
};

/// One more operator, or a change of the whole expression. Numbers are taken modulo what is possible.
struct stage {
  verb action = verb::diagonal;
  std::int64_t numbers[4] = {};
  std::uint64_t seed = 0;  ///< Of weights.
};

struct program {
  shape in{};
  std::vector<stage> stages{};
  int devices = 1, ranks = 1;
  std::int64_t batch = 0;   ///< Axes in front; 0: none.
  std::int64_t budget = 0;  ///< Bytes per device; 0: as many as there are.
  bool is_compiled = false;
};

/// A stage for an expression from one shape to another, with numbers that make sense; none where it cannot be.
struct decoded {
  verb action{};
  shape in, out;  ///< Of a new operator.
  std::int64_t a = 0, b = 0, c = 0;
  std::uint64_t seed = 0;
};
[[nodiscard]] std::optional<decoded> decode(const stage& s, const shape& from, const shape& to);

[[nodiscard]] std::int64_t volume(const shape& s);
/// What expressions may have on each side.
inline constexpr std::int64_t most_elements = 60;

struct wanted_programs {
  bool is_short_of_memory = false, is_compiled = false;
};
[[nodiscard]] program generate(std::uint64_t seed, std::uint64_t index, const wanted_programs& wanted);

/// Small integers, alike in the reference and in arrays.
[[nodiscard]] std::vector<std::int64_t> numbers_of(std::uint64_t seed, std::int64_t count);

}  // namespace tessera::fuzz
