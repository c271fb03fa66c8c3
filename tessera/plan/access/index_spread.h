#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// How far the indices that threads touch lie from the values of the bound names: from this follows a rule that
/// declares them, where they are a name and a small constant, or a few constants.
class index_spread {
 public:
  /// Of indices on `axes` axes by threads that have `names` bound names.
  index_spread(int axes, std::size_t names);

  /// A thread touches `at`. `values` are single values (`name_values`); a name without one cannot be used.
  void add(const extents& at, std::span<const interval> values);
  void join(const index_spread& other);
  [[nodiscard]] bool empty() const { return samples_ == 0; }

  /// An index per axis, as tight as the samples allow: a name with constants that are at most `most_offset`, constants,
  /// or all of the axis; none at all if that is all of every axis. Of several names that would do, one of `preferred`
  /// (by axis, bit n for name n; may be shorter) is taken.
  [[nodiscard]] std::vector<index_range> indices(std::span<const std::uint32_t> preferred = {}) const;
  static constexpr std::int64_t most_offset = 32;

 private:
  struct range {
    std::int64_t lo = 0, hi = 0;
    bool known = true;
    void add(std::int64_t value, bool first);
  };
  [[nodiscard]] const range* best_name(std::size_t axis, std::uint32_t preferred) const;
  [[nodiscard]] index_range index_of(std::size_t axis, std::uint32_t preferred) const;

  std::size_t axes_, names_;
  std::int64_t samples_ = 0;
  std::vector<range> values_;   // per axis
  std::vector<range> offsets_;  // per axis and name: of the index from the name's value
};

}  // namespace tessera::plan
