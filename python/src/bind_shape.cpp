#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/apply.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/device_object.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

void bind_views(nb::module_& m) {
  m.def("reshape", [](nb::handle a, nb::handle shape) {
    const extents wanted = to_shape(shape);
    const nd::array& x = require_array(a);
    return to_python(in_brief_turn([&] { return x.is_host() || x.is_whole(); },
                                   [&](call_site here) { return x.reshape(wanted, here); }));
  });
  m.def("permute_dims", [](nb::handle a, nb::handle axes) {
    const nd::axis_list order = to_axes(axes);
    return of_view(a, [&](const nd::array& x, call_site here) { return nd::permute_dims(x, order, here); });
  });
  m.def("matrix_transpose", [](nb::handle a) {
    return of_view(a, [](const nd::array& x, call_site here) { return nd::matrix_transpose(x, here); });
  });
  m.def("moveaxis", [](nb::handle a, nb::handle from, nb::handle to) {
    const nd::axis_list source = to_axes(from), target = to_axes(to);
    return of_view(a, [&](const nd::array& x, call_site here) { return nd::moveaxis(x, source, target, here); });
  });
  m.def(
      "squeeze",
      [](nb::handle a, nb::handle axes) {
        const nd::axis_list along = to_axes(axes);
        return of_view(a, [&](const nd::array& x, call_site here) { return nd::squeeze(x, along, here); });
      },
      nb::arg(), nb::arg().none());
  m.def("expand_dims", [](nb::handle a, nb::handle axes) {
    const nd::axis_list along = to_axes(axes);
    return of_view(a, [&](const nd::array& x, call_site here) { return nd::expand_dims(x, along, here); });
  });
  m.def(
      "flip",
      [](nb::handle a, nb::handle axes) {
        const nd::axis_list along = to_axes(axes);
        return of_view(a, [&](const nd::array& x, call_site here) { return nd::flip(x, along, here); });
      },
      nb::arg(), nb::arg().none());
  m.def("rot90", [](nb::handle a, int turns, std::pair<int, int> axes) {
    return of_view(a, [&](const nd::array& x, call_site here) { return nd::rot90(x, turns, axes, here); });
  });
  m.def("diagonal", [](nb::handle a, std::int64_t distance, int axis, int other) {
    return of_view(a, [&](const nd::array& x, call_site here) { return nd::diagonal(x, distance, axis, other, here); });
  });
  m.def("broadcast_to", [](nb::handle a, nb::handle shape) {
    const extents wanted = to_shape(shape);
    return of_view(a, [&](const nd::array& x, call_site here) { return nd::broadcast_to(x, wanted, here); });
  });
  m.def("broadcast_shape", [](nb::handle a, nb::handle b) {
    return to_python(nd::broadcast_shape(to_shape(a), to_shape(b), call_site{}));
  });
  m.def("broadcast_arrays", [](nb::handle list) {
    return of_arrays(list, [](auto all, call_site here) { return nd::broadcast_arrays(all, here); });
  });
  m.def("unstack", [](nb::handle a, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::unstack(x, axis, here); });
  });
  m.def("array_split", [](nb::handle a, int parts, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::array_split(x, parts, axis, here); });
  });
  m.def("split_evenly", [](nb::handle a, int parts, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::split(x, parts, axis, here); });
  });
  m.def("split_at", [](nb::handle a, const std::vector<std::int64_t>& places, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::split_at(x, places, axis, here); });
  });
}

void bind_joins(nb::module_& m) {
  m.def("concat", [](nb::handle list, int axis) {
    return of_arrays(list, [&](auto all, call_site here) { return nd::concat(all, axis, here); });
  });
  m.def("stack", [](nb::handle list, int axis) {
    return of_arrays(list, [&](auto all, call_site here) { return nd::stack(all, axis, here); });
  });
  m.def("tile", [](nb::handle a, nb::handle counts) {
    const extents times = to_shape(counts, "a count");
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::tile(x, times, here); });
  });
  m.def(
      "repeat",
      [](nb::handle a, std::int64_t count, nb::handle axis) {
        const nd::axis_list along = to_axes(axis);
        return of_array(a, [&](const nd::array& x, call_site here) {
          return along.is_given() ? nd::repeat(x, count, along[0], here) : nd::repeat(x, count, here);
        });
      },
      nb::arg(), nb::arg(), nb::arg().none());
  m.def(
      "roll",
      [](nb::handle a, nb::handle distances, nb::handle axes) {
        const extents by = to_shape(distances, "a distance");
        const nd::axis_list along = to_axes(axes);
        return of_array(a, [&](const nd::array& x, call_site here) {
          return along.is_given() ? nd::roll(x, by, along, here) : nd::roll_line(x, by[0], here);
        });
      },
      nb::arg(), nb::arg(), nb::arg().none());
  m.def("pad", [](nb::handle a, const std::vector<nd::pad_width>& widths, bool at_edge, nb::handle value) {
    const nd::number element = require_number(value, "what an array is padded with");
    return of_array(a, [&](const nd::array& x, call_site here) {
      return at_edge ? nd::pad(x, widths, nd::pad_mode::edge, here) : nd::pad(x, widths, element, here);
    });
  });
}

void bind_copies(nb::module_& m) {
  m.def("astype", [](nb::handle a, nb::handle type, bool copies) {
    const scalar_kind kind = to_kind(type);
    return of_array(a, [&](const nd::array& x, call_site here) {
      return copies && x.type(here) == kind ? nd::copy(x, here) : nd::as_type(x, kind, here);
    });
  });
  m.def("copy",
        [](nb::handle a) { return of_array(a, [](const nd::array& x, call_site here) { return nd::copy(x, here); }); });
  m.def(
      "resplit",
      [](nb::handle a, nb::handle split) {
        const nd::layout wanted = to_layout(split);
        return of_array(a, [&](const nd::array& x, call_site here) { return nd::resplit(x, wanted, here); });
      },
      nb::arg(), nb::arg().none());
  m.def("redistribute", [](nb::handle a, const std::vector<std::int64_t>& counts, int axis) {
    return of_array(a, [&](const nd::array& x, call_site here) { return nd::redistribute(x, counts, axis, here); });
  });
  m.def("balance", [](nb::handle a) {
    return of_array(a, [](const nd::array& x, call_site here) { return nd::balance(x, here); });
  });
  m.def("to_device", [](nb::handle a, nb::handle device) {
    if (device.is_none()) throw type_error("to_device(None): a device of the package, or its name, is needed");
    const std::optional<context> target = to_optional_context(device);
    if (context_of(require_array(a)).engine() == target->engine()) return nb::borrow(a);
    return of_array(a, [&](const nd::array& x, call_site here) {
      return nd::from_bytes(x.shape(here), x.type(here), nd::elements_of(x, here), {x.split(here), target}, here);
    });
  });
}

}  // namespace

void bind_shape(nb::module_& module) {
  bind_views(module);
  bind_joins(module);
  bind_copies(module);
}

}  // namespace tessera::python
