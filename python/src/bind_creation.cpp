#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/buffer.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/nested_list.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// A new array; a host value without giving the GIL away.
template <class Make>
nb::object made_of(const extents& shape, const nd::array_options& options, Make make) {
  constexpr std::int64_t few = 1024;
  const auto is_brief = [&] {
    std::int64_t left = options.split.is_cut() ? 0 : few;
    for (const std::int64_t n : shape) left = n > 0 ? left / n : left;
    return left > 0;
  };
  return to_python(in_brief_turn(is_brief, make));
}

void bind_filled(nb::module_& m) {
  m.def(
      "full",
      [](nb::handle shape, nb::handle value, nb::handle type, nb::handle device, nb::handle split) {
        const extents n = to_shape(shape);
        const nd::number element = require_number(value, "the value of elements");
        const scalar_kind kind = to_kind(type);
        const nd::array_options options = to_options(device, split);
        return made_of(n, options, [&](call_site here) { return nd::full(n, element, kind, options, here); });
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  m.def(
      "empty",
      [](nb::handle shape, nb::handle type, nb::handle device, nb::handle split) {
        const extents n = to_shape(shape);
        const scalar_kind kind = to_kind(type);
        const nd::array_options options = to_options(device, split);
        return made_of(n, options, [&](call_site here) { return nd::empty(n, kind, options, here); });
      },
      nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  m.def("full_like", [](nb::handle a, nb::handle value) {
    const nd::array& x = require_array(a);
    const nd::number element = require_number(value, "the value of elements");
    return to_python(in_turn([&](call_site here) { return nd::full_like(x, element, here); }));
  });
  m.def("empty_like", [](nb::handle a) {
    const nd::array& x = require_array(a);
    return to_python(in_turn([&](call_site here) { return nd::empty_like(x, here); }));
  });
}

void bind_sequences(nb::module_& m) {
  m.def(
      "arange_of_integers",
      [](std::int64_t first, std::int64_t last, std::int64_t step, nb::handle device, nb::handle split) {
        const nd::array_options options = to_options(device, split);
        return made_of({last - first}, options,
                       [&](call_site here) { return nd::arange(first, last, step, options, here); });
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  m.def(
      "arange_of_reals",
      [](double first, double last, double step, nb::handle device, nb::handle split) {
        const nd::array_options options = to_options(device, split);
        return to_python(
            in_turn([&](call_site here) { return nd::arange_of_reals(first, last, step, options, here); }));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  m.def(
      "linspace",
      [](double first, double last, std::int64_t count, bool endpoint, nb::handle type, nb::handle device,
         nb::handle split) {
        const scalar_kind kind = to_kind(type);
        const nd::array_options options = to_options(device, split);
        return to_python(
            in_turn([&](call_site here) { return nd::linspace(first, last, count, endpoint, kind, options, here); }));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  m.def("logspace", [](double first, double last, std::int64_t count, bool endpoint, double base) {
    return to_python(
        in_turn([&](call_site here) { return nd::logspace(first, last, count, endpoint, base, {}, here); }));
  });
  m.def("geomspace", [](double first, double last, std::int64_t count, bool endpoint) {
    return to_python(in_turn([&](call_site here) { return nd::geomspace(first, last, count, endpoint, {}, here); }));
  });
}

void bind_matrices(nb::module_& m) {
  m.def(
      "eye",
      [](std::int64_t rows, std::int64_t columns, std::int64_t distance, nb::handle type, nb::handle device,
         nb::handle split) {
        const scalar_kind kind = to_kind(type);
        const nd::array_options options = to_options(device, split);
        return to_python(
            in_turn([&](call_site here) { return nd::eye(rows, columns, distance, kind, options, here); }));
      },
      nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
  m.def("tril", [](nb::handle a, std::int64_t distance) {
    const nd::array& x = require_array(a);
    return to_python(in_turn([&](call_site here) { return nd::tril(x, distance, here); }));
  });
  m.def("triu", [](nb::handle a, std::int64_t distance) {
    const nd::array& x = require_array(a);
    return to_python(in_turn([&](call_site here) { return nd::triu(x, distance, here); }));
  });
  m.def("diag", [](nb::handle a, std::int64_t distance) {
    const nd::array& x = require_array(a);
    return to_python(in_turn([&](call_site here) { return nd::diag(x, distance, here); }));
  });
  m.def("meshgrid", [](nb::handle vectors, bool matrix_order) {
    const std::vector<nd::array> all = to_arrays(vectors);
    return to_python(in_turn([&](call_site here) { return nd::meshgrid(all, matrix_order, here); }));
  });
  m.def("index_array", [](nb::handle shape, int axis) {
    const extents n = to_shape(shape);
    return to_python(in_turn([&](call_site here) { return nd::indices(n, axis, {}, here); }));
  });
}

}  // namespace

void bind_creation(nb::module_& module) {
  bind_filled(module);
  bind_sequences(module);
  bind_matrices(module);
  module.def(
      "from_list",
      [](nb::handle given, nb::handle type, nb::handle device, nb::handle split) {
        return to_python(array_of_list(given, to_optional_kind(type), to_options(device, split)));
      },
      nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none());
  module.def(
      "from_buffer",
      [](nb::handle given, nb::handle type, nb::handle device, nb::handle split) {
        return to_python(copy_of_buffer(given.ptr(), to_optional_kind(type), to_options(device, split)));
      },
      nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg().none());
  module.def(
      "has_numbers", [](nb::handle given) { return has_numbers(given.ptr()); }, nb::arg().none());
}

}  // namespace tessera::python
