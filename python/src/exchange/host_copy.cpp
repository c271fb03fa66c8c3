#include "python/src/exchange/host_copy.h"

#include "python/src/call/exceptions.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/buffer.h"
#include "python/src/convert/dtype_object.h"
#include "python/src/convert/held_array.h"
#include "tessera/base/index.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

int show_memory(PyObject* self, Py_buffer* view, int flags) {
  auto& copy = *nb::inst_ptr<host_copy>(self);
  const char* const format = buffer_format(copy.kind);
  if (format == nullptr) {
    PyErr_SetString(PyExc_BufferError, "the buffer protocol has no bfloat16; astype(float32) has the same numbers");
    view->obj = nullptr;
    return -1;
  }
  *view = {};
  view->obj = self;
  Py_INCREF(self);
  view->buf = copy.bytes.data();
  view->len = static_cast<Py_ssize_t>(copy.bytes.size());
  view->itemsize = dtype::make(copy.kind).size;
  view->ndim = copy.shape.rank();
  view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(format) : nullptr;
  view->shape = (flags & PyBUF_ND) != 0 ? const_cast<Py_ssize_t*>(copy.shape.begin()) : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? copy.strides.data() : nullptr;
  return 0;
}

static_assert(std::is_same_v<Py_ssize_t, std::int64_t>, "extents are shown as they are");

}  // namespace

host_copy::host_copy(std::vector<std::byte> elements, const extents& its_shape, scalar_kind its_kind)
    : bytes(std::move(elements)),
      shape(its_shape),
      steps(index(its_shape.rank())),
      strides(index(its_shape.rank())),
      kind(its_kind) {
  std::int64_t step = 1;
  for (int k = shape.rank() - 1; k >= 0; --k) {
    steps[index(k)] = step;
    strides[index(k)] = step * dtype::make(kind).size;
    step *= std::max<std::int64_t>(shape[k], 1);
  }
}

void bind_host_copy(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(&show_memory)}, {0, nullptr}};
  nb::class_<host_copy>(module, "HostCopy", nb::type_slots(slots), nb::is_final(),
                        "Elements of an array in memory of the host.");
  module.def("from_bytes", [](nb::bytes elements, nb::handle shape, nb::handle type) {
    const extents n = to_shape(shape);
    const scalar_kind kind = to_kind(type);
    const std::span<const std::byte> bytes(static_cast<const std::byte*>(elements.data()), elements.size());
    return to_python(in_turn([&](call_site here) { return nd::from_bytes(n, kind, bytes, {}, here); }));
  });
  module.def("host_copy", [](nb::handle a) {
    const nd::array& x = require_array(a);
    std::vector<std::byte> bytes =
        in_brief_turn([&] { return x.is_host(); }, [&](call_site here) { return nd::elements_of(x, here); });
    return host_copy(std::move(bytes), x.shape(call_site{}), x.type(call_site{}));
  });
}

}  // namespace tessera::python
