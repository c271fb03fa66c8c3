#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/source/reach.h"

namespace tessera::kernels {

/// What a variable holds, as far as its type's words tell.
enum class held : std::uint8_t {
  number,   ///< Numbers: integers, floats, `bool`.
  vector,   ///< A structure of CUDA's: `float4`, `dim3`.
  pointer,  ///< To anything.
  unknown,  ///< A type of the user's, or of a template.
};

/// What is known of the names that a kernel's body uses, and how it uses them. Wherever a use is not understood, the
/// answer is the one that keeps results right. Throws `cut_refused` for macros that cannot be followed.
class known_names {
 public:
  known_names(const outline& source, const reach& needed);

  [[nodiscard]] const std::vector<std::string_view>& parameters() const { return in_order_; }
  [[nodiscard]] bool is_parameter(std::string_view name) const { return parameters_.contains(name); }
  [[nodiscard]] held parameter(std::string_view name) const;

  /// A name at namespace scope that no thread changes: constants, enumerators.
  [[nodiscard]] bool is_constant(std::string_view name) const { return constants_.contains(name); }

  /// Whether the source and the kernel leave a name of CUDA's its meaning.
  [[nodiscard]] bool is_free(std::string_view name) const { return !taken_.contains(name); }

  /// What a variable of `type` holds; `auto` counts as a number.
  [[nodiscard]] held of_type(const std::string& type) const;

  /// Whether the tokens in `range` may change the variable `name`.
  [[nodiscard]] bool may_change(token_range range, std::string_view name, held content) const;

  /// Whether they may take an address of `name` (of an array of so many axes), or bind it to a reference.
  [[nodiscard]] bool may_take_address(token_range range, std::string_view name, std::size_t axes) const;

  [[nodiscard]] bool mentions(token_range range, std::string_view name) const;

  /// The tokens of `range` with all macros replaced.
  [[nodiscard]] std::vector<token> expanded(token_range range) const;

 private:
  [[nodiscard]] bool is_number_word(std::string_view word) const;
  [[nodiscard]] bool is_read(const std::vector<token>& code, std::size_t i, held content) const;
  [[nodiscard]] bool is_read_among(const std::vector<token>& code, std::size_t first, std::size_t last) const;
  [[nodiscard]] bool forgets_addresses(std::string_view name) const;
  [[nodiscard]] bool takes_values(const std::vector<token>& code, std::size_t open) const;
  void note_parameters(const declaration& kernel);
  void note_function(const declaration& d);
  void note_declaration(const declaration& d);
  void note_body(token_range body);

  const outline& source_;
  std::vector<std::string_view> in_order_;
  std::set<std::string_view> parameters_, pointers_, numbers_;  // all, and those of two kinds
  std::set<std::string_view> constants_, number_types_;
  std::set<std::string_view> by_value_, by_reference_;  // functions, by what they take
  std::set<std::string_view> taken_types_;              // types of the user's
  std::set<std::string_view> taken_;                    // names that the source or the kernel declares
};

}  // namespace tessera::kernels
