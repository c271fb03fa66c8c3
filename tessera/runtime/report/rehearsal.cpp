#include "tessera/runtime/report/rehearsal.h"

#include "tessera/base/text.h"

namespace tessera {

std::string to_string(const rehearsal& r) {
  std::string text;
  for (std::size_t k = 0; k < r.bytes.size(); ++k)
    if (r.bytes[k] > 0) text += cat("  ", r.bytes[k], " bytes ", link_names[k], "\n");
  if (r.transfer_seconds > 0) text += cat("  transfers take at least ", r.transfer_seconds, " s\n");
  for (std::size_t d = 0; d < r.peak_bytes.size(); ++d)
    text += cat("  device ", d, " holds ", r.peak_bytes[d], " bytes\n");
  return text;
}

}  // namespace tessera
