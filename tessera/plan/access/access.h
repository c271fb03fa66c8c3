#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/base/geometry/box.h"
#include "tessera/base/geometry/intervals.h"
#include "tessera/base/reduction.h"
#include "tessera/plan/access/expression.h"

/// Which elements a part of a launch touches: a pure function from a box of thread blocks to boxes of elements.
/// An annotation whose constants are known compiles to these values; they hold integers only and can be serialised.
namespace tessera::plan {

enum class access_mode : std::uint8_t { none, read, write, readwrite, reduce, atomic };

[[nodiscard]] constexpr bool reads(access_mode m) { return m == access_mode::read || m == access_mode::readwrite; }
[[nodiscard]] constexpr bool writes(access_mode m) { return m == access_mode::write || m == access_mode::readwrite; }
[[nodiscard]] constexpr bool combines(access_mode m) { return m == access_mode::reduce || m == access_mode::atomic; }

/// A name bound by the annotation: where its interval comes from. Axis 0 is x.
struct bound_name {
  enum class kind : std::uint8_t { global, block, local };
  kind from = kind::global;
  int axis = 0;
  std::optional<std::int64_t> below;  ///< `name < c`: clips the name.
  bool operator==(const bound_name&) const = default;
};

/// A table of intervals that a launch gives under a name (rule H16).
struct interval_table {
  std::string name;
  intervals rows;
  bool operator==(const interval_table&) const = default;
};

/// One axis of a rule: the elements first, first + step, ... up to and including last. Absent ends are the array's own.
/// With a table: the elements of its rows `first`, all together; `last` is equal to `first`, and `step` is 1.
struct index_range {
  std::optional<expression> first;
  std::optional<expression> last;
  std::int64_t step = 1;
  std::shared_ptr<const interval_table> table{};
  bool operator==(const index_range& other) const;
};

/// The index `name(row)`.
[[nodiscard]] index_range rows_of_table(std::shared_ptr<const interval_table> table, const expression& row);

/// `A as [h, w] at off`: the array's flat storage seen row-major in another shape, `offset` elements in.
struct storage_view {
  extents shape;
  std::int64_t offset = 0;
  bool operator==(const storage_view&) const = default;
};

/// One rule of an annotation for one kernel parameter.
struct access_rule {
  int parameter = 0;  ///< Position in the kernel's signature.
  access_mode mode = access_mode::read;
  reduce_op op = reduce_op::add;  ///< For reduce and atomic; a registered one is meant by its number in the kernel.
  std::optional<storage_view> view;
  std::vector<index_range> indices;  ///< One per axis of the array (or view); empty: the whole array.
  bool operator==(const access_rule&) const = default;
};

/// Everything a launch declares.
struct access_pattern {
  std::vector<bound_name> names;
  std::vector<access_rule> rules;
  bool single = false;  ///< Never split.
  bool operator==(const access_pattern&) const = default;
};

/// The different tables of a pattern, in the order in which its rules name them.
[[nodiscard]] std::vector<std::shared_ptr<const interval_table>> tables_of(const access_pattern& pattern);
[[nodiscard]] bool uses_table(const access_rule& rule);

/// The index space of a launch: `size` points (threads) on up to eight axes, cut only at multiples of `granule`
/// (the thread block). Axis 0 is x.
struct domain {
  extents size;
  extents granule;

  /// Granules (thread blocks) per axis: size over granule, rounded up.
  [[nodiscard]] extents granules() const;
  /// The points of a box of granules; those of the last granules beyond `size` do not count.
  [[nodiscard]] box points(const box& granules) const;
  bool operator==(const domain&) const = default;
};

/// Whether points of the last granule beyond `domain::size` count.
enum class padding : bool { exclude, include };

/// The intervals of all names for the granules `part`. Names whose interval is empty make every rule that uses them
/// empty.
[[nodiscard]] std::vector<interval> name_intervals(std::span<const bound_name> names, const domain& d, const box& part,
                                                   padding pad);
/// Puts the intervals into `out`, whose old contents are dropped and whose storage is reused.
void name_intervals(std::span<const bound_name> names, const domain& d, const box& part, padding pad,
                    std::vector<interval>& out);

/// The intervals of all names for one thread, `thread` of `block`: single values, or nothing behind the limit of a
/// name.
void name_values(std::span<const bound_name> names, const domain& d, const extents& block, const extents& thread,
                 std::vector<interval>& out);

/// Appends the boxes that `rule` touches in an array of shape `shape`, clipped to it; nothing if empty. One box, or
/// several if rows of a view or of a table do not lie together. A strided rule gives its hull. Exact for points,
/// slices, tables and views; at most `max_boxes_per_rule` boxes, else their hull, or for a table boxes that fill its
/// narrowest gaps. Returns false where that was done: they may then hold elements that even a dense rule does not
/// touch.
bool evaluate(const access_rule& rule, std::span<const interval> names, const extents& shape, std::vector<box>& out);
inline constexpr std::size_t max_boxes_per_rule = 4096;

/// Appends one box around all that `evaluate` gives for these intervals, and for any inside them, whether it takes a
/// hull or not; nothing if that is empty.
void evaluate_bounds(const access_rule& rule, std::span<const interval> names, const extents& shape,
                     std::vector<box>& out);

/// True if every element of the hull that `evaluate` gives is touched, whatever the intervals: no step, no product
/// or modulus that leaves gaps, no name on two axes. Written rules that are not dense are planned as readwrite.
/// Without `names` the bound names are taken to be independent of each other; with them, `global` and `block` of one
/// axis in one rule, which are not, count as gaps.
[[nodiscard]] bool is_dense(const access_rule& rule);
[[nodiscard]] bool is_dense(const access_rule& rule, std::span<const bound_name> names);

}  // namespace tessera::plan
