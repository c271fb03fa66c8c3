#pragma once

#include <functional>
#include <initializer_list>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/array/kernel.h"

namespace tessera {

/// Launches a CUDA kernel on containers, parts of containers, numbers and structs: `ts::call(k, {.threads = {n}}, v, m,
/// 3)`. Returns at once; a launch of no threads does nothing. Throws `argument_error`.
template <class... Args>
void call(const kernel& function, const launch_options& settings, const Args&... args) {
  for (const extents& shape : {settings.threads, settings.grid})
    if (shape.rank() > 0 && box::whole(shape).volume() == 0) return;
  function.launch(settings, args...);
}

/// Runs functions of the program one after the other, the launches of task k on device k mod p of the p devices of
/// `ctx` that launches choose from; launches that name a split keep it. Since launches return at once, those of
/// different tasks run at the same time. Tasks may call skeletons, `call` and kernels.
void farm(const std::vector<std::function<void()>>& tasks, const context& ctx);
void farm(std::initializer_list<std::function<void()>> tasks);

}  // namespace tessera
