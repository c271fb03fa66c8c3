#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tessera/runtime/report/transfer_record.h"

namespace tessera {

/// What some launches would do on this rank if they were submitted now, one after the other (rule H30). Bytes are
/// exact; spilling is not foreseen.
struct rehearsal {
  std::array<std::int64_t, link_names.size()> bytes{};  ///< By `link_kind`.
  std::vector<std::int64_t> peak_bytes;                 ///< That each device of this rank would hold.
  double transfer_seconds = 0;  ///< At the link speeds of the machine table, if devices move data beside each other.
  std::int64_t superblocks = 0;
  std::int64_t copies = 0;
  std::int64_t messages = 0;  ///< Sent.

  [[nodiscard]] std::int64_t bytes_over(link_kind link) const { return bytes[static_cast<std::size_t>(link)]; }
};

/// A line for each link that is used and for each device.
[[nodiscard]] std::string to_string(const rehearsal& r);

}  // namespace tessera
