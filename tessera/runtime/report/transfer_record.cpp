#include "tessera/runtime/report/transfer_record.h"

#include "tessera/base/text.h"

namespace tessera {

std::string to_string(const transfer_record& record) {
  const std::string_view way = device_link_names[static_cast<std::size_t>(record.way)];
  return cat(record.array, " ", record.bounds.rank() > 0 ? to_string(record.bounds) + " " : "", record.bytes,
             " bytes, ", link_names[static_cast<std::size_t>(record.link)],
             record.link == link_kind::device_to_device ? cat(" (", way, ")") : "", ", ", record.from, " -> ",
             record.to, record.launch.line > 0 ? cat(", for ", record.launch.file, ":", record.launch.line) : "");
}

}  // namespace tessera
