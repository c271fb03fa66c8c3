#pragma once

#include <Python.h>
#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <utility>

#include "python/src/call/turn.h"

namespace tessera::python {

/// What an array of Python holds.
struct held_array {
  nd::array value;

  explicit held_array(nd::array given) : value(std::move(given)) {}
  held_array(held_array&&) = default;
  held_array(const held_array&) = delete;
  ~held_array() {
    if (!value.is_null()) retire(std::move(value));
  }
};

/// The class, once `bind_array` has made it.
extern PyTypeObject* array_class;

[[nodiscard]] inline bool is_array(PyObject* o) { return Py_TYPE(o) == array_class; }
[[nodiscard]] inline nd::array& array_in(PyObject* o) { return nanobind::inst_ptr<held_array>(o)->value; }
/// The array that `o` is; throws `type_error` for anything else.
[[nodiscard]] nd::array& require_array(nanobind::handle o);

/// A new object.
[[nodiscard]] inline PyObject* wrap(nd::array made) {
  nanobind::object o = nanobind::inst_alloc(reinterpret_cast<PyObject*>(array_class));
  new (nanobind::inst_ptr<held_array>(o)) held_array(std::move(made));
  nanobind::inst_mark_ready(o);
  return o.release().ptr();
}
[[nodiscard]] inline nanobind::object to_python(nd::array made) { return nanobind::steal(wrap(std::move(made))); }

}  // namespace tessera::python
