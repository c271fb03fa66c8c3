#pragma once

#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <span>
#include <vector>

#include "python/src/call/turn.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"

/// Functions of `nd` called with arrays of Python: `body(array, line)` in a turn.
namespace tessera::python {

template <class Body>
nanobind::object of_array(nanobind::handle a, Body body) {
  const nd::array& x = require_array(a);
  return to_python(in_turn([&](call_site here) { return body(x, here); }));
}

/// As `of_array`, for what only makes a view.
template <class Body>
nanobind::object of_view(nanobind::handle a, Body body) {
  const nd::array& x = require_array(a);
  return to_python(in_brief_turn([] { return true; }, [&](call_site here) { return body(x, here); }));
}

/// Also arrays of NumPy, which are copied.
template <class Body>
nanobind::object of_two_arrays(nanobind::handle a, nanobind::handle b, Body body) {
  taken_operand x, y;
  x.require_elements(a.ptr());
  y.require_elements(b.ptr());
  return to_python(in_turn([&](call_site here) { return body(x.elements(), y.elements(), here); }));
}

template <class Body>
nanobind::object of_arrays(nanobind::handle list, Body body) {
  const std::vector<nd::array> all = to_arrays(list);
  return to_python(in_turn([&](call_site here) { return body(std::span<const nd::array>(all), here); }));
}

}  // namespace tessera::python
