#pragma once

#include <memory>
#include <vector>

#include "tessera/base/config.h"
#include "tessera/device/backend.h"
#include "tessera/memory/residency.h"

namespace tessera::runtime {

/// The devices of one rank, in the order the user named them, and the backends that drive them.
struct device_set {
  std::vector<std::unique_ptr<device::backend>> backends;
  std::vector<memory::local_device> devices;
  memory::spill_targets below;  ///< What takes what the devices cannot hold.
};

/// What `settings.devices` asks for; by default all GPUs, else one CPU device. Throws `argument_error` for what is no
/// list of devices and `device_error` for GPUs that cannot be used.
[[nodiscard]] device_set make_devices(const options& settings);

/// The delays that TESSERA_DISTURB asks for: of device work, which takes microseconds, and of compiled kernels, which
/// come late.
[[nodiscard]] device::random_delays disturbance_of_devices(const options& settings);
[[nodiscard]] device::random_delays disturbance_of_compilers(const options& settings);

}  // namespace tessera::runtime
