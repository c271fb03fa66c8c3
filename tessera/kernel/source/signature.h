#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/reduction.h"
#include "tessera/kernel/analysis/variables.h"
#include "tessera/kernel/source/features.h"
#include "tessera/kernel/source/preprocess.h"

namespace tessera::kernels {

struct parameter {
  std::string name;       ///< Empty if the kernel leaves it out.
  std::string type_text;  ///< As written, without the name: "const float* __restrict__".
  bool is_pointer = false;
  bool is_const = false;   ///< A pointer's target, or the scalar itself.
  dtype type;              ///< The element type of a pointer, or the scalar's type.
  bool is_struct = false;  ///< `type` is a structure whose size only the compiled module knows.
  std::string structure;   ///< Its name, without qualifiers.
  /// The operation by whose atomics alone the kernel reaches what it points at, without using what they return.
  std::optional<reduce_op> accumulates;
};

/// A kernel as its author wrote it, parsed once and never changed.
struct kernel_text {
  std::string name;
  std::string scope;   ///< Enclosing namespaces: "a::b::", or empty.
  std::string file;    ///< As given; what errors and `#line` say.
  std::string source;  ///< The whole text, with the user's own headers put in place, then `reduction_functions`.
  std::size_t file_bytes = 0;  ///< Of `source`, without these.
  std::uint32_t line = 0;      ///< Of the kernel's name.
  std::vector<parameter> parameters;
  std::string annotation;  ///< Joined text behind `//@tessera`; empty if there is none.
  std::uint32_t annotation_line = 0;
  std::string include_directory;  ///< Where headers that could not be put in place are looked for.
  define_list defines;
  std::optional<bool> fused;  ///< Whether a * b + c may be rounded once; by default on GPUs only.
  bool is_generated = false;  ///< By a front end: the program does not have the text, so that errors show it.
  feature_set features;
  std::vector<file_variable> variables;  ///< Of the whole file, with how this kernel uses them.
  std::vector<registered_reduction> reductions;
};

/// The names of the kernels in `source` (also of templates), in order.
[[nodiscard]] std::vector<std::string> list_kernels(const std::string& source, const define_list& defines = {});

/// Parses the kernel `kernel_name` of `source`, or its only kernel if the name is empty. Reads the headers that
/// `source` includes from the folder of `file`. Throws `argument_error` as `check_reductions`, and `compile_error`,
/// with file, line and column, for what cannot be parsed or never supported (templates, textures, pointers to pointers,
/// grid-wide synchronisation, ...).
[[nodiscard]] kernel_text parse_kernel(const std::string& source, std::string file, const std::string& kernel_name = {},
                                       define_list defines = {}, std::span<const registered_reduction> reductions = {});

}  // namespace tessera::kernels
