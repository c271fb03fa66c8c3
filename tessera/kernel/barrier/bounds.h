#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

/// `threadIdx.x < limit` or `threadIdx.x / 32 < limit`: holds for threads next to each other; `threadIdx.x % 32 ==
/// limit` for threads with one distance between them.
struct index_bound {
  int axis = 0;               ///< x, y, z.
  std::string_view relation;  ///< "<", "<=", ">", ">=" or "==".
  token_range limit;          ///< Must be the same for all threads.
  std::string type;           ///< Of what is compared with the limit.
  std::string divisor;        ///< Of the index before it is compared: "32"; empty if there is none.
  bool remainder = false;     ///< It is the remainder that is compared.
};

/// `threadIdx.x`, `threadIdx.x / 32`, `threadIdx.x >> 5`, `threadIdx.x % 32`, `threadIdx.x & 31`: the axis, divisor and
/// remainder of a bound. Nothing for any other expression.
[[nodiscard]] std::optional<index_bound> read_index(const outline& source, token_range range);

/// Whether every index of a thread has its own value in a type.
[[nodiscard]] bool holds_index(const std::string& type);

/// Which conditions become the bounds of loops.
struct bound_filter {
  bool any = true;
  std::set<std::size_t> plain;  ///< Positions of `if` that stay as they are.
};

/// Reads the condition `index < limit`, where the index is `threadIdx.x` or a variable of `declared`, that is a name
/// which holds it as long as it lives. `index_of` gives the declaration of a name, if there is one of a plain variable.
class bound_reader {
 public:
  bound_reader(const outline& source, token_range body) : source_(source), body_(body) {}

  /// `found` is the declaration that the first name of the condition means; null if there is none.
  [[nodiscard]] std::optional<index_bound> read(token_range condition, const declarator* found) const;

 private:
  [[nodiscard]] bool is_never_changed(std::string_view name) const;

  const outline& source_;
  token_range body_;
};

}  // namespace tessera::kernels
