#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "tessera/base/call_site.h"
#include "tessera/nd/shape/axis_list.h"

namespace tessera::nd {

/// What a slice leaves open: from the first element, or behind the last.
struct open_end {};
inline constexpr open_end end{};

/// Elements first, first + step, ... of an axis, up to `last` and without it; negative places count from the end, and
/// places beyond an axis stop at it, as in Python. `nd::_(1, -1)`, `nd::_(0, nd::end, 2)`, `nd::all`.
struct slice {
  static constexpr std::int64_t open = std::numeric_limits<std::int64_t>::min();
  std::int64_t first = open;
  std::int64_t last = open;
  std::int64_t step = 1;
};

class array;
/// As an index, all of an axis; as a function, whether all elements are true, along axes (ops/reduce.h).
struct all_elements : slice {
  [[nodiscard]] array operator()(const array& a, const axis_list& along = {}, bool keepdims = false,
                                 call_site here = call_site::current()) const;
};
inline constexpr all_elements all{};

/// A place of a slice, or its open end.
struct slice_place {
  std::int64_t at = slice::open;
  constexpr slice_place(std::int64_t place) : at(place) {}  // NOLINT: places are numbers
  constexpr slice_place(int place) : at(place) {}           // NOLINT
  constexpr slice_place(open_end) {}                        // NOLINT
};
[[nodiscard]] constexpr slice _(slice_place first, slice_place last, std::int64_t step = 1) {
  return {first.at, last.at, step};
}

/// A slice of an axis with a length: `count` elements from `first` on.
struct resolved_slice {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t step = 1;
  bool operator==(const resolved_slice&) const = default;
};
/// Throws `argument_error` for a step of 0.
[[nodiscard]] resolved_slice resolve(const slice& wanted, std::int64_t length, call_site here = {});
/// The place of a single index, which may be negative. Throws `argument_error`, naming the axis, if it is beyond.
[[nodiscard]] std::int64_t resolve_index(std::int64_t index, std::int64_t length, int axis, call_site here = {});

/// "1:-1", "::2".
[[nodiscard]] std::string to_string(const slice& s);

}  // namespace tessera::nd
