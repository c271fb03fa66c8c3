#include "python/src/call/exceptions.h"

#include <tessera/nd.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "python/src/call/turn.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// The classes, in the order in which `raise_current` tries them.
struct error_classes {
  PyObject *state, *argument, *linalg, *library, *type, *index, *range, *memory, *file, *compile, *device, *network,
      *divergence;
};
error_classes classes{};

PyObject* make_class(nb::module_& module, const char* name, const char* doc, PyObject* above, PyObject* builtin) {
  const nb::object bases = builtin != nullptr ? nb::steal(PyTuple_Pack(2, above, builtin)) : nb::borrow(above);
  PyObject* const made = PyErr_NewExceptionWithDoc(("tessera." + std::string(name)).c_str(), doc, bases.ptr(), nullptr);
  if (made == nullptr) throw nb::python_error();
  module.attr(name) = nb::handle(made);
  return made;
}

void set_error(PyObject* kind, const std::exception& e) { PyErr_SetString(kind, call_message(e.what())); }

/// Shapes as Python writes them: "(2, 3)" for "{2, 3}", "(4,)" for "{4}".
std::string with_tuples(std::string_view text) {
  std::string made;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t end = open == std::string_view::npos ? open : text.find_first_not_of("0123456789-, ", open + 1);
    if (end == std::string_view::npos) break;
    made += text.substr(0, open);
    const std::string_view inside = text.substr(open + 1, end - open - 1);
    if (text[end] == '}') {
      const bool is_one = !inside.empty() && inside.find(',') == std::string_view::npos;
      made.append("(").append(inside).append(is_one ? ",)" : ")");
      text.remove_prefix(end + 1);
    } else {
      made.append("{").append(inside);
      text.remove_prefix(end);
    }
  }
  return made.append(text);
}

/// Of errors about arguments.
void set_argument_error(PyObject* kind, const std::exception& e) {
  PyErr_SetString(kind, with_tuples(call_message(e.what())).c_str());
}

void raise(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const type_error& e) {
    set_argument_error(classes.type, e);
  } catch (const index_error& e) {
    set_argument_error(classes.index, e);
  } catch (const range_error& e) {
    set_argument_error(classes.range, e);
  } catch (const linalg_error& e) {
    set_argument_error(classes.linalg, e);
  } catch (const argument_error& e) {
    set_argument_error(classes.argument, e);
  } catch (const annotation_error& e) {
    set_error(classes.argument, e);
  } catch (const missing_library& e) {
    set_error(classes.library, e);
  } catch (const out_of_memory& e) {
    set_error(classes.memory, e);
  } catch (const io_error& e) {
    set_error(classes.file, e);
  } catch (const compile_error& e) {
    set_error(classes.compile, e);
  } catch (const device_error& e) {
    set_error(classes.device, e);
  } catch (const divergence_error& e) {
    set_error(classes.divergence, e);
  } catch (const comm_error& e) {
    set_error(classes.network, e);
  } catch (const error& e) {
    set_error(classes.state, e);
  }
}

}  // namespace

void raise_current() noexcept {
  try {
    raise(std::current_exception());
  } catch (const nb::builtin_exception& e) {
    PyErr_SetString(e.type() == nb::exception_type::index_error   ? PyExc_IndexError
                    : e.type() == nb::exception_type::type_error  ? PyExc_TypeError
                    : e.type() == nb::exception_type::value_error ? PyExc_ValueError
                                                                  : PyExc_RuntimeError,
                    e.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_SystemError, "an exception that is none of Tessera's");
  }
}

void bind_exceptions(nb::module_& module) {
  PyObject* const base =
      make_class(module, "Error", "What Tessera refuses, or could not do.", PyExc_Exception, nullptr);
  const auto make = [&](const char* name, const char* doc, PyObject* builtin) {
    return make_class(module, name, doc, base, builtin);
  };
  classes.state = make("StateError", "A call that cannot be made now.", PyExc_RuntimeError);
  classes.argument = make("ArgumentError", "Shapes, axes or values that do not fit.", PyExc_ValueError);
  classes.linalg =
      make_class(module, "LinAlgError", "A matrix that is singular, not positive definite, or without convergence.",
                 classes.argument, nullptr);
  classes.library = make("MissingLibrary", "A library that a call needs is not on this machine.", PyExc_RuntimeError);
  classes.type = make("DTypeError", "A type that an operation or an array does not have.", PyExc_TypeError);
  classes.index = make("PlaceError", "A place that an array does not have.", PyExc_IndexError);
  classes.range = make("RangeError", "A number that a type does not have.", PyExc_OverflowError);
  classes.memory = make("OutOfMemory", "A memory is full.", PyExc_MemoryError);
  classes.file = make("FileError", "A file could not be read or written.", PyExc_OSError);
  classes.compile = make("CompileError", "A kernel could not be compiled.", PyExc_RuntimeError);
  classes.device = make("DeviceError", "A device or a kernel failed.", PyExc_RuntimeError);
  classes.network = make("NetworkError", "The network or another rank failed.", PyExc_RuntimeError);
  classes.divergence = make("DivergenceError", "Ranks made different calls.", PyExc_RuntimeError);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) { raise(thrown); });
}

}  // namespace tessera::python
