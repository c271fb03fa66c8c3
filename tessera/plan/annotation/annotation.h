#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/plan/access/access.h"
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

  /// The bound names, in the order of access_pattern::names.
  [[nodiscard]] std::span<const std::string> names() const { return syntax_.names; }

  [[nodiscard]] const annotation_syntax& syntax() const { return syntax_; }

 private:
  friend annotation parse_annotation(std::string_view text);
  friend void check_against(annotation& a, std::span<const struct parameter_info> parameters);
  annotation_syntax syntax_;
};

/// A parameter of the kernel, as its signature has it.
struct parameter_info {
  std::string name;
  bool is_array = false;
  bool is_const = false;  ///< A pointer to const.
};

/// Several lines may be joined by line breaks. Throws `annotation_error` with the text, a caret under the column and
/// what was expected there. Length, nesting, constants, rules and expanded lets are limited, and so are time and
/// memory, whatever the text.
[[nodiscard]] annotation parse_annotation(std::string_view text);

/// Resolves the names of arrays and scalars to positions in the signature; to be called once, before `bind`.
/// Throws `annotation_error` for a rule on no array or against `const`, and for an array that no rule names.
void check_against(annotation& a, std::span<const parameter_info> parameters);

/// What a kernel without annotation declares: unsplit, pointers to const read whole, other arrays readwritten whole.
[[nodiscard]] access_pattern default_pattern(std::span<const parameter_info> parameters);

/// What is passed for one parameter of the kernel.
struct array_argument {
  const extents* shape = nullptr;  ///< Of the array or slice; null for scalars and for null arrays, whose rules vanish.
  bool contiguous = true;          ///< False for a slice with gaps: no `as` can be applied to it.
  bool by_value = false;  ///< One element for a parameter that is no pointer: every part of the launch reads it.
};

/// Adds the rules of arguments by value, which no annotation names.
void add_values(access_pattern& pattern, std::span<const array_argument> arrays);

/// What a launch knows. Borrowed for the call.
struct bind_context {
  /// One per annotation::constants(); absent where the launch does not give it.
  std::span<const std::optional<std::int64_t>> constants;
  std::span<const array_argument> arrays;  ///< One per parameter of the kernel.
};

/// The pattern of one launch. Throws `argument_error`, with the text and a caret, for a constant that is missing,
/// overflows or is not positive where it must be, and for indices or views that do not suit the array's shape.
[[nodiscard]] access_pattern bind(const annotation& a, const bind_context& context);

}  // namespace tessera::plan
