#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/geometry/box.h"

namespace tessera::fuzz {

enum class verb : std::uint8_t {
#define TESSERA_VERB(name, weight) name,
#include "tests/nd/fuzz/program/verbs.def"
};

enum class function : std::uint8_t {
#define TESSERA_FUNCTION(name, operands, weight) name,
#include "tests/nd/fuzz/program/operations.def"
};
[[nodiscard]] int operands_of(function f);
[[nodiscard]] const char* name_of(function f);

/// What combines elements along axes.
enum class reduction : std::uint8_t {
  sum,
  prod,
  min,
  max,
  any,
  all,
  argmin,
  argmax,
  mean,
  count_nonzero,
  variance,
  deviation
};
inline constexpr int reductions = 12;
[[nodiscard]] const char* name_of(reduction r);

/// What makes new arrays of the elements of others.
enum class arrangement : std::uint8_t { concat, stack, roll, pad, tile, repeat, diff, resplit, redistribute, balance };
[[nodiscard]] const char* name_of(arrangement a);

/// A number as programs write it, without a type.
struct plain_number {
  enum class sort : std::uint8_t { boolean, integer, real, complex };
  sort kind = sort::integer;
  std::int64_t whole = 0;
  double real = 0, imaginary = 0;
};

/// One index: a place, a slice or a new axis.
struct index_entry {
  enum class form : std::uint8_t { place, slice, new_axis };
  static constexpr std::int64_t open = INT64_MIN;
  form kind = form::slice;
  std::int64_t first = open;  ///< The place, too.
  std::int64_t last = open;
  std::int64_t step = 1;
};

/// One change of what a handle shows, as one call.
struct view_call {
  enum class form : std::uint8_t { index, permute, flip, diagonal, broadcast, reshape };
  form kind{};
  std::vector<index_entry> entries;  ///< index
  extents numbers;                   ///< The axes of `permute`, the shape of `broadcast` and `reshape`.
  int axis = 0, other = 0;           ///< flip, diagonal
  std::int64_t distance = 0;         ///< diagonal
};

/// A part of the array in a slot, or a number.
struct part {
  bool is_number = false;
  plain_number number;
  int slot = 0;
  std::vector<view_call> views;
};

/// Where a new array rests.
enum class placement : std::uint8_t { automatic, axis, mesh, replicated };

inline constexpr int slots = 10;

/// One statement, with everything known. `refused`: the library must throw and change nothing.
struct step {
  verb action{};
  int to = 0;  ///< The slot that gets a new handle.
  bool refused = false;
  part target;  ///< What is written, evaluated, read.
  function called{};
  reduction combined{};
  arrangement arranged{};
  std::array<part, 3> from;
  scalar_kind type{};
  extents shape;  ///< Of a new array; the axes of a reduction, none: all; the counts of `tile`.
  placement where{};
  int axis = 0;
  std::array<std::int64_t, 3> numbers{};  ///< What they say depends on the verb.
};

/// A program: one context, slots that begin empty, and statements.
struct program {
  int ranks = 1;
  std::string kind = "cpu";     ///< Of the devices.
  int devices = 1;              ///< Of each rank.
  bool has_small = true;        ///< Few elements are host values.
  bool is_eager = false;        ///< `eval` behind every statement.
  bool is_compiled = false;     ///< Launches wait for their compiled text.
  bool keeps_on_first = false;  ///< The first rank keeps every handle that others let go.
  std::int64_t budget = 0;      ///< Bytes of memory per device; 0: plenty.
  std::vector<step> steps;
};

}  // namespace tessera::fuzz
