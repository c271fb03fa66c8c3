#pragma once

#include <nanobind/nanobind.h>

/// One group of names each, added to `tessera._core`.
namespace tessera::python {

void bind_array(nanobind::module_& module);
void bind_creation(nanobind::module_& module);
void bind_elementwise(nanobind::module_& module);
void bind_exchange(nanobind::module_& module);
void bind_fft(nanobind::module_& module);
void bind_linalg(nanobind::module_& module);
void bind_order(nanobind::module_& module);
void bind_random(nanobind::module_& module);
void bind_reduction(nanobind::module_& module);
void bind_report(nanobind::module_& module);
void bind_shape(nanobind::module_& module);

/// The slots of the class of arrays: numbers, indices.
[[nodiscard]] PyType_Slot* array_slots();

/// The methods of arrays that are reductions.
[[nodiscard]] PyMethodDef* reduction_methods();

/// `a[key]` and `a[key] = value`; with null, deletion, which is refused.
[[nodiscard]] PyObject* get_item(PyObject* self, PyObject* key) noexcept;
[[nodiscard]] int set_item(PyObject* self, PyObject* key, PyObject* value) noexcept;

}  // namespace tessera::python
