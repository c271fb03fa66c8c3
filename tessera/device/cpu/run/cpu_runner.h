#pragma once

#include "tessera/device/backend.h"
#include "tessera/device/cpu/run/launch.h"
#include "tessera/device/host/heap.h"
#include "tessera/device/host/strand.h"

namespace tessera::device {

/// Carries out the operations of one CPU device, large ones on all of its cores.
class cpu_runner final : public operation_runner {
 public:
  /// `memory` and `costs` outlive the runner; `costs` may be shared.
  cpu_runner(int device, int cores, device_heap& memory, cost_table& costs)
      : device_(device), cores_(cores), memory_(memory), costs_(costs) {}

  [[nodiscard]] int cores() const override { return cores_; }
  bool execute(work& verb, worker_team& team) override;

 private:
  bool execute(copy_desc& copy, worker_team& team) const;
  bool execute(fill_desc& fill, worker_team& team) const;
  bool execute(fold_desc& fold, worker_team& team) const;
  bool execute(launch_work& launch, worker_team& team) const;
  bool execute(native_work& native, worker_team& team) const;
  bool execute_private(launch_work& launch, worker_team& team) const;
  void run_part(launch_work& launch, std::int64_t part) const;
  template <class F>
  bool share_items(std::int64_t items, std::int64_t bytes, worker_team& team, F f) const;

  int device_;
  int cores_;
  device_heap& memory_;
  cost_table& costs_;
};

}  // namespace tessera::device
