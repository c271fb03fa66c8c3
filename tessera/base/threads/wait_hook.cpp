#include "tessera/base/threads/wait_hook.h"

#include <atomic>

namespace tessera {
namespace {

std::atomic<wait_hook> chosen{nullptr};

}  // namespace

void set_wait_hook(wait_hook hook) noexcept { chosen.store(hook, std::memory_order_release); }

wait_hook current_wait_hook() noexcept { return chosen.load(std::memory_order_acquire); }

}  // namespace tessera
