#pragma once

#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <optional>

namespace tessera::python {

/// The type of elements as Python sees it: one object for each, an attribute of the package.
struct dtype_object {
  scalar_kind kind;
};

/// The name of the standard: "bool", "int8", ...
[[nodiscard]] const char* name_of(scalar_kind kind);
[[nodiscard]] nanobind::object to_python(scalar_kind kind);
/// One of the package's types, `bool`, `int`, `float`, `complex`, a name, or a type of NumPy. Throws `type_error`.
[[nodiscard]] scalar_kind to_kind(nanobind::handle given);
/// As `to_kind`; nothing for None.
[[nodiscard]] std::optional<scalar_kind> to_optional_kind(nanobind::handle given);
/// As `to_kind`; nothing for what is none.
[[nodiscard]] std::optional<scalar_kind> try_kind(nanobind::handle given);

/// The type of floats where a program says none (`set_default_float`).
[[nodiscard]] scalar_kind default_float();

void bind_dtypes(nanobind::module_& module);

}  // namespace tessera::python
