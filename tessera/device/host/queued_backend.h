#pragma once

#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/host/heap.h"
#include "tessera/device/host/strand.h"

namespace tessera::device {

/// What all backends whose queues are strands have in common: the devices, their memory and their queues. A derived
/// class says how operations are carried out, and ends its queues before anything that they use.
class queued_backend : public backend {
 public:
  [[nodiscard]] kernel_language language() const override { return kernel_language::cpu; }
  [[nodiscard]] std::span<const device_info> devices() const override { return devices_; }
  [[nodiscard]] bool shares_host_memory() const override { return true; }
  [[nodiscard]] std::byte* allocate(int device, std::int64_t bytes) override;
  [[nodiscard]] bool back(int device, std::byte* data, std::int64_t begin, std::int64_t end) override;
  void unback(int device, std::byte* data, std::int64_t begin, std::int64_t end) noexcept override;
  [[nodiscard]] std::int64_t guard_bytes(int device, std::int64_t bytes) const override;
  [[nodiscard]] std::int64_t page_bytes(int device, std::int64_t bytes) const override;
  void deallocate(int device, std::byte* data, std::int64_t bytes) noexcept override;

  [[nodiscard]] std::byte* allocate_host(std::int64_t bytes) override { return host_.allocate(bytes); }
  void deallocate_host(std::byte* data, std::int64_t bytes) noexcept override { host_.deallocate(data, bytes); }

  [[nodiscard]] bool can_wait(const event& e) const override { return strand::can_wait(e); }
  event copy(const order& ordering, const copy_desc& copy) override { return enqueue(ordering, copy); }
  event fill(const order& ordering, fill_desc fill) override { return enqueue(ordering, std::move(fill)); }
  event fold(const order& ordering, const fold_desc& fold) override { return enqueue(ordering, fold); }
  event native(const order& ordering, native_function function) override {
    return enqueue(ordering, native_work{std::move(function), ordering.watch});
  }

 protected:
  /// Devices are named `kind`:0, `kind`:1, ...
  queued_backend(const std::string& kind, const cpu_options& options);

  /// Makes the queues of the next device, which `runner` serves. Once per device.
  void add_queues(operation_runner& runner);
  /// Waits for everything enqueued; the queues are gone afterwards.
  void end_queues() { strands_.clear(); }
  event enqueue(const order& ordering, work&& verb);
  [[nodiscard]] device_heap& memory_of(int device) { return heaps_[static_cast<std::size_t>(device)]; }

 private:
  std::vector<device_info> devices_;
  std::deque<device_heap> heaps_;
  device_heap host_{std::numeric_limits<std::int64_t>::max()};
  std::deque<strand> strands_;
  random_delays disturbance_;
};

}  // namespace tessera::device
