#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/geometry/box.h"

namespace tessera::fuzz {

/// Types of elements: `unsigned`, `double` (which holds integers, so that sums are exact in any order) and a struct.
enum class value_kind : std::uint8_t { number, real, cell };

/// One call of a container program. What it does with `numbers` is in resolve.cpp.
enum class verb : std::uint8_t {
#define TESSERA_VERB(name, weight) name,
#include "tests/algo/fuzz/program/verbs.def"
#undef TESSERA_VERB
};
inline constexpr int verb_count = 0
#define TESSERA_VERB(name, weight) +1
#include "tests/algo/fuzz/program/verbs.def"
#undef TESSERA_VERB
    ;

/// Containers of each type of elements and each number of axes, 1 to 3.
inline constexpr int slots = 3;

/// A call as it is drawn. Numbers stand for sizes, indices and contents whatever the containers hold by then, so that
/// every sequence of operations is a program.
struct operation {
  verb action{};
  value_kind type{};  ///< Of the elements of the first container.
  int axes = 1;       ///< Of the first container.
  std::array<int, 3> slot{};
  bool whole = false;  ///< All elements rather than boxes, where that is possible.
  int form = 0;        ///< Which of several ways to say the same.
  std::array<std::int64_t, 9> numbers{};
};

/// A container program: one context, its containers, which begin without elements, and calls.
struct program {
  int ranks = 1;
  std::string kind = "cpu";  ///< Of the devices.
  int devices = 1;           ///< Of each rank.
  std::int64_t budget = 0;   ///< Bytes of memory per device; 0: plenty.
  std::int64_t portion = 0;  ///< Bytes of a portion of host windows; 0: as usual.
  bool shares_all = true;    ///< Launches of few bytes are shared, too.
  std::vector<operation> operations;
};

/// A call with everything known: `form`, indices and boxes are those that are used.
struct step {
  verb action{};
  value_kind type{};
  int axes = 1;
  std::array<int, 3> slot{};
  int form = 0;
  bool refused = false;       ///< A guard excludes it: the library throws and changes nothing.
  bool fresh = false;         ///< The result is a new container, else it goes into `part[0]`.
  std::array<box, 3> part{};  ///< Of the containers in `slot`.
  extents shape{};            ///< Of the result.
  std::array<std::int64_t, 4> n{};
};

}  // namespace tessera::fuzz
