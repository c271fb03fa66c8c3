#pragma once

#include <set>
#include <string_view>

#include "tessera/kernel/barrier/warp_functions.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {

/// A statement of a kernel's body, at any depth.
struct placed_statement {
  token_range range;
  bool in_braces = false;  ///< Stands in a list of statements, not alone behind a head.
};

/// All statements of `body`, each before those inside of it.
[[nodiscard]] std::vector<placed_statement> all_statements(const outline& source, token_range body);

/// Where the threads of a block meet, in a kernel and the functions it reaches.
class meeting_points {
 public:
  explicit meeting_points(const parsed_kernel& source);

  /// A function of the source in which threads meet, also through others.
  [[nodiscard]] bool is_function(std::string_view name) const { return functions_.contains(name); }
  /// Whether threads meet within `range`.
  [[nodiscard]] bool inside(token_range range) const;
  /// Whether the token at `i` is the name of a call at which threads meet, and that has a result or a body.
  [[nodiscard]] bool is_call(std::size_t i) const;

 private:
  const parsed_kernel& source_;
  std::set<std::string_view> functions_;
};

/// The arguments of the call whose parenthesis opens at `open`.
[[nodiscard]] std::vector<token_range> arguments_of(const outline& source, std::size_t open);

}  // namespace tessera::kernels
