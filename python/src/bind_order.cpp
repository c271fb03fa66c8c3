#include "python/src/bind.h"
#include "python/src/convert/apply.h"
#include "python/src/convert/operand.h"

namespace tessera::python {

namespace nb = nanobind;

void bind_order(nb::module_& m) {
  m.def("sort", [](nb::handle a, int axis, bool descending) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::sort(x, axis, descending, here); });
  });
  m.def("argsort", [](nb::handle a, int axis, bool descending) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::argsort(x, axis, descending, here); });
  });
  m.def("searchsorted", [](nb::handle sorted, nb::handle values, bool after) {
    return of_two_arrays(sorted, values, [&](const nd::array& line, const nd::array& wanted, call_site here) {
      return nd::searchsorted(line, wanted, after, here);
    });
  });
  m.def("unique_all", [](nb::handle a) {
    const nd::array& x = require_array(a);
    nd::unique_elements found = in_turn([&](call_site here) { return nd::unique_all(x, here); });
    return nb::make_tuple(to_python(std::move(found.values)), to_python(std::move(found.indices)),
                          to_python(std::move(found.inverse)), to_python(std::move(found.counts)));
  });
  m.def("isin", [](nb::handle a, nb::handle of) {
    return of_two_arrays(
        a, of, [&](const nd::array& x, const nd::array& known, call_site here) { return nd::isin(x, known, here); });
  });
  m.def("take", [](nb::handle a, nb::handle places, int axis) {
    return of_two_arrays(a, places, [&](const nd::array& x, const nd::array& at, call_site here) {
      return nd::take(x, at, axis, here);
    });
  });
  m.def("take_along_axis", [](nb::handle a, nb::handle places, int axis) {
    return of_two_arrays(a, places, [&](const nd::array& x, const nd::array& at, call_site here) {
      return nd::take_along_axis(x, at, axis, here);
    });
  });
  m.def("compress", [](nb::handle mask, nb::handle a) {
    return of_two_arrays(mask, a, [&](const nd::array& chosen, const nd::array& x, call_site here) {
      return nd::compress(chosen, x, here);
    });
  });
  m.def("nonzero", [](nb::handle a) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::nonzero(x, here); });
  });
  m.def("diff", [](nb::handle a, int times, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::diff(x, times, axis, here); });
  });
  m.def("gradient", [](nb::handle a, double spacing, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::gradient(x, spacing, axis, here); });
  });
  m.def("isclose", [](nb::handle a, nb::handle b, double relative, double absolute, bool equal_nan) {
    const nd::array& x = require_array(a);
    taken_operand y;
    y.require(b.ptr(), "isclose");
    return to_python(in_turn([&](call_site here) {
      return nd::isclose(x, y.get(), {relative, absolute, equal_nan}, here);
    }));
  });
  m.def(
      "nan_to_num",
      [](nb::handle a, double nan, nb::handle positive, nb::handle negative) {
        const nd::array& x = require_array(a);
        nd::finite_values instead{nan, {}, {}};
        if (!positive.is_none()) instead.positive = nb::cast<double>(positive);
        if (!negative.is_none()) instead.negative = nb::cast<double>(negative);
        return to_python(in_turn([&](call_site here) { return nd::nan_to_num(x, instead, here); }));
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
}

}  // namespace tessera::python
