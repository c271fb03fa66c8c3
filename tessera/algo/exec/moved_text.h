#pragma once

#include <string>

#include "tessera/algo/exec/call.h"

namespace tessera::algo {

/// An argument of a call whose elements, or numbers, kernels take at other places than their own: in texts that count
/// elements with `i`, as the parameter `name`.
struct moved_text {
  const bound_argument& argument;
  std::string name;

  /// ", const float* a0, long long a0at, ...", of elements.
  [[nodiscard]] std::string parameters() const;
  /// ", read a0[lo + a0at : hi + a0at]"; `flat`: the array in an annotation.
  [[nodiscard]] std::string rule(const std::string& flat) const;
  /// What is taken for the element `index`. `all_exist`: where `condition` holds.
  [[nodiscard]] std::string value(const std::string& index, bool all_exist) const;
  /// That elements lo <= i < hi take none from beyond the ends; empty if they never do.
  [[nodiscard]] std::string condition(const std::string& lo, const std::string& hi) const;
};

/// True if a counting sequence does not begin at its first number, or counts backwards.
[[nodiscard]] bool is_moved_counting(const bound_argument& a);

}  // namespace tessera::algo
