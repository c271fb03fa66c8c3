#pragma once

#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <vector>

namespace tessera::python {

/// Arguments of Python as `nd` takes them. All throw `type_error` for objects of other types.

/// An integer, also NumPy's and an array of one; not a float.
[[nodiscard]] std::int64_t to_integer(nanobind::handle given, const char* what);
/// An integer or a sequence of them.
[[nodiscard]] extents to_shape(nanobind::handle given, const char* what = "a shape");
/// None, an integer or a sequence of them. An empty sequence is a list without axes.
[[nodiscard]] nd::axis_list to_axes(nanobind::handle given);
/// None (automatic), an axis, a tuple of axes, or "replicated".
[[nodiscard]] nd::layout to_layout(nanobind::handle given);
/// What a layout is called in Python.
[[nodiscard]] nanobind::object to_python(const nd::layout& where);
[[nodiscard]] nanobind::tuple to_python(const extents& shape);
/// A sequence of arrays.
[[nodiscard]] std::vector<nd::array> to_arrays(nanobind::handle given);
[[nodiscard]] nanobind::tuple to_python(std::vector<nd::array> arrays);
/// A number; throws `type_error` for anything else.
[[nodiscard]] nd::number require_number(nanobind::handle given, const char* what);
/// Where new arrays go: `split` as of `to_layout`, `device` a context or None.
[[nodiscard]] nd::array_options to_options(nanobind::handle device, nanobind::handle split);

}  // namespace tessera::python
