#pragma once

#include <cstdint>

#include "benchmarks/skepu/byte_model/call_log.h"

/// The memory management of SkePU's containers, as "Smart Containers and Skeleton Programming for GPU-Based Systems"
/// (Dastgeer, Kessler, 2016) describes it, without any data: which bytes it moves and allocates for given calls.
namespace tessera::bench::skepu {

enum class mechanism : std::uint8_t {
  initial,             ///< Figure 3, with the flush after each call that correct results need on several devices.
  updated,             ///< Figure 5, algorithms 1 and 2; devices exchange data through the main copy.
  updated_with_peers,  ///< As `updated`, with copies from device to device.
};

/// The columns of the paper's Table 1, in bytes.
struct traffic {
  std::int64_t host_to_device = 0;
  std::int64_t within_device = 0;    ///< From one copy to another in the memory of one device.
  std::int64_t between_devices = 0;  ///< The paper's "DTD (peer)".
  std::int64_t device_to_host = 0;
  /// Of device copies, each counted when a call of the loop first uses it. A copy holds the elements that were asked
  /// for; under the initial mechanism it takes the room of the whole container. The paper does not say so: it follows
  /// from its figures, which show the sizes of three containers on two devices for each call of three operands.
  std::int64_t allocated = 0;

  [[nodiscard]] std::int64_t total() const { return host_to_device + within_device + between_devices + device_to_host; }
  bool operator==(const traffic&) const = default;
};

/// What the mechanism moves for these calls on so many devices. Main copies are valid at the beginning.
[[nodiscard]] traffic replay(const call_log& log, mechanism kind, int devices);

}  // namespace tessera::bench::skepu
