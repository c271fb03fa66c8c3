#include <nanobind/stl/string.h>

#include "python/src/bind.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/held_array.h"
#include "python/src/exchange/dlpack.h"
#include "python/src/exchange/host_copy.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

nb::tuple corners(const box& b) { return nb::make_tuple(to_python(b.lo), to_python(b.hi)); }

/// The parts that rest on this rank: the first and the last place of each.
nb::list own_boxes(nb::handle a) {
  const nd::array& x = require_array(a);
  const std::vector<box> boxes = in_turn([&](call_site here) {
    const array_base elements = nd::copy(x, here).engine_array(here);
    return elements.own_boxes();
  });
  nb::list all;
  for (const box& each : boxes) all.append(corners(each));
  return all;
}

}  // namespace

void bind_exchange(nb::module_& module) {
  bind_host_copy(module);
  bind_dlpack(module);
  module.def("own_boxes", &own_boxes);
}

}  // namespace tessera::python
