#include "python/src/convert/operand.h"

#include <nanobind/nanobind.h>

#include "python/src/convert/buffer.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

bool is_floating(const taken_operand* beside) {
  return beside != nullptr && !beside->is_number() && beside->elements().type(call_site{}) >= scalar_kind::float16;
}

[[noreturn]] void refuse_as_array(PyObject* given) {
  throw type_error(cat("an array was expected, not an object of the type ", Py_TYPE(given)->tp_name));
}

nd::number whole_number(PyObject* given, bool as_double) {
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(given, &overflow);
  if (small == -1 && overflow == 0 && PyErr_Occurred() != nullptr) throw nb::python_error();
  if (overflow == 0) return {small};
  if (overflow > 0) {
    const unsigned long long large = PyLong_AsUnsignedLongLong(given);
    if (PyErr_Occurred() == nullptr) return {large};
    PyErr_Clear();
  }
  if (!as_double) throw range_error(cat("the integer ", nb::str(nb::handle(given)).c_str(), " has more than 64 bits"));
  const double real = PyLong_AsDouble(given);
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return {real};
}

}  // namespace

std::optional<nd::number> to_number(PyObject* given, bool as_double) {
  if (PyFloat_Check(given)) return nd::number(PyFloat_AS_DOUBLE(given));
  if (PyBool_Check(given)) return nd::number(given == Py_True);
  if (PyLong_Check(given)) return whole_number(given, as_double);
  if (PyComplex_Check(given))
    return nd::number(std::complex(PyComplex_RealAsDouble(given), PyComplex_ImagAsDouble(given)));
  return {};
}

bool taken_operand::take(PyObject* given, const taken_operand* beside) {
  if (is_array(given)) {
    elements_ = &array_in(given);
    return true;
  }
  if (const auto number = to_number(given, is_floating(beside))) {
    number_ = *number;
    return true;
  }
  if (!has_numbers(given)) return false;
  made_.emplace(copy_of_buffer(given, {}, {}));
  elements_ = &made_->value;
  return true;
}

void taken_operand::require(PyObject* given, const char* function) {
  if (!take(given))
    throw type_error(
        cat(function, " of an object of the type ", Py_TYPE(given)->tp_name, ": arrays and numbers are taken"));
}

void taken_operand::require_elements(PyObject* given) {
  if (to_number(given) || !take(given)) refuse_as_array(given);
}

nd::array& require_array(nb::handle o) {
  if (is_array(o.ptr())) return array_in(o.ptr());
  refuse_as_array(o.ptr());
}

}  // namespace tessera::python
