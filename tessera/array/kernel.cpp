#include "tessera/array/kernel.h"

#include "tessera/array/launch.h"
#include "tessera/base/error.h"
#include "tessera/runtime/engine.h"
#include "tessera/runtime/kernel_library.h"

namespace tessera {

split::split(const tiled& parts) { spec_ = {plan::split_spec::kind::blocks, parts.tile(), 0}; }

split whole() {
  split s;
  s.spec_.how = plan::split_spec::kind::whole;
  return s;
}

split like(const array_base& a) {
  split s;
  s.spec_.how = plan::split_spec::kind::like;
  s.followed_ = a.record();
  return s;
}

kernel::kernel(std::shared_ptr<runtime::engine> engine, std::shared_ptr<const runtime::kernel_entry> entry)
    : engine_(std::move(engine)), entry_(std::move(entry)) {}

const std::string& kernel::name() const { return entry_->name; }

void kernel::launch_with(const launch_options& how, std::span<const argument> args) const {
  if (!entry_) throw argument_error("launch of a kernel that was not loaded");
  engine_->launch(make_request(*engine_, entry_, how, args));
}

std::string kernel::explain_with(const launch_options& how, std::span<const argument> args) const {
  if (!entry_) throw argument_error("explain of a kernel that was not loaded");
  return engine_->explain(make_request(*engine_, entry_, how, args));
}

}  // namespace tessera
