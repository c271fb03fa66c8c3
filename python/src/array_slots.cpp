#include <string>
#include <utility>

#include "python/src/bind.h"
#include "python/src/call/exceptions.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

using nd::operand;
using unary_function = nd::array (*)(const operand&, call_site);
using binary_function = nd::array (*)(const operand&, const operand&, call_site);

PyObject* not_implemented() {
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

/// Both operands; false if one is none. A number is seen beside the other one, which says what large integers become.
bool take_both(taken_operand& x, taken_operand& y, PyObject* a, PyObject* b) {
  if (is_array(a)) return x.take(a) && y.take(b, &x);
  return y.take(b) && x.take(a, &y);
}

template <binary_function F>
PyObject* binary(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    taken_operand x, y;
    if (!take_both(x, y, a, b)) return not_implemented();
    return wrap(
        in_brief_turn([&] { return are_brief(x, y); }, [&](call_site here) { return F(x.get(), y.get(), here); }));
  });
}

template <binary_function F>
PyObject* in_place(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    taken_operand x, y;
    if (!take_both(x, y, a, b)) return not_implemented();
    in_brief_turn([&] { return are_brief(x, y); },
                  [&](call_site here) { x.elements().assign_result(F(x.get(), y.get(), here), here); });
    Py_INCREF(a);
    return a;
  });
}

/// `a @ b`; numbers are no matrices.
bool take_matrices(taken_operand& x, taken_operand& y, PyObject* a, PyObject* b) {
  return take_both(x, y, a, b) && !x.is_number() && !y.is_number();
}

PyObject* product(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    taken_operand x, y;
    if (!take_matrices(x, y, a, b)) return not_implemented();
    return wrap(in_turn([&](call_site here) { return nd::matmul(x.elements(), y.elements(), here); }));
  });
}

PyObject* product_in_place(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    taken_operand x, y;
    if (!take_matrices(x, y, a, b)) return not_implemented();
    in_turn([&](call_site here) {
      nd::array made = nd::matmul(x.elements(), y.elements(), here);
      if (made.shape(here) != x.elements().shape(here))
        throw argument_error(cat("@= of arrays with the shapes ", to_string(x.elements().shape(here)), " and ",
                                 to_string(y.elements().shape(here)), ": the product has another shape, ",
                                 to_string(made.shape(here))));
      x.elements().assign_result(std::move(made), here);
    });
    Py_INCREF(a);
    return a;
  });
}

template <unary_function F>
PyObject* unary(PyObject* a) {
  return guarded([&] {
    const nd::array& x = array_in(a);
    return wrap(in_brief_turn([&] { return x.is_host(); }, [&](call_site here) { return F({x, here}, here); }));
  });
}

PyObject* power(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus == Py_None) return binary<nd::pow>(a, b);
  PyErr_SetString(PyExc_TypeError, "pow of arrays takes no third argument");
  return nullptr;
}

PyObject* power_in_place(PyObject* a, PyObject* b, PyObject*) { return in_place<nd::pow>(a, b); }

/// The element of an array that has one, as a T. Waits.
template <class T>
T element_of(PyObject* a) {
  const nd::array& x = array_in(a);
  return in_brief_turn([&] { return x.is_host(); }, [&](call_site here) { return x.item<T>(here); });
}

scalar_kind kind_of(PyObject* a) { return array_in(a).type(call_site{}); }

bool is_complex(scalar_kind kind) { return dtype::make(kind).is_complex(); }

void require_one(PyObject* a, const char* function) {
  const std::int64_t n = array_in(a).size(call_site{});
  if (n == 1) return;
  throw type_error(std::string(function) + " of an array with " + std::to_string(n) + " elements: one is needed");
}

PyObject* to_float(PyObject* a) {
  return guarded([&] {
    require_one(a, "float()");
    if (is_complex(kind_of(a))) throw type_error("float() of a complex array: real() and imag() take its parts");
    return PyFloat_FromDouble(element_of<double>(a));
  });
}

PyObject* to_whole(PyObject* a) {
  return guarded([&]() -> PyObject* {
    require_one(a, "int()");
    const scalar_kind kind = kind_of(a);
    if (is_complex(kind)) throw type_error("int() of a complex array: real() and imag() take its parts");
    if (kind == scalar_kind::uint64) return PyLong_FromUnsignedLongLong(element_of<std::uint64_t>(a));
    if (dtype::make(kind).is_integer()) return PyLong_FromLongLong(element_of<std::int64_t>(a));
    return PyLong_FromDouble(element_of<double>(a));  // NaN and infinities are a ValueError and an OverflowError
  });
}

