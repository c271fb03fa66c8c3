#include "tessera/device/host/queued_backend.h"

#include <unistd.h>

#include <algorithm>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::device {
namespace {

std::int64_t machine_memory() {
  static const auto bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return bytes;
}

}  // namespace

queued_backend::queued_backend(const std::string& kind, const cpu_options& options)
    : disturbance_(options.disturbance) {
  if (options.devices < 1) throw argument_error(cat("a backend needs at least one device, not ", options.devices));
  if (options.cores < 0) throw argument_error(cat("a backend cannot use ", options.cores, " cores"));
  if (options.memory < 0) throw argument_error(cat("a device cannot have ", options.memory, " bytes of memory"));
  const int cores = options.cores > 0 ? options.cores : worker_pool::machine_cores();
  const std::int64_t memory = options.memory > 0 ? options.memory : machine_memory() / options.devices;
  for (int d = 0; d < options.devices; ++d) {
    const int share = cores / options.devices + (d < cores % options.devices ? 1 : 0);
    devices_.push_back({kind + ':' + std::to_string(d), std::max(1, share), memory});
    heaps_.emplace_back(memory);
  }
}

void queued_backend::add_queues(operation_runner& runner) {
  for (int q = 0; q < queues_per_device; ++q)
    strands_.emplace_back(runner, disturbance_, strands_.size(), static_cast<queue_kind>(q) != queue_kind::compute);
}

std::byte* queued_backend::allocate(int device, std::int64_t bytes) {
  return heaps_.at(static_cast<std::size_t>(device)).allocate(bytes);
}

bool queued_backend::back(int device, std::byte* data, std::int64_t begin, std::int64_t end) {
  return heaps_.at(static_cast<std::size_t>(device)).back(data, begin, end);
}

void queued_backend::unback(int device, std::byte* data, std::int64_t begin, std::int64_t end) noexcept {
  heaps_[static_cast<std::size_t>(device)].unback(data, begin, end);
}

std::int64_t queued_backend::guard_bytes(int device, std::int64_t bytes) const {
  return heaps_[static_cast<std::size_t>(device)].guard_bytes(bytes);
}

std::int64_t queued_backend::page_bytes(int device, std::int64_t bytes) const {
  return heaps_[static_cast<std::size_t>(device)].page_bytes(bytes);
}

void queued_backend::deallocate(int device, std::byte* data, std::int64_t bytes) noexcept {
  heaps_[static_cast<std::size_t>(device)].deallocate(data, bytes);
}

event queued_backend::enqueue(const order& ordering, work&& verb) {
  const int index = ordering.queue.device * queues_per_device + static_cast<int>(ordering.queue.kind);
  if (index < 0 || index >= static_cast<int>(strands_.size()))
    throw argument_error(cat("there is no device ", ordering.queue.device, " among ", devices_.size()));
  return strands_[static_cast<std::size_t>(index)].enqueue(ordering, std::move(verb));
}

}  // namespace tessera::device
