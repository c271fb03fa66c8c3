#pragma once

#include "tessera/device/backend.h"
#include "tessera/device/cpu/run/launch.h"
#include "tessera/device/host/heap.h"
#include "tessera/device/host/strand.h"

namespace tessera::device {

/// Carries out the operations of one CPU device, large ones on all of its cores.
class cpu_executor final : public executor {
 public:
  /// `memory` and `costs` outlive the executor; `costs` may be shared.
  cpu_executor(int device, int cores, device_heap& memory, cost_memory& costs)
      : device_(device), cores_(cores), memory_(memory), costs_(costs) {}

  [[nodiscard]] int cores() const override { return cores_; }
  bool execute(work& what, crew& team) override;

 private:
  bool execute(copy_desc& what, crew& team) const;
  bool execute(fill_desc& what, crew& team) const;
  bool execute(fold_desc& what, crew& team) const;
  bool execute(launch_work& what, crew& team) const;
  bool execute(native_work& what, crew& team) const;
  bool execute_private(launch_work& what, crew& team) const;
  void run_part(launch_work& what, std::int64_t part) const;
  template <class F>
  bool share_items(std::int64_t items, std::int64_t bytes, crew& team, F f) const;

  int device_;
  int cores_;
  device_heap& memory_;
  cost_memory& costs_;
};

}  // namespace tessera::device
