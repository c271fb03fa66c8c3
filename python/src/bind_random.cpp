#include <cstdint>

#include "python/src/bind.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"

namespace tessera::python {

namespace nb = nanobind;

void bind_random(nb::module_& module) {
  nb::class_<nd::generator>(module, "RandomStream", nb::is_final(),
                            "The random numbers of a seed (nd/random/generator.h).")
      .def(nb::init<std::uint64_t>())
      .def_prop_ro("seed", &nd::generator::seed)
      .def_prop_rw("stream", &nd::generator::stream, &nd::generator::set_stream)
      .def(
          "uniform",
          [](nd::generator& g, nb::handle shape, double low, double high, nb::handle type, nb::handle device,
             nb::handle split) {
            const extents n = to_shape(shape);
            const scalar_kind kind = to_kind(type);
            const nd::array_options options = to_options(device, split);
            return to_python(in_turn([&](call_site here) { return g.uniform(n, low, high, kind, options, here); }));
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none())
      .def(
          "normal",
          [](nd::generator& g, nb::handle shape, double mean, double deviation, nb::handle type, nb::handle device,
             nb::handle split) {
            const extents n = to_shape(shape);
            const scalar_kind kind = to_kind(type);
            const nd::array_options options = to_options(device, split);
            return to_python(
                in_turn([&](call_site here) { return g.normal(n, mean, deviation, kind, options, here); }));
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none())
      .def(
          "integers",
          [](nd::generator& g, std::int64_t low, std::int64_t high, nb::handle shape, nb::handle type,
             nb::handle device, nb::handle split) {
            const extents n = to_shape(shape);
            const scalar_kind kind = to_kind(type);
            const nd::array_options options = to_options(device, split);
            return to_python(in_turn([&](call_site here) { return g.integers(low, high, n, kind, options, here); }));
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none());
}

}  // namespace tessera::python
