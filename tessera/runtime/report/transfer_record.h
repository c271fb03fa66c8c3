#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tessera/base/call_site.h"
#include "tessera/base/geometry/box.h"
#include "tessera/device/device_link.h"

namespace tessera {

/// The ways that bytes of arrays take. `statistics` counts the bytes of each under the same name; what goes to the disk
/// is counted there once more.
enum class link_kind : std::uint8_t {
  host_to_device,
  device_to_host,
  device_to_device,
  sent,          ///< To another rank.
  received,      ///< From another rank.
  spilled,       ///< Out of a device's memory for want of room.
  reloaded,      ///< Back into it.
  disk_written,  ///< For want of room in host memory.
  disk_read,
};
inline constexpr std::array<std::string_view, 9> link_names{"host to device", "device to host", "device to device",
                                                            "sent",           "received",       "spilled",
                                                            "reloaded",       "disk written",   "disk read"};

/// One movement of elements of an array, told when it is issued (rule H27).
struct transfer_record {
  std::string array;     ///< Its name; see `array_base::set_name`.
  box bounds;            ///< In the array's own coordinates; without axes where a spill moves whole pages.
  std::string from, to;  ///< "host", "cpu:0", "rank 2", "disk".
  std::int64_t bytes = 0;
  link_kind link = link_kind::host_to_device;
  call_site launch;                     ///< The call that wants it; line 0 if that is not known.
  device_link way = device_link::same;  ///< Of a movement from device to device.
};

/// "x [0:4] 16 bytes, host to device, host -> cpu:1, for main.cpp:12"; between devices "device to device (same)".
[[nodiscard]] std::string to_string(const transfer_record& record);

}  // namespace tessera
