#include <nanobind/stl/string_view.h>

#include <optional>
#include <string>
#include <string_view>

#include "python/src/bind.h"
#include "python/src/call/exceptions.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

using reduction = nd::array (*)(const nd::array&, const nd::axis_list&, bool, call_site);

nd::array all_of(const nd::array& a, const nd::axis_list& along, bool keepdims, call_site here) {
  return nd::all(a, along, keepdims, here);
}

/// The arguments of a reduction behind its array: `axis`, by place or name, and `keepdims` and `dtype` by name. The
/// files of the package give `keepdims` by place.
struct reduction_arguments {
  PyObject *axis = Py_None, *keepdims = Py_False, *dtype = Py_None;

  reduction_arguments(const char* function, bool has_dtype, PyObject* const* given, Py_ssize_t count, PyObject* names) {
    if (count > 0) axis = given[0];
    if (count > 1) keepdims = given[1];
    if (count > 2) throw type_error(cat(function, "() takes an array and an axis, and others by their names"));
    for (Py_ssize_t k = 0; names != nullptr && k < PyTuple_GET_SIZE(names); ++k) {
      const std::string_view name = nb::cast<std::string_view>(nb::handle(PyTuple_GET_ITEM(names, k)));
      PyObject** const to = name == "axis"                 ? &axis
                            : name == "keepdims"           ? &keepdims
                            : name == "dtype" && has_dtype ? &dtype
                                                           : nullptr;
      if (to == nullptr) throw type_error(cat(function, "() has no argument '", name, "'"));
      *to = given[count + k];
    }
    if (!PyBool_Check(keepdims)) throw type_error(cat(function, "(): keepdims is True or False"));
  }
};

/// F names the function of `nd`.
template <class F>
PyObject* reduce(PyObject* a, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  const nd::array& x = require_array(a);
  const reduction_arguments with(F::name, F::has_dtype, given, count, names);
  const nd::axis_list along = with.axis == Py_None ? nd::axis_list() : to_axes(with.axis);
  const std::optional<scalar_kind> type = to_optional_kind(with.dtype);
  const bool keepdims = with.keepdims == Py_True;
  return wrap(in_brief_turn([&] { return x.is_host(); },
                            [&](call_site here) {
                              if (!type) return F::function(x, along, keepdims, here);
                              return nd::as_type(F::function(nd::as_type(x, *type, here), along, keepdims, here), *type,
                                                 here);
                            }));
}
template <class F>
PyObject* call_reduction(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  return guarded([&] {
    if (count < 1) throw type_error(cat(F::name, "() of nothing: give it an array"));
    return reduce<F>(given[0], given + 1, count - 1, names);
  });
}
template <class F>
PyObject* call_reduction_method(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  return guarded([&] { return reduce<F>(self, given, count, names); });
}

#define TESSERA_REDUCTION(called, with_dtype, of, text) \
  struct called##_row {                                 \
    static constexpr const char* name = #called;        \
    static constexpr const char* document = text;       \
    static constexpr bool has_dtype = with_dtype;       \
    static constexpr reduction function = of;           \
  };
TESSERA_REDUCTION(sum, true, nd::sum, "The sum; of integers with 64 bits.")
TESSERA_REDUCTION(prod, true, nd::prod, "The product; of integers with 64 bits.")
TESSERA_REDUCTION(min, false, nd::min, "The least element; NaN, if there is one.")
TESSERA_REDUCTION(max, false, nd::max, "The greatest element; NaN, if there is one.")
TESSERA_REDUCTION(any, false, nd::any, "Whether an element is not 0.")
TESSERA_REDUCTION(all, false, all_of, "Whether no element is 0.")
TESSERA_REDUCTION(mean, false, nd::mean, "The mean; of integers as float64.")
TESSERA_REDUCTION(argmin, false, nd::argmin, "The place of the least element, the first of equals.")
TESSERA_REDUCTION(argmax, false, nd::argmax, "The place of the greatest element, the first of equals.")
TESSERA_REDUCTION(count_nonzero, false, nd::count_nonzero, "How many elements are not 0.")
#undef TESSERA_REDUCTION

template <class F>
PyMethodDef make_method(_PyCFunctionFastWithKeywords function, const char* self) {
  // Kept for as long as the process lives, as CPython wants it.
  auto* const text = new std::string(cat(F::name, "(", self, ", /, axis=None, *, ", F::has_dtype ? "dtype=None, " : "",
                                         "keepdims=False)\n--\n\n", F::document));
  return {F::name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL | METH_KEYWORDS,
          text->c_str()};
}

template <class... Rows>
struct reduction_rows {
  static PyMethodDef* functions() {
    static PyMethodDef list[] = {make_method<Rows>(call_reduction<Rows>, "x")..., {nullptr, nullptr, 0, nullptr}};
    return list;
  }
  static PyMethodDef* methods() {
    static PyMethodDef list[] = {make_method<Rows>(call_reduction_method<Rows>, "$self")...,
                                 {nullptr, nullptr, 0, nullptr}};
    return list;
  }
  static nb::tuple names() { return nb::make_tuple(Rows::name...); }
};
using all_reductions = reduction_rows<sum_row, prod_row, min_row, max_row, any_row, all_row, mean_row, argmin_row,
                                      argmax_row, count_nonzero_row>;

template <class Function>
void bind_spread(nb::module_& m, const char* name, Function function) {
  m.def(
      name,
      [function](nb::handle a, nb::handle axes, double correction, bool keepdims) {
        const nd::array& x = require_array(a);
        const nd::axis_list along = to_axes(axes);
        return to_python(in_turn([&](call_site here) { return function(x, along, correction, keepdims, here); }));
      },
      nb::arg(), nb::arg().none(), nb::arg(), nb::arg());
}

/// With `initial`, the identity stands in front.
template <class Function>
void bind_scan(nb::module_& m, const char* name, Function function) {
  m.def(name, [function](nb::handle a, int axis, bool initial) {
    const nd::array& x = require_array(a);
    return to_python(in_turn([&](call_site here) { return function(x, axis, initial, here); }));
  });
}

}  // namespace

PyMethodDef* reduction_methods() { return all_reductions::methods(); }

void bind_reduction(nb::module_& module) {
  if (PyModule_AddFunctions(module.ptr(), all_reductions::functions()) != 0) throw nb::python_error();
  module.attr("reduction_names") = all_reductions::names();
  bind_spread(module, "var", nd::var);
  bind_spread(module, "std", nd::std);
  bind_scan(module, "cumulative_sum", nd::cumulative_sum);
  bind_scan(module, "cumulative_prod", nd::cumulative_prod);
  bind_scan(module, "cumulative_min",
            [](const nd::array& a, int axis, bool, call_site here) { return nd::cumulative_min(a, axis, here); });
  bind_scan(module, "cumulative_max",
            [](const nd::array& a, int axis, bool, call_site here) { return nd::cumulative_max(a, axis, here); });
}

}  // namespace tessera::python
