#include "python/src/convert/device_object.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "python/src/call/turn.h"
#include "tessera/array/default_context.h"
#include "tessera/base/text.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::python {
namespace {

namespace nb = nanobind;

/// Gives variables of the environment other values while it lives.
class set_variables {
 public:
  explicit set_variables(const std::map<std::string, std::string>& wanted) {
    for (const auto& [name, value] : wanted) {
      const char* const old = std::getenv(name.c_str());
      old_.emplace_back(name, old != nullptr ? std::optional<std::string>(old) : std::nullopt);
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  ~set_variables() {
    for (const auto& [name, value] : old_)
      if (value)
        setenv(name.c_str(), value->c_str(), 1);
      else
        unsetenv(name.c_str());
  }
  set_variables(const set_variables&) = delete;
  set_variables& operator=(const set_variables&) = delete;

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> old_;
};

/// A context with settings by the names of their variables, which count more than the environment: a program that names
/// them means them. `comm` and `comm_bytes`: where an MPI_Comm is, or 0.
device_object make_device(const std::map<std::string, std::string>& settings, std::uintptr_t comm,
                          std::size_t comm_bytes) {
  return in_turn([&](call_site) {
    const set_variables chosen(settings);
    options how;
    if (comm != 0) how.comm = comm::adopt_communicator(reinterpret_cast<const void*>(comm), comm_bytes);
    return device_object{context(how)};
  });
}

}  // namespace

std::string device_object::name() const {
  const machine_description all = ctx.machine();
  std::map<std::string, int> kinds;
  for (const auto& each : all.devices)
    if (each.rank == 0) ++kinds[each.kind];
  std::string text;
  for (const auto& [kind, count] : kinds) text += cat(text.empty() ? "" : ",", kind, count > 1 ? cat("*", count) : "");
  return all.ranks > 1 ? cat(text, " on ", all.ranks, " ranks") : text;
}

context context_of(const nd::array& a) { return a.owner(call_site{})->ctx(); }

std::optional<context> to_optional_context(nb::handle given) {
  if (given.is_none()) return {};
  device_object* found = nullptr;
  const nb::object named = nb::isinstance<nb::str>(given)
                               ? nb::module_::import_("tessera._device").attr("named_device")(given)
                               : nb::borrow(given);
  if (nb::try_cast(named, found) && found != nullptr) return found->ctx;
  throw type_error(cat("device=", nb::repr(given).c_str(), ": a device of the package, or its name, is needed"));
}

void bind_device(nb::module_& module) {
  nb::class_<device_object>(module, "Device", nb::is_final(), "All devices of all ranks of a context, as one.")
      .def_prop_ro("name", &device_object::name)
      .def_prop_ro("rank", [](const device_object& d) { return d.ctx.rank(); })
      .def_prop_ro("ranks", [](const device_object& d) { return d.ctx.ranks(); })
      .def_prop_ro("devices",
                   [](const device_object& d) {
                     nb::list all;
                     for (const auto& each : d.ctx.machine().devices) {
                       nb::dict one;
                       one["rank"] = each.rank;
                       one["kind"] = each.kind;
                       one["name"] = each.name;
                       one["cores"] = each.cores;
                       one["memory"] = each.memory;
                       all.append(one);
                     }
                     return all;
                   })
      .def("wait", [](const device_object& d) { in_turn([&](call_site) { context(d.ctx).wait(); }); })
      .def("__repr__", [](const device_object& d) { return cat("<tessera device '", d.name(), "'>"); })
      .def("__str__", &device_object::name)
      .def("__hash__", [](const device_object& d) { return reinterpret_cast<std::uintptr_t>(d.ctx.engine().get()); })
      .def(
          "__eq__",
          [](const device_object& d, nb::handle other) {
            device_object* same = nullptr;
            return nb::try_cast(other, same) && same != nullptr && same->ctx.engine() == d.ctx.engine();
          },
          nb::arg().none());
  module.def("default_device", [] { return in_turn([](call_site) { return device_object{default_context()}; }); });
  module.def("make_device", &make_device);
  module.def("forget_default_device", [] { in_turn([](call_site) { forget_default_context(); }); });
  module.def("finalize", [] {
    in_turn([](call_site) { forget_default_context(); });
    refuse_calls();
  });
  module.def("setting_names", [] {
    nb::list names;
    for (const auto& [name, value] : list_settings(options{})) names.append(name);
    return names;
  });
  module.def("set_default_device",
             [](const device_object& d) { in_turn([&](call_site) { set_default_context(d.ctx); }); });
}

}  // namespace tessera::python
