#include "python/src/exchange/dlpack.h"

#include <tessera/nd.h>

#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "python/src/convert/arguments.h"
#include "python/src/convert/held_array.h"
#include "python/src/exchange/host_copy.h"
#include "tessera/base/text.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

constexpr std::int32_t on_cpu = 1, page_locked = 3;
constexpr std::uint64_t is_copied = 2;
enum type_code : std::uint8_t { whole = 0, natural = 1, real = 2, brain = 4, complex_number = 5, truth = 6 };

dl_type type_of(scalar_kind kind) {
  const auto bits = static_cast<std::uint8_t>(8 * dtype::make(kind).size);
  if (kind == scalar_kind::boolean) return {truth, bits, 1};
  if (kind == scalar_kind::bfloat16) return {brain, bits, 1};
  if (kind <= scalar_kind::int64) return {whole, bits, 1};
  if (kind <= scalar_kind::uint64) return {natural, bits, 1};
  return {kind <= scalar_kind::float64 ? real : complex_number, bits, 1};
}

scalar_kind kind_of(const dl_type& type) {
  for (int k = 0; k < static_cast<int>(scalar_kind::structure); ++k) {
    const dl_type own = type_of(static_cast<scalar_kind>(k));
    if (own.code == type.code && own.bits == type.bits && type.lanes == 1) return static_cast<scalar_kind>(k);
  }
  throw type_error(cat("DLPack's type with code ", int{type.code}, ", ", int{type.bits}, " bits and ", type.lanes,
                       " lanes is no type of arrays"));
}

dl_tensor describe(host_copy& copy) {
  return {copy.bytes.data(),
          {on_cpu, 0},
          copy.shape.rank(),
          type_of(copy.kind),
          const_cast<std::int64_t*>(copy.shape.begin()),
          copy.steps.data(),
          0};
}

template <class Managed>
void release(Managed* shown) {
  delete static_cast<host_copy*>(shown->owner);
  delete shown;
}

/// For a capsule that nobody took.
template <class Managed>
void drop(PyObject* capsule, const char* name) {
  if (PyCapsule_IsValid(capsule, name) == 0) return;
  auto* const shown = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  shown->release(shown);
}

nb::object show(host_copy&& elements, bool is_versioned) {
  auto copy = std::make_unique<host_copy>(std::move(elements));
  PyObject* capsule = nullptr;
  if (is_versioned) {
    auto shown = std::make_unique<dl_managed_versioned>(
        dl_managed_versioned{{1, 0}, copy.get(), &release<dl_managed_versioned>, is_copied, describe(*copy)});
    capsule = PyCapsule_New(shown.get(), "dltensor_versioned",
                            [](PyObject* c) { drop<dl_managed_versioned>(c, "dltensor_versioned"); });
    if (capsule != nullptr) static_cast<void>(shown.release());
  } else {
    auto shown = std::make_unique<dl_managed>(dl_managed{describe(*copy), copy.get(), &release<dl_managed>});
    capsule = PyCapsule_New(shown.get(), "dltensor", [](PyObject* c) { drop<dl_managed>(c, "dltensor"); });
    if (capsule != nullptr) static_cast<void>(shown.release());
  }
  if (capsule == nullptr) throw nb::python_error();
  static_cast<void>(copy.release());
  return nb::steal(capsule);
}

void copy_rows(std::byte*& to, const std::byte* from, const dl_tensor& t, int axis, std::size_t size) {
  if (axis == t.rank) {
    std::memcpy(to, from, size);
    to += size;
    return;
  }
  for (std::int64_t k = 0; k < t.shape[axis]; ++k)
    copy_rows(to, from + k * t.steps[axis] * static_cast<std::int64_t>(size), t, axis + 1, size);
}

nd::array copy_of(const dl_tensor& t, const nd::array_options& options) {
  if (t.device.kind != on_cpu && t.device.kind != page_locked)
    throw nb::buffer_error(
        "DLPack shows memory of a device; ask for a copy on the CPU: from_dlpack(x, device='cpu') of its library");
  const scalar_kind kind = kind_of(t.type);
  const std::size_t size = dtype::make(kind).size;
  const extents shape(std::span<const std::int64_t>(t.shape, static_cast<std::size_t>(t.rank)));
  const auto* const from = static_cast<const std::byte*>(t.data) + t.offset;
  std::vector<std::byte> together;
  std::span<const std::byte> elements(from, static_cast<std::size_t>(nd::element_count(shape)) * size);
  if (t.steps != nullptr) {
    together.resize(elements.size());
    std::byte* to = together.data();
    if (!together.empty()) copy_rows(to, from, t, 0, size);
    elements = together;
  }
  return in_turn([&](call_site here) { return nd::from_bytes(shape, kind, elements, options, here); });
}

/// Copies what a capsule of the name holds, which is used up by that; nothing for a capsule of another name.
template <class Managed>
std::optional<nd::array> take(PyObject* capsule, const char* name, const char* used, const nd::array_options& options) {
  if (PyCapsule_IsValid(capsule, name) == 0) return {};
  auto* const shown = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if constexpr (std::is_same_v<Managed, dl_managed_versioned>) {
    if (shown->version.major > 1) throw nb::buffer_error("this is DLPack of a version that is not known; 1.x is");
  }
  nd::array made = copy_of(shown->tensor, options);
  PyCapsule_SetName(capsule, used);
  if (shown->release != nullptr) shown->release(shown);
  return made;
}

}  // namespace

void bind_dlpack(nb::module_& module) {
  module.def("to_dlpack",
             [](host_copy& elements, bool is_versioned) { return show(host_copy(elements), is_versioned); });
  module.def(
      "from_dlpack",
      [](nb::handle capsule, nb::handle device, nb::handle split) {
        const nd::array_options options = to_options(device, split);
        auto made = take<dl_managed_versioned>(capsule.ptr(), "dltensor_versioned", "used_dltensor_versioned", options);
        if (!made) made = take<dl_managed>(capsule.ptr(), "dltensor", "used_dltensor", options);
        if (!made) throw nb::buffer_error("a capsule of DLPack is needed that nobody took before");
        return to_python(std::move(*made));
      },
      nb::arg(), nb::arg().none(), nb::arg().none());
}

}  // namespace tessera::python
