#include "tessera/memory/spill/host_pool.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::memory {

std::byte* host_pool::take(const local_device& on, std::int64_t bytes) {
  if (!has_room(bytes)) return nullptr;
  std::byte* const data = on.backend->allocate_host(bytes);
  if (data != nullptr) images_ += bytes;
  return data;
}

void host_pool::give(const local_device& on, std::byte* data, std::int64_t bytes) noexcept {
  on.backend->deallocate_host(data, bytes);
  images_ -= bytes;
}

std::shared_ptr<std::byte> host_pool::lend(const local_device& on, std::int64_t bytes) {
  std::int64_t before = lent_;
  do {
    if (bytes > lendable_ - before)
      throw out_of_memory(cat("no host memory of ", bytes, " bytes for the program: on this machine it may have ",
                              lendable_, " in all, and has ", before));
  } while (!lent_.compare_exchange_weak(before, before + bytes));
  std::byte* const data = on.backend->allocate_host(bytes);
  if (data == nullptr) {
    lent_ -= bytes;
    throw out_of_memory(cat("no host memory of ", bytes, " bytes for the program: the system has not that much left"));
  }
  return {data, [this, backend = on.backend, bytes](std::byte* lent) {
            backend->deallocate_host(lent, bytes);
            lent_ -= bytes;
          }};
}

std::string host_pool::describe() const {
  const std::int64_t lent = lent_;
  return cat(used(), " of ", budget_, " bytes, ", messages_->used(), " of them for messages",
             lent == 0 ? "" : cat(", ", lent, " lent to the program"));
}

}  // namespace tessera::memory
