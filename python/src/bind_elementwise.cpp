#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "python/src/bind.h"
#include "python/src/call/exceptions.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;
using nd::operand;

/// The arguments of a call: `wanted` positions, and `out` by its name or as the next position. Null, with an error set,
/// for others.
struct given_arguments {
  std::array<PyObject*, 2> operands{};
  PyObject* out = nullptr;
};

std::string_view text_of(PyObject* name) {
  Py_ssize_t length = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(name, &length);
  return text != nullptr ? std::string_view(text, static_cast<std::size_t>(length)) : std::string_view();
}

given_arguments read_arguments(const char* function, Py_ssize_t wanted, PyObject* const* given, Py_ssize_t count,
                               PyObject* names) {
  if (count != wanted)
    throw type_error(cat(function, "() takes ", wanted, wanted == 1 ? " array, not " : " operands, not ", count));
  given_arguments found;
  for (Py_ssize_t k = 0; k < wanted; ++k) found.operands[static_cast<std::size_t>(k)] = given[k];
  for (Py_ssize_t k = 0; names != nullptr && k < PyTuple_GET_SIZE(names); ++k) {
    const std::string_view name = text_of(PyTuple_GET_ITEM(names, k));
    if (name != "out") throw type_error(cat(function, "() has no argument '", name, "'; it has 'out'"));
    if (given[count + k] != Py_None) found.out = given[count + k];
  }
  return found;
}

/// The result, or `out` with its elements.
PyObject* finish(nd::array made, PyObject* out) {
  if (out == nullptr) return wrap(std::move(made));
  const nd::array& target = require_array(out);
  in_turn([&](call_site here) {
    if (target.shape(here) != made.shape(here))
      throw argument_error(
          cat("out= has the shape ", to_string(target.shape()), ", the result ", to_string(made.shape())));
    target.assign_result(std::move(made), here);
  });
  Py_INCREF(out);
  return out;
}

/// The function of a row: F is an object that calls the function of `nd`.
template <class F>
PyObject* call_unary(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  return guarded([&] {
    const given_arguments taken = read_arguments(F::name, 1, given, count, names);
    taken_operand x;
    x.require(taken.operands[0], F::name);
    if (x.is_number()) throw type_error(cat(F::name, "() of a number: give it an array"));
    return finish(
        in_brief_turn([&] { return x.is_brief(); }, [&](call_site here) { return F::call(x.elements(), here); }),
        taken.out);
  });
}

template <class F>
PyObject* call_binary(PyObject*, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  return guarded([&] {
    const given_arguments taken = read_arguments(F::name, 2, given, count, names);
    taken_operand x, y;
    x.require(taken.operands[0], F::name);
    y.require(taken.operands[1], F::name);
    if (x.is_number() && y.is_number()) throw type_error(cat(F::name, "() of two numbers: give it an array"));
    return finish(in_brief_turn([&] { return are_brief(x, y); }, [&](call_site here) { return F::call(x, y, here); }),
                  taken.out);
  });
}

/// Some functions take an array first, and no number.
template <class Function>
nd::array call_with(Function function, const taken_operand& x, const taken_operand& y, call_site here) {
  if constexpr (std::is_invocable_v<Function, const operand&, const operand&, call_site>) {
    return function(x.get(), y.get(), here);
  } else {
    if (!x.is_number()) return function(x.elements(), y.get(), here);
    return function(nd::full({}, x.value(), x.value().own_type(), {}, here), y.get(), here);
  }
}

#define TESSERA_ND_UNARY(function, rule, opcode) TESSERA_ND_COMPOSED_UNARY(function)
#define TESSERA_ND_BINARY(function, rule, opcode) TESSERA_ND_COMPOSED_BINARY(function)
#define TESSERA_ND_COMPOSED_UNARY(function)                                                     \
  struct function##_row {                                                                       \
    static constexpr const char* name = #function;                                              \
    static nd::array call(const nd::array& x, call_site here) { return nd::function(x, here); } \
  };
#define TESSERA_ND_COMPOSED_BINARY(function)                                                                    \
  struct function##_row {                                                                                       \
    static constexpr const char* name = #function;                                                              \
    static nd::array call(const taken_operand& x, const taken_operand& y, call_site here) {                     \
      return call_with(                                                                                         \
          [](const auto& a, const operand& b, call_site line) requires requires { nd::function(a, b, line); } { \
            return nd::function(a, b, line);                                                                    \
          },                                                                                                    \
          x, y, here);                                                                                          \
    }                                                                                                           \
  };
#include "tessera/nd/ops.def"

PyMethodDef make_method(const char* name, _PyCFunctionFastWithKeywords function, const char* signature) {
  // Kept for as long as the process lives, as CPython wants it. The first line is what `inspect.signature` reads.
  auto* const text = new std::string(cat(name, signature, "\n--\n\nElement by element; `out` takes the result."));
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_FASTCALL | METH_KEYWORDS,
          text->c_str()};
}

}  // namespace

void bind_elementwise(nb::module_& module) {
  static auto* const methods = new std::vector<PyMethodDef>();
#define TESSERA_ND_UNARY(function, rule, opcode) TESSERA_ND_COMPOSED_UNARY(function)
#define TESSERA_ND_BINARY(function, rule, opcode) TESSERA_ND_COMPOSED_BINARY(function)
#define TESSERA_ND_COMPOSED_UNARY(function) \
  methods->push_back(make_method(#function, call_unary<function##_row>, "(x, /, *, out=None)"));
#define TESSERA_ND_COMPOSED_BINARY(function) \
  methods->push_back(make_method(#function, call_binary<function##_row>, "(x1, x2, /, *, out=None)"));
#include "tessera/nd/ops.def"
  nb::list names;
  for (const PyMethodDef& each : *methods) names.append(each.ml_name);
  methods->push_back({nullptr, nullptr, 0, nullptr});
  if (PyModule_AddFunctions(module.ptr(), methods->data()) != 0) throw nb::python_error();
  module.attr("elementwise_names") = nb::tuple(names);

  module.def("where", [](nb::handle condition, nb::handle a, nb::handle b) {
    taken_operand c, x, y;
    c.require(condition.ptr(), "where");
    x.require(a.ptr(), "where");
    y.require(b.ptr(), "where");
    if (c.is_number() && x.is_number() && y.is_number()) throw type_error("where of three numbers: give it an array");
    return to_python(in_turn([&](call_site here) { return nd::where(c.get(), x.get(), y.get(), here); }));
  });
  module.def(
      "clip",
      [](nb::handle a, nb::handle least, nb::handle most) {
        const nd::array& x = require_array(a);
        taken_operand low, high;
        if (!least.is_none()) low.require(least.ptr(), "clip");
        if (!most.is_none()) high.require(most.ptr(), "clip");
        return to_python(in_turn([&](call_site here) {
          if (least.is_none() && most.is_none()) return nd::copy(x, here);
          if (least.is_none()) return nd::clip(x, std::nullopt, high.get(), here);
          if (most.is_none()) return nd::clip(x, low.get(), std::nullopt, here);
          return nd::clip(x, low.get(), high.get(), here);
        }));
      },
      nb::arg(), nb::arg().none(), nb::arg().none());
  module.def("make_complex", [](nb::handle re, nb::handle im) {
    taken_operand x, y;
    x.require(re.ptr(), "complex numbers");
    y.require(im.ptr(), "complex numbers");
    return to_python(in_turn([&](call_site here) { return nd::make_complex(x.get(), y.get(), here); }));
  });
}

}  // namespace tessera::python
