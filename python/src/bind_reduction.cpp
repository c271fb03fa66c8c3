#include "python/src/bind.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/held_array.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

using reduction = nd::array (*)(const nd::array&, const nd::axis_list&, bool, call_site);

nd::array all_of(const nd::array& a, const nd::axis_list& along, bool keepdims, call_site here) {
  return nd::all(a, along, keepdims, here);
}

void bind_plain(nb::module_& m, const char* name, reduction function) {
  m.def(
      name,
      [function](nb::handle a, nb::handle axes, bool keepdims) {
        const nd::array& x = require_array(a);
        const nd::axis_list along = to_axes(axes);
        return to_python(in_brief_turn([&] { return x.is_host(); },
                                       [&](call_site here) { return function(x, along, keepdims, here); }));
      },
      nb::arg(), nb::arg().none(), nb::arg());
}

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

void bind_reduction(nb::module_& module) {
  bind_plain(module, "sum", nd::sum);
  bind_plain(module, "prod", nd::prod);
  bind_plain(module, "min", nd::min);
  bind_plain(module, "max", nd::max);
  bind_plain(module, "any", nd::any);
  bind_plain(module, "all", all_of);
  bind_plain(module, "mean", nd::mean);
  bind_plain(module, "argmin", nd::argmin);
  bind_plain(module, "argmax", nd::argmax);
  bind_plain(module, "count_nonzero", nd::count_nonzero);
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
