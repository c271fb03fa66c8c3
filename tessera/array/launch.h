#pragma once

#include <memory>
#include <span>

#include "tessera/array/kernel.h"
#include "tessera/runtime/kernel_library.h"
#include "tessera/runtime/launch_request.h"

namespace tessera {

/// Turns a call of `kernel::launch` into a request: checks and converts the arguments and binds the annotation. Throws
/// `argument_error`. A launch without threads has neither arguments nor accesses.
[[nodiscard]] runtime::launch_request make_request(const runtime::engine& engine,
                                                   const std::shared_ptr<const runtime::kernel_entry>& kernel,
                                                   const launch_options& settings, std::span<const argument> args);

/// The parameters of a kernel as its annotation sees them.
[[nodiscard]] std::vector<plan::parameter_info> infos_of(std::span<const kernels::parameter> parameters);

}  // namespace tessera
