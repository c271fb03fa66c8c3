#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <vector>

#include "python/src/bind.h"
#include "python/src/convert/arguments.h"
#include "python/src/convert/device_object.h"
#include "python/src/convert/held_array.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

nb::dict to_python(const nd::graph_stats& stats) {
  nb::dict made;
  made["nodes"] = stats.nodes;
  made["flushes"] = stats.flushes;
  made["launches"] = stats.launches;
  made["declared_bytes"] = stats.declared_bytes;
  made["inline_operations"] = stats.inline_operations;
  made["kernels"] = stats.kernels;
  made["reused_kernels"] = stats.reused_kernels;
  made["recent"] = stats.recent;
  return made;
}

/// `with fast_math():`
class fast_section {
 public:
  void enter() { on_.emplace(); }
  void exit() { on_.reset(); }

 private:
  std::optional<nd::fast_math> on_;
};

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<fast_section>(
      module, "fast_math", nb::is_final(),
      "In a `with` block: operations that are recorded there may be rounded together, a * b + c once.")
      .def(nb::init<>())
      .def("__enter__", [](fast_section& section) { section.enter(); })
      .def("__exit__", [](fast_section& section, const nb::args&) { section.exit(); });
  module.def("eval", [](nb::handle arrays) {
    const std::vector<nd::array> all = to_arrays(arrays);
    in_turn([&](call_site here) { nd::eval(std::span<const nd::array>(all), here); });
  });
  module.def("fetch", [](nb::handle arrays) {
    const std::vector<nd::array> all = to_arrays(arrays);
    in_turn([&](call_site here) { nd::fetch(std::span<const nd::array>(all), here); });
  });
  module.def("explain", [](nb::handle a) {
    const nd::array& x = require_array(a);
    return in_turn([&](call_site here) { return nd::explain(x, here); });
  });
  module.def("stats", [](const device_object& device) {
    return to_python(in_turn([&](call_site) { return nd::graph::of(device.ctx)->stats(); }));
  });
}

}  // namespace tessera::python
