#include "tessera/algo/skeleton/call.h"

#include "tessera/array/split.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/engine.h"

namespace tessera {

void farm(const std::vector<std::function<void()>>& tasks, const context& ctx) {
  const std::vector<int>& devices = ctx.engine()->machine().automatic_devices();
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    const device_scope place(devices[k % devices.size()]);
    tasks[k]();
  }
}

void farm(std::initializer_list<std::function<void()>> tasks) {
  farm(std::vector<std::function<void()>>(tasks), default_context());
}

}  // namespace tessera
