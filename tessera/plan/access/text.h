#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tessera/plan/access/access.h"

namespace tessera::plan {

/// What rules are printed with; names that are missing are printed as numbers.
struct rule_names {
  std::span<const std::string> parameters;    ///< Of the kernel.
  std::span<const std::string> bound;         ///< annotation::names().
  std::span<const std::string> operations{};  ///< Those that the kernel registers.
};

/// "read", "reduce".
[[nodiscard]] std::string_view mode_name(access_mode mode);
/// "read", "reduce(+)". `op` counts for modes that combine.
[[nodiscard]] std::string mode_text(access_mode mode, reduce_op op, std::span<const std::string> operations = {});

/// "32*b+31", as an annotation would have it once its constants are known.
[[nodiscard]] std::string to_string(const expression& e, std::span<const std::string> bound);

/// "table rows: 1000 rows of hash 0x3f6ad0c1b2a49e57".
[[nodiscard]] std::string describe(const interval_table& table);

/// "read input[i-1:i+1]", "reduce(+) sum", "write out as [8, 4] at 2[r, :]".
[[nodiscard]] std::string to_string(const access_rule& rule, const rule_names& names);

}  // namespace tessera::plan
