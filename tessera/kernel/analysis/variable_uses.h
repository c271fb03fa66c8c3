#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

struct file_variable;

/// How code uses variables at namespace scope, as far as its tokens tell.
class variable_uses {
 public:
  explicit variable_uses(const outline& source);

  struct answer {
    bool used = false;
    bool changed = false;  ///< Perhaps: it is assigned to, or its address goes where it may be written to.
  };
  /// What declaration `n` does to `v`. A local variable of that name is another one.
  [[nodiscard]] answer look(std::size_t n, const file_variable& v) const;

 private:
  using tokens = std::vector<token>;

  [[nodiscard]] const tokens& code_of(std::size_t n) const;
  [[nodiscard]] bool changes(const tokens& code, std::size_t i, const file_variable& v) const;
  /// Whether the call whose parenthesis opens at `open` only reads what it is given.
  [[nodiscard]] bool only_reads(const tokens& code, std::size_t open, bool by_address) const;

  const outline& source_;
  std::multimap<std::string_view, bool> functions_;  // of the source: whether it takes constants and values only
  mutable std::map<std::size_t, tokens> expanded_;   // bodies, macros replaced
};

}  // namespace tessera::kernels
