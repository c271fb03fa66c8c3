#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "python/src/bind.h"
#include "python/src/call/exceptions.h"
#include "python/src/call/turn.h"
#include "python/src/convert/device_object.h"
#include "python/src/convert/dtype_object.h"

/// `tessera._core`: what the Python files of the package are made of.
NB_MODULE(_core, module) {
  using namespace tessera::python;
  nanobind::set_leak_warnings(false);  // arrays of modules are alive when the interpreter ends
  bind_exceptions(module);
  bind_dtypes(module);
  bind_device(module);
  bind_array(module);
  bind_creation(module);
  bind_elementwise(module);
  bind_exchange(module);
  bind_fft(module);
  bind_linalg(module);
  bind_order(module);
  bind_random(module);
  bind_reduction(module);
  bind_report(module);
  bind_shape(module);
  module.def("set_package_folder", &set_package_folder);
  module.def("note_fork", &note_fork);
  prepare_calls();
}
