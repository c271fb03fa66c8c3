#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "tessera/kernel/outline.h"
#include "tessera/kernel/reach.h"

namespace tessera::kernels {

/// What is known of the names that a kernel's body may use.
class known_names {
 public:
  known_names(const outline& source, const reach& needed);

  /// A parameter of the kernel; of those, the ones that are no pointers.
  [[nodiscard]] bool is_parameter(std::string_view name) const { return parameters_.contains(name); }
  [[nodiscard]] bool is_scalar_parameter(std::string_view name) const { return scalars_.contains(name); }
  [[nodiscard]] const std::vector<std::string_view>& parameters() const { return in_order_; }

  /// A name at namespace scope that no thread changes: constants, enumerators.
  [[nodiscard]] bool is_constant(std::string_view name) const { return constants_.contains(name); }

  /// Whether the kernel's tokens in `range` may change the variable `name`: an assignment, its address taken, a call
  /// that could take it by reference. Macros are looked into.
  [[nodiscard]] bool may_change(token_range range, std::string_view name) const;

  /// Whether they may take the address of `name`, or of a part of it if it is an array of so many axes.
  [[nodiscard]] bool may_point_at(token_range range, std::string_view name, std::size_t axes) const;

  /// Whether they mention it at all.
  [[nodiscard]] bool mentions(token_range range, std::string_view name) const { return source_.mentions(range, name); }

 private:
  const outline& source_;
  std::vector<std::string_view> in_order_;
  std::set<std::string_view> parameters_, scalars_, constants_;
  std::set<std::string_view> by_reference_;  // functions with a parameter that is a reference
};

}  // namespace tessera::kernels
