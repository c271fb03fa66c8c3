#pragma once

#include <functional>
#include <memory>
#include <span>

#include "tessera/array/kernel.h"
#include "tessera/plan/task.h"
#include "tessera/runtime/engine.h"

namespace tessera {

/// Turns a call of `kernels::launch` into a task: checks and converts the arguments, binds the annotation, cuts the
/// launch. Throws `argument_error`; null for a launch without threads.
[[nodiscard]] std::shared_ptr<const plan::launch_task> make_launch(runtime::engine& engine,
                                                                   const runtime::kernel_entry& kernel,
                                                                   const launch_options& how,
                                                                   std::span<const argument> args);

/// The parameters of a kernel as its annotation sees them.
[[nodiscard]] std::vector<plan::parameter_info> infos_of(const std::vector<kernels::parameter>& parameters);

/// `value` as bytes of `type`. Throws `argument_error` that begins with what `name` says if it does not fit.
[[nodiscard]] std::vector<std::byte> convert_scalar(const argument::scalar& value, const dtype& type,
                                                    const std::function<std::string()>& name);

}  // namespace tessera
