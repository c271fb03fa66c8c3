#pragma once

#include <Python.h>
#include <tessera/nd.h>

#include <optional>

namespace tessera::python {

/// True for objects that show their memory as numbers (the buffer protocol): NumPy's arrays and scalars, `array.array`.
/// Text and bytes are none.
[[nodiscard]] bool has_numbers(PyObject* given);

/// An array with the elements that an object shows, in any order of memory; converted to `type`, if one is given. Takes
/// a turn. Throws `type_error` for elements that are no numbers.
[[nodiscard]] nd::array copy_of_buffer(PyObject* given, std::optional<scalar_kind> type,
                                       const nd::array_options& options);

/// The letters of the buffer protocol for a type; null for bfloat16, which has none.
[[nodiscard]] const char* buffer_format(scalar_kind kind);

}  // namespace tessera::python
