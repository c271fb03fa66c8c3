#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/kernel/source/outline.h"

namespace tessera::kernels {

struct reach;

/// A `__constant__` or `__device__` variable at namespace scope of a kernel's file.
struct file_variable {
  /// What it holds before anything sets or changes it.
  enum class beginning : std::uint8_t {
    nothing,      ///< `__constant__` without an initialiser: the program must set it.
    zeros,        ///< As for all static variables of CUDA, or its initialiser says so.
    initialiser,  ///< What only the compiled module knows.
  };

  std::string name;                      ///< With its namespaces.
  std::string type_text;                 ///< "float[4][2]".
  dtype type;                            ///< Of an element.
  bool is_struct = false;                ///< `type` is a structure whose size only the compiled module knows.
  std::size_t axes = 0;                  ///< Of an array; 0 if it is none.
  std::optional<std::int64_t> elements;  ///< Nothing where only the compiled module knows.
  bool is_constant = false;              ///< `__constant__`, else `__device__`.
  bool is_const = false;                 ///< `const` or `constexpr`: nothing sets it.
  bool holds_addresses = false;          ///< A pointer: what it holds is true on one device only.
  beginning begins = beginning::nothing;
  std::uint32_t line = 0;
  std::size_t declaration = 0;  ///< Index into `outline::declarations`.

  bool reached = false;          ///< The kernel, or what it needs, uses it.
  bool changed = false;          ///< The kernel, or what it needs, may change it.
  bool changed_in_file = false;  ///< Some code for devices of the file may change it.

  /// Where tokens tell.
  [[nodiscard]] std::optional<std::int64_t> bytes() const {
    if (is_struct || !elements) return std::nullopt;
    return *elements * static_cast<std::int64_t>(type.size);
  }
};

/// The variables of a source, in order, without how they are used. Throws `compile_error` for one that is declared
/// together with its type.
[[nodiscard]] std::vector<file_variable> list_variables(const outline& source, const token_list& list);

/// The variables of a source that a kernel needs, with how it uses them: decided on tokens, in doubt as changed.
[[nodiscard]] std::vector<file_variable> find_variables(const outline& source, const reach& needed,
                                                        const token_list& list);

/// A kernel for the end of a source, which copies the bytes of a variable, with its namespaces, to its argument.
[[nodiscard]] std::string variable_reader(const std::string& variable);
inline constexpr const char* variable_reader_name = "tessera_variable_reader";

}  // namespace tessera::kernels
