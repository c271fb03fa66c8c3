#include "tessera/array/kernel.h"

#include "tessera/array/launch.h"
#include "tessera/array/scalar.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/variables/file_variables.h"

namespace tessera {

kernel::kernel(std::shared_ptr<runtime::engine> engine, std::shared_ptr<const runtime::kernel_entry> entry)
    : engine_(std::move(engine)), entry_(std::move(entry)) {}

const std::string& kernel::name() const { return entry_->name; }

void kernel::launch_with(const launch_options& settings, std::span<const argument> args) const {
  if (!entry_) throw argument_error("launch of a kernel that was not loaded");
  engine_->launch(make_request(*engine_, entry_, settings, args));
}

std::string kernel::explain_with(const launch_options& settings, std::span<const argument> args) const {
  if (!entry_) throw argument_error("explain of a kernel that was not loaded");
  return engine_->explain(make_request(*engine_, entry_, settings, args));
}

std::string kernel::tier() const {
  if (!entry_) throw argument_error("the tier of a kernel that was not loaded");
  return engine_->tier_of(*entry_);
}

void kernel::set_bytes(std::string_view variable, std::span<const std::byte> contents, const dtype& type,
                       call_site here) const {
  if (!entry_) throw argument_error("set of a kernel that was not loaded");
  engine_->set_variable(*entry_, variable, contents, type, here);
}

void kernel::set_value(std::string_view variable, const argument::scalar& value, call_site here) const {
  if (!entry_) throw argument_error("set of a kernel that was not loaded");
  const kernels::file_variable& v = runtime::file_variables::find(*entry_, variable, here);
  if (v.is_struct || v.axes > 0 || v.holds_addresses || v.is_const)
    return engine_->set_variable(*entry_, variable, value.bytes, value.type, here);
  const std::vector<std::byte> converted =
      convert_scalar(value, v.type, [&] { return cat(here.file, ":", here.line, ": set(\"", variable, "\")"); });
  engine_->set_variable(*entry_, variable, converted, v.type, here);
}

std::vector<std::byte> kernel::get_bytes(std::string_view variable, const dtype& type, call_site here) const {
  if (!entry_) throw argument_error("get of a kernel that was not loaded");
  return engine_->get_variable(*entry_, variable, type, here);
}

}  // namespace tessera
