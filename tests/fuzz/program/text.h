#pragma once

#include <string>
#include <utility>

#include "tests/fuzz/program/program.h"
#include "tests/fuzz/program/thread.h"

namespace tessera::fuzz {

/// A random kernel as Tessera is told of it.
struct kernel_text {
  std::string signature;   ///< Arrays p0, p1, ..., then scalars n0, n1, ...
  std::string annotation;  ///< May be empty: no annotation.
  std::vector<std::int64_t> scalars;
  std::vector<std::pair<std::string, std::int64_t>> lets;  ///< For launch_options::let.
  std::vector<std::size_t> tables;  ///< Those of kernel::tables that the annotation names, as `table_name`.
};

[[nodiscard]] kernel_text text_of(const kernel& k, const grid& g);

/// The C++ name of an element type, without namespace.
[[nodiscard]] std::string type_name(element e);

/// The name by which the annotation and printed programs know a bound name.
[[nodiscard]] std::string name_text(const bound& n);

/// The name of one of a kernel's tables.
[[nodiscard]] std::string table_name(std::size_t table);

/// "+", "min", ...
[[nodiscard]] std::string op_text(char op);

}  // namespace tessera::fuzz
