#include "python/src/convert/arguments.h"

#include <nanobind/stl/string_view.h>

#include "python/src/convert/device_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

bool is_sequence(nb::handle given) { return PyTuple_Check(given.ptr()) || PyList_Check(given.ptr()); }

std::vector<std::int64_t> to_integers(nb::handle given, const char* what) {
  std::vector<std::int64_t> values;
  for (const nb::handle each : given) values.push_back(to_integer(each, what));
  return values;
}

int to_axis(nb::handle given) {
  const std::int64_t axis = to_integer(given, "an axis");
  if (axis < -max_rank || axis >= max_rank)
    throw argument_error(cat("axis ", axis, ": arrays have ", max_rank, " axes at most"));
  return static_cast<int>(axis);
}

std::vector<int> to_axis_numbers(nb::handle given) {
  std::vector<int> axes;
  for (const nb::handle each : given) axes.push_back(to_axis(each));
  return axes;
}

}  // namespace

std::int64_t to_integer(nb::handle given, const char* what) {
  if (!PyIndex_Check(given.ptr()))
    throw type_error(cat(what, " of the type ", Py_TYPE(given.ptr())->tp_name, ": an integer is needed"));
  const nb::object whole = nb::steal(PyNumber_Index(given.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  const long long value = PyLong_AsLongLong(whole.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value;
}

extents to_shape(nb::handle given, const char* what) {
  if (!is_sequence(given)) return {to_integer(given, what)};
  return extents(to_integers(given, what));
}

nd::axis_list to_axes(nb::handle given) {
  if (given.is_none()) return {};
  if (!is_sequence(given)) return {to_axis(given)};
  return nd::axis_list(std::span<const int>(to_axis_numbers(given)), call_site{});
}

nd::layout to_layout(nb::handle given) {
  if (given.is_none()) return {};
  if (nb::isinstance<nb::str>(given)) {
    if (nb::cast<std::string_view>(given) == "replicated") return nd::layout::replicated();
    throw argument_error(cat("split=", nb::repr(given).c_str(), ": an axis, a tuple of axes, 'replicated' or None"));
  }
  if (!is_sequence(given)) return nd::layout(to_axis(given));
  return nd::layout(std::span<const int>(to_axis_numbers(given)), call_site{});
}

nb::object to_python(const nd::layout& where) {
  switch (where.kind()) {
    case nd::layout::form::axes: {
      if (where.axes().size() == 1) return nb::int_(where.axes()[0]);
      nb::list axes;
      for (const int axis : where.axes()) axes.append(axis);
      return nb::tuple(axes);
    }
    case nd::layout::form::replicated:
      return nb::str("replicated");
    case nd::layout::form::listed:
      return nb::str("listed");
    default:
      return nb::none();
  }
}

nb::tuple to_python(const extents& shape) {
  nb::object made = nb::steal(PyTuple_New(shape.rank()));
  for (int k = 0; k < shape.rank(); ++k) PyTuple_SET_ITEM(made.ptr(), k, PyLong_FromLongLong(shape[k]));
  return nb::borrow<nb::tuple>(made);
}

std::vector<nd::array> to_arrays(nb::handle given) {
  std::vector<nd::array> arrays;
  for (const nb::handle each : given) arrays.push_back(require_array(each));
  return arrays;
}

nb::tuple to_python(std::vector<nd::array> arrays) {
  nb::list made;
  for (nd::array& each : arrays) made.append(to_python(std::move(each)));
  return nb::tuple(made);
}

nd::number require_number(nb::handle given, const char* what) {
  if (const auto value = to_number(given.ptr())) return *value;
  throw type_error(cat(what, " of the type ", Py_TYPE(given.ptr())->tp_name, ": a number is needed"));
}

nd::array_options to_options(nb::handle device, nb::handle split) {
  return {to_layout(split), to_optional_context(device)};
}

}  // namespace tessera::python
