#include <nanobind/stl/complex.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/apply.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/device_object.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/convert/operand.h"
#include "tessera/base/index.h"

namespace tessera::python {

PyTypeObject* array_class = nullptr;

namespace {

namespace nb = nanobind;

nd::array& self_of(nb::handle self) { return array_in(self.ptr()); }

/// One element at `from`, as Python has it.
nb::object element_at(const std::byte* from, scalar_kind kind) {
  const auto read = [&]<class T>() {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  };
  switch (kind) {
    case scalar_kind::boolean:
      return nb::bool_(read.operator()<std::uint8_t>() != 0);
    case scalar_kind::int8:
      return nb::int_(read.operator()<std::int8_t>());
    case scalar_kind::int16:
      return nb::int_(read.operator()<std::int16_t>());
    case scalar_kind::int32:
      return nb::int_(read.operator()<std::int32_t>());
    case scalar_kind::int64:
      return nb::int_(read.operator()<std::int64_t>());
    case scalar_kind::uint8:
      return nb::int_(read.operator()<std::uint8_t>());
    case scalar_kind::uint16:
      return nb::int_(read.operator()<std::uint16_t>());
    case scalar_kind::uint32:
      return nb::int_(read.operator()<std::uint32_t>());
    case scalar_kind::uint64:
      return nb::int_(read.operator()<std::uint64_t>());
    case scalar_kind::float32:
      return nb::float_(static_cast<double>(read.operator()<float>()));
    case scalar_kind::float64:
      return nb::float_(read.operator()<double>());
    case scalar_kind::complex64: {
      const auto value = read.operator()<std::complex<float>>();
      return nb::steal(PyComplex_FromDoubles(static_cast<double>(value.real()), static_cast<double>(value.imag())));
    }
    default: {
      const auto value = read.operator()<std::complex<double>>();
      return nb::steal(PyComplex_FromDoubles(value.real(), value.imag()));
    }
  }
}

nb::object nested(const std::byte*& from, const extents& shape, int axis, scalar_kind kind) {
  if (axis == shape.rank()) {
    const nb::object made = element_at(from, kind);
    from += dtype::make(kind).size;
    return made;
  }
  nb::list made;
  for (std::int64_t k = 0; k < shape[axis]; ++k) made.append(nested(from, shape, axis + 1, kind));
  return made;
}

/// Elements as nested lists; a number for an array without axes.
nb::object to_list(nb::handle self) {
  const nd::array& a = self_of(self);
  scalar_kind kind = a.type(call_site{});
  const bool is_half = kind == scalar_kind::float16 || kind == scalar_kind::bfloat16;
  if (is_half) kind = scalar_kind::float32;
  const std::vector<std::byte> bytes =
      in_brief_turn([&] { return a.is_host(); },
                    [&](call_site here) { return nd::elements_of(is_half ? nd::as_type(a, kind, here) : a, here); });
  const std::byte* from = bytes.data();
  return nested(from, a.shape(call_site{}), 0, kind);
}

void bind_layout(nb::class_<held_array>& made) {
  made.def_prop_ro("split", [](nb::handle self) { return to_python(self_of(self).split(call_site{})); })
      .def_prop_ro("device", [](nb::handle self) { return nb::cast(device_object{context_of(self_of(self))}); })
      .def_prop_ro("is_host", [](nb::handle self) { return self_of(self).is_host(); });
}

}  // namespace

void bind_array(nb::module_& module) {
  nb::class_<held_array> made(module, "ndarray", nb::type_slots(array_slots()), nb::is_final(),
                              "An array over all devices and ranks, as in NumPy.");
  array_class = reinterpret_cast<PyTypeObject*>(made.ptr());
  made.def_prop_ro("shape", [](nb::handle self) { return to_python(self_of(self).shape(call_site{})); })
      .def_prop_ro("dtype", [](nb::handle self) { return to_python(self_of(self).type(call_site{})); })
      .def_prop_ro("ndim", [](nb::handle self) { return self_of(self).rank(call_site{}); })
      .def_prop_ro("size", [](nb::handle self) { return self_of(self).size(call_site{}); })
      .def("__complex__",
           [](nb::handle self) {
             const nd::array& a = self_of(self);
             const std::int64_t n = a.size(call_site{});
             if (n != 1)
               throw type_error("complex() of an array with " + std::to_string(n) + " elements: one is needed");
             return in_turn([&](call_site here) {
               return nd::as_type(a, scalar_kind::complex128, here).item<std::complex<double>>(here);
             });
           })
      .def_prop_ro("T",
                   [](nb::handle self) {
                     return of_view(self, [](const nd::array& x, call_site here) { return x.transpose(here); });
                   })
      .def_prop_ro("mT",
                   [](nb::handle self) {
                     return of_view(self,
                                    [](const nd::array& x, call_site here) { return nd::matrix_transpose(x, here); });
                   })
      .def("tolist", &to_list);
  bind_layout(made);
}

}  // namespace tessera::python
