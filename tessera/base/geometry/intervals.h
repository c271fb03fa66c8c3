#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

namespace tessera {

/// A table of half-open intervals of integers, for indices of annotations (rule H16). Rows may be empty, equal, overlap
/// and come in any order. Immutable; copies share the rows, so that a table is made once and given to many launches.
class intervals {
 public:
  /// lo <= x < hi.
  struct row {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    [[nodiscard]] bool empty() const { return lo == hi; }
    bool operator==(const row&) const = default;
  };

  intervals();
  /// Throws `argument_error` with the first row that ends before it begins.
  explicit intervals(const std::vector<row>& rows);
  intervals(std::initializer_list<std::pair<std::int64_t, std::int64_t>> rows);
  explicit intervals(std::initializer_list<std::int64_t> offsets)
      : data_(from_offsets({offsets.begin(), offsets.end()})) {}
  /// Of pairs or of structures with members `lo` and `hi`, as above.
  template <std::ranges::input_range Range>
  requires(!std::integral<std::ranges::range_value_t<Range>> && !std::same_as<Range, std::vector<row>> &&
           !std::same_as<Range, intervals>) explicit intervals(const Range& rows)
      : intervals(rows_of(rows)) {}
  /// Of offsets, as sparse matrices have them (CSR): row r is offsets[r] <= x < offsets[r + 1]. Throws `argument_error`
  /// with the first offset that is below the one before it.
  template <std::ranges::input_range Range>
  requires std::integral<std::ranges::range_value_t<Range>>
  explicit intervals(const Range& offsets) : data_(from_offsets(numbers_of(offsets))) {}

  /// The number of rows.
  [[nodiscard]] std::int64_t size() const;
  /// Row `number`, which exists; an empty one is given as [0, 0).
  [[nodiscard]] row operator[](std::int64_t number) const;
  /// Equal on all machines for tables with equal rows; whatever is empty counts as equal.
  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] bool operator==(const intervals& other) const;
  /// Tells tables apart that are alive at the same time; copies of one have the same.
  [[nodiscard]] const void* identity() const { return data_.get(); }

  /// The union of rows first <= r <= last, of those that exist, within lo <= x < hi: ascending intervals that do not
  /// touch, appended to `out`. Takes a bisection and time in proportion to the answer where rows ascend, and to the
  /// stretches of rows that do, where not all of them do.
  void append_union(std::int64_t first, std::int64_t last, row within, std::vector<row>& out) const;
  /// The smallest interval around these rows, in the time of a bisection; empty if they are.
  [[nodiscard]] row bounds(std::int64_t first, std::int64_t last) const;
  /// True if no row that has elements begins before one with a smaller number does, nor ends before that one ends.
  [[nodiscard]] bool ascends() const;
  /// The first row from `first` on that has elements; `size()` if there is none.
  [[nodiscard]] std::int64_t next_filled(std::int64_t first) const;

 private:
  struct table;

  static std::shared_ptr<const table> from_offsets(std::vector<std::int64_t> offsets);
  [[noreturn]] static void refuse_number(std::size_t position);

  template <class Range>
  static std::vector<row> rows_of(const Range& from) {
    std::vector<row> rows;
    if constexpr (std::ranges::sized_range<const Range>)
      rows.reserve(static_cast<std::size_t>(std::ranges::size(from)));
    for (const auto& r : from)
      if constexpr (requires { r.lo, r.hi; })
        rows.push_back({checked(r.lo, rows.size()), checked(r.hi, rows.size())});
      else
        rows.push_back({checked(r.first, rows.size()), checked(r.second, rows.size())});
    return rows;
  }
  template <class Range>
  static std::vector<std::int64_t> numbers_of(const Range& from) {
    std::vector<std::int64_t> numbers;
    if constexpr (std::ranges::sized_range<const Range>)
      numbers.reserve(static_cast<std::size_t>(std::ranges::size(from)));
    for (const auto n : from) numbers.push_back(checked(n, numbers.size()));
    return numbers;
  }
  template <std::integral Int>
  static std::int64_t checked(Int n, std::size_t position) {
    if (!std::in_range<std::int64_t>(n)) refuse_number(position);
    return static_cast<std::int64_t>(n);
  }

  std::shared_ptr<const table> data_;
};

}  // namespace tessera
