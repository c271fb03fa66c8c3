#pragma once

#include <nanobind/nanobind.h>

#include <utility>

namespace tessera::python {

/// Makes the classes of exceptions: `Error` and one for each kind of `base/error.h`, which is a builtin, too; has
/// functions of nanobind raise them.
void bind_exceptions(nanobind::module_& module);

/// Sets Python's error to the exception that is being handled.
void raise_current() noexcept;

/// What `body` returns, for functions that CPython calls; null, with an error set, if it throws.
template <class Body>
PyObject* guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}

}  // namespace tessera::python
