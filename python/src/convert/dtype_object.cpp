#include "python/src/convert/dtype_object.h"

#include <nanobind/stl/string.h>

#include <array>
#include <string>
#include <string_view>

#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

constexpr std::size_t kinds = static_cast<std::size_t>(scalar_kind::structure);
constexpr std::array<const char*, kinds> names{"bool",     "int8",    "int16",   "int32",     "int64",
                                               "uint8",    "uint16",  "uint32",  "uint64",    "float16",
                                               "bfloat16", "float32", "float64", "complex64", "complex128"};
std::array<PyObject*, kinds> objects{};
scalar_kind chosen_float = scalar_kind::float64;

std::size_t number_of(scalar_kind kind) { return static_cast<std::size_t>(kind); }

std::optional<scalar_kind> find_name(std::string_view name) {
  for (std::size_t k = 0; k < kinds; ++k)
    if (name == names[k]) return static_cast<scalar_kind>(k);
  return {};
}

scalar_kind complex_for(scalar_kind real) {
  return real == scalar_kind::float64 ? scalar_kind::complex128 : scalar_kind::complex64;
}

std::optional<scalar_kind> kind_of_builtin(PyObject* given) {
  if (given == reinterpret_cast<PyObject*>(&PyBool_Type)) return scalar_kind::boolean;
  if (given == reinterpret_cast<PyObject*>(&PyLong_Type)) return scalar_kind::int64;
  if (given == reinterpret_cast<PyObject*>(&PyFloat_Type)) return chosen_float;
  if (given == reinterpret_cast<PyObject*>(&PyComplex_Type)) return complex_for(chosen_float);
  return {};
}

std::optional<scalar_kind> kind_of_name(nb::handle name) {
  if (!nb::isinstance<nb::str>(name)) return {};
  std::string text = nb::cast<std::string>(name);
  if (text == "bool_") text = "bool";  // NumPy's class
  return find_name(text);
}

}  // namespace

const char* name_of(scalar_kind kind) { return names[number_of(kind)]; }

nb::object to_python(scalar_kind kind) { return nb::borrow(objects[number_of(kind)]); }

std::optional<scalar_kind> try_kind(nb::handle given) {
  dtype_object* own = nullptr;
  if (nb::try_cast(given, own) && own != nullptr) return own->kind;
  if (const auto builtin = kind_of_builtin(given.ptr())) return builtin;
  if (const auto named = kind_of_name(given)) return named;
  // numpy.dtype objects have a `name`, its classes of scalars a `__name__`.
  for (const char* attribute : {"name", "__name__"})
    if (const nb::object name = nb::getattr(given, attribute, nb::none()); !name.is_none())
      if (const auto named = kind_of_name(name)) return named;
  return {};
}

scalar_kind to_kind(nb::handle given) {
  if (const auto found = try_kind(given)) return *found;
  throw type_error(cat(nb::repr(given).c_str(),
                       " is no type of elements; those are bool, int8 to int64, uint8 to uint64, float16, "
                       "bfloat16, float32, float64, complex64 and complex128"));
}

std::optional<scalar_kind> to_optional_kind(nb::handle given) {
  if (given.is_none()) return {};
  return to_kind(given);
}

scalar_kind default_float() { return chosen_float; }

void bind_dtypes(nb::module_& module) {
  nb::class_<dtype_object>(module, "dtype", nb::is_final(), "The type of an array's elements.")
      .def_prop_ro("name", [](const dtype_object& d) { return name_of(d.kind); })
      .def_prop_ro("itemsize", [](const dtype_object& d) { return dtype::make(d.kind).size; })
      .def("__repr__", [](const dtype_object& d) { return std::string("tessera.") + name_of(d.kind); })
      .def("__str__", [](const dtype_object& d) { return name_of(d.kind); })
      .def("__hash__", [](const dtype_object& d) { return number_of(d.kind) + 1; })
      .def("__reduce__", [](const dtype_object& d) { return nb::str(name_of(d.kind)); })
      .def(
          "__eq__", [](const dtype_object& d, nb::handle other) { return try_kind(other) == d.kind; }, nb::arg().none())
      .def(
          "__ne__", [](const dtype_object& d, nb::handle other) { return try_kind(other) != d.kind; },
          nb::arg().none());
  for (std::size_t k = 0; k < kinds; ++k) {
    const nb::object made = nb::cast(dtype_object{static_cast<scalar_kind>(k)});
    objects[k] = nb::object(made).release().ptr();
    module.attr(names[k]) = made;
  }
  module.def("default_float", [] { return to_python(chosen_float); });
  module.def("default_complex", [] { return to_python(complex_for(chosen_float)); });
  module.def("set_default_float", [](nb::handle given) {
    const scalar_kind kind = to_kind(given);
    if (kind != scalar_kind::float32 && kind != scalar_kind::float64)
      throw argument_error(cat("the default type of floats is float32 or float64, not ", name_of(kind)));
    chosen_float = kind;
  });
  module.def(
      "to_dtype", [](nb::handle given) { return to_python(to_kind(given)); }, nb::arg().none());
  module.def(
      "try_dtype",
      [](nb::handle given) -> nb::object {
        const auto found = try_kind(given);
        return found ? to_python(*found) : nb::none();
      },
      nb::arg().none());
  module.def("promoted",
             [](const dtype_object& a, const dtype_object& b) { return to_python(nd::promoted(a.kind, b.kind)); });
  module.def("promoted_with", [](const dtype_object& a, int sort) {
    return to_python(nd::promoted(a.kind, static_cast<nd::weak_kind>(sort), chosen_float));
  });
  module.def("can_store",
             [](const dtype_object& to, const dtype_object& from) { return nd::can_store(to.kind, from.kind); });
}

}  // namespace tessera::python