PyObject* to_index(PyObject* a) {
  return guarded([&] {
    require_one(a, "an index");
    const scalar_kind kind = kind_of(a);
    if (!dtype::make(kind).is_integer() || kind == scalar_kind::boolean)
      throw type_error(std::string("an array of ") + to_string(dtype::make(kind)) + " is no index: integers are");
    return to_whole(a);
  });
}

int to_truth(PyObject* a) {
  try {
    const std::int64_t n = array_in(a).size(call_site{});
    if (n != 1)
      throw argument_error("the truth of an array with " + std::to_string(n) +
                           " elements is not clear: any() or all() tell of which");
    const nd::array& x = array_in(a);
    return in_brief_turn([&] { return x.is_host(); },
                         [&](call_site here) { return nd::not_equal(x, 0, here).item<bool>(here); })
               ? 1
               : 0;
  } catch (...) {
    raise_current();
    return -1;
  }
}

PyObject* compare(PyObject* a, PyObject* b, int which) {
  switch (which) {
    case Py_EQ:
      return binary<nd::equal>(a, b);
    case Py_NE:
      return binary<nd::not_equal>(a, b);
    case Py_LT:
      return binary<nd::less>(a, b);
    case Py_LE:
      return binary<nd::less_equal>(a, b);
    case Py_GT:
      return binary<nd::greater>(a, b);
    default:
      return binary<nd::greater_equal>(a, b);
  }
}

Py_ssize_t length(PyObject* a) {
  const extents& shape = array_in(a).shape(call_site{});
  if (shape.rank() > 0) return shape[0];
  PyErr_SetString(PyExc_TypeError, "len() of an array without axes");
  return -1;
}

template <class F>
void* slot(F* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

PyType_Slot* array_slots() {
  static PyType_Slot slots[] = {{Py_nb_add, slot(binary<nd::add>)},
                                {Py_nb_subtract, slot(binary<nd::subtract>)},
                                {Py_nb_multiply, slot(binary<nd::multiply>)},
                                {Py_nb_true_divide, slot(binary<nd::divide>)},
                                {Py_nb_floor_divide, slot(binary<nd::floor_divide>)},
                                {Py_nb_remainder, slot(binary<nd::remainder>)},
                                {Py_nb_power, slot(power)},
                                {Py_nb_matrix_multiply, slot(product)},
                                {Py_nb_inplace_matrix_multiply, slot(product_in_place)},
                                {Py_nb_and, slot(binary<nd::bitwise_and>)},
                                {Py_nb_or, slot(binary<nd::bitwise_or>)},
                                {Py_nb_xor, slot(binary<nd::bitwise_xor>)},
                                {Py_nb_lshift, slot(binary<nd::bitwise_left_shift>)},
                                {Py_nb_rshift, slot(binary<nd::bitwise_right_shift>)},
                                {Py_nb_inplace_add, slot(in_place<nd::add>)},
                                {Py_nb_inplace_subtract, slot(in_place<nd::subtract>)},
                                {Py_nb_inplace_multiply, slot(in_place<nd::multiply>)},
                                {Py_nb_inplace_true_divide, slot(in_place<nd::divide>)},
                                {Py_nb_inplace_floor_divide, slot(in_place<nd::floor_divide>)},
                                {Py_nb_inplace_remainder, slot(in_place<nd::remainder>)},
                                {Py_nb_inplace_power, slot(power_in_place)},
                                {Py_nb_inplace_and, slot(in_place<nd::bitwise_and>)},
                                {Py_nb_inplace_or, slot(in_place<nd::bitwise_or>)},
                                {Py_nb_inplace_xor, slot(in_place<nd::bitwise_xor>)},
                                {Py_nb_inplace_lshift, slot(in_place<nd::bitwise_left_shift>)},
                                {Py_nb_inplace_rshift, slot(in_place<nd::bitwise_right_shift>)},
                                {Py_nb_negative, slot(unary<nd::negative>)},
                                {Py_nb_positive, slot(unary<nd::positive>)},
                                {Py_nb_absolute, slot(unary<nd::abs>)},
                                {Py_nb_invert, slot(unary<nd::bitwise_invert>)},
                                {Py_nb_float, slot(to_float)},
                                {Py_nb_int, slot(to_whole)},
                                {Py_nb_index, slot(to_index)},
                                {Py_nb_bool, slot(to_truth)},
                                {Py_tp_richcompare, slot(compare)},
                                {Py_tp_hash, slot(PyObject_HashNotImplemented)},
                                {Py_mp_length, slot(length)},
                                {Py_mp_subscript, slot(get_item)},
                                {Py_mp_ass_subscript, slot(set_item)},
                                {Py_tp_methods, reduction_methods()},
                                {0, nullptr}};
  return slots;
}

}  // namespace tessera::python
