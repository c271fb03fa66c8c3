#pragma once

#include <nanobind/nanobind.h>
#include <tessera/nd.h>

#include <optional>
#include <string>

namespace tessera::python {

/// A context as Python sees it: all devices of all ranks, as one.
struct device_object {
  context ctx;

  /// "cpu", "cuda*4", "cpu*2 on 3 ranks".
  [[nodiscard]] std::string name() const;
};

[[nodiscard]] context context_of(const nd::array& a);
/// A device or the name of one; nothing for None.
[[nodiscard]] std::optional<context> to_optional_context(nanobind::handle given);

void bind_device(nanobind::module_& module);

}  // namespace tessera::python
