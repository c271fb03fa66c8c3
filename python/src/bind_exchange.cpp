#include <nanobind/stl/string.h>

#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/device_object.h"
#include "python/src/convert/held_array.h"
#include "python/src/exchange/dlpack.h"
#include "python/src/exchange/host_copy.h"
#include "tessera/plan/machine.h"
#include "tessera/plan/partition.h"
#include "tessera/runtime/array_record.h"
#include "tessera/runtime/engine.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// The engine array of what is read: of views and host values, that of a copy.
array_base stored_elements(const nd::array& x, call_site here) {
  return (x.is_whole() && !x.is_host() ? x : nd::copy(x, here)).engine_array(here);
}

nb::tuple corners(const box& b) { return nb::make_tuple(to_python(b.lo), to_python(b.hi)); }

/// The parts that rest on this rank: the first and the last place of each.
nb::list own_boxes(nb::handle a) {
  const nd::array& x = require_array(a);
  const std::vector<box> boxes = in_turn([&](call_site here) {
    const array_base elements = stored_elements(x, here);
    return elements.own_boxes();
  });
  nb::list all;
  for (const box& each : boxes) all.append(corners(each));
  return all;
}

/// The corners of the parts of each rank. The same on all ranks.
nb::list parts_of_ranks(nb::handle a) {
  const nd::array& x = require_array(a);
  const auto boxes = in_turn([&](call_site here) {
    const array_base elements = stored_elements(x, here);
    const plan::machine_table& machine = context_of(x).engine()->machine();
    std::vector<std::vector<box>> all;
    for (int node = 0; node < machine.node_count(); ++node)
      all.push_back(
          plan::own_boxes(*elements.record()->home, machine.devices(node_id(node)), box::whole(elements.shape())));
    return all;
  });
  nb::list all;
  for (const std::vector<box>& of_rank : boxes) {
    nb::list parts;
    for (const box& each : of_rank) parts.append(corners(each));
    all.append(parts);
  }
  return all;
}

/// The parts that rest on this rank: the place of the first element of each, and the elements.
nb::list own_parts(nb::handle a) {
  const nd::array& x = require_array(a);
  std::vector<box> boxes;
  std::vector<std::byte> bytes;
  in_turn([&](call_site here) {
    const array_base elements = stored_elements(x, here);
    boxes = elements.own_boxes();
    std::int64_t count = 0;
    for (const box& each : boxes) count += each.volume();
    bytes.resize(static_cast<std::size_t>(count) * dtype::make(x.type(here)).size);
    elements.read_own_bytes(bytes, here);
  });
  nb::list all;
  const std::byte* from = bytes.data();
  for (const box& each : boxes) {
    extents shape = each.hi;
    for (int k = 0; k < each.rank(); ++k) shape[k] = each.extent(k);
    const std::size_t size = static_cast<std::size_t>(each.volume()) * dtype::make(x.type(call_site{})).size;
    all.append(nb::make_tuple(to_python(each.lo),
                              host_copy(std::vector<std::byte>(from, from + size), shape, x.type(call_site{}))));
    from += size;
  }
  return all;
}

}  // namespace

void bind_exchange(nb::module_& module) {
  bind_host_copy(module);
  bind_dlpack(module);
  module.def("own_boxes", &own_boxes);
  module.def("own_parts", &own_parts);
  module.def("parts_of_ranks", &parts_of_ranks);
}

}  // namespace tessera::python
