#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/plan/access/access.h"
#include "tessera/plan/annotation/bind.h"
#include "tessera/plan/annotation/parser.h"
#include "tessera/plan/annotation/syntax.h"

/// The annotation language: text -> syntax (once) -> checked against the kernel (once) -> access pattern (per launch).
namespace tessera::plan {

/// A parsed annotation. A value; cheap to move, immutable once checked, so that threads may share it.
class annotation {
 public:
  [[nodiscard]] std::string_view text() const { return syntax_.text; }
  [[nodiscard]] bool single() const { return syntax_.single; }

  /// The constants that `bind` wants, in the order of bind_context::constants.
  [[nodiscard]] std::span<const constant_slot> constants() const { return syntax_.constants; }

  /// The tables that `bind` wants.
  [[nodiscard]] std::span<const table_slot> tables() const { return syntax_.tables; }

  /// The bound names, in the order of access_pattern::names.
  [[nodiscard]] std::span<const std::string> names() const { return syntax_.names; }

  [[nodiscard]] const annotation_syntax& syntax() const { return syntax_; }

 private:
  friend annotation parse_annotation(std::string_view text, std::span<const std::string> operations);
  friend void check_against(annotation& a, std::span<const struct parameter_info> parameters);
  annotation_syntax syntax_;
};

/// A parameter of the kernel, as its signature has it.
struct parameter_info {
  std::string name;
  bool is_array = false;
  bool is_const = false;  ///< A pointer to const.
};

/// Resolves the names of arrays and scalars to positions in the signature; to be called once, before `bind`.
/// Throws `annotation_error` for a rule on no array or against `const`, and for an array that no rule names.
void check_against(annotation& a, std::span<const parameter_info> parameters);

/// What a kernel without annotation declares: unsplit, pointers to const read whole, other arrays readwritten whole.
[[nodiscard]] access_pattern default_pattern(std::span<const parameter_info> parameters);

}  // namespace tessera::plan
