#include "tessera/array/kernel.h"

#include "tessera/array/launch.h"
#include "tessera/base/error.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/kernel_library.h"

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

}  // namespace tessera
