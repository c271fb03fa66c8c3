#include "tessera/memory/report.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::memory {

std::string describe_memories(const span_table& spans, const image_store& images) {
  std::string text;
  for (std::size_t d = 0; d < spans.devices().size(); ++d)
    text += cat(spans.devices()[d].info().name, " holds ", spans.pools()[d].used, " of ", spans.pools()[d].budget,
                " bytes; ");
  text += cat(images.describe(), "; live arrays:");
  for (const auto& [id, e] : spans.arrays())
    if (e.host == nullptr)
      text += cat("\n  array ", id.value, " ", to_string(e.format.shape), ": ", e.format.bytes, " bytes");
  return text;
}

void throw_out_of_memory(const span_table& spans, const image_store& images, std::int32_t device, std::int64_t bytes,
                         array_id wanted) {
  const device::device_info& info = spans.devices()[static_cast<std::size_t>(device)].info();
  throw out_of_memory(cat("no room for ", bytes, " bytes of array ", wanted.value, " on device ", info.name,
                          ", which may hold ", info.memory,
                          " (TESSERA_DEVICE_MEMORY): ", describe_memories(spans, images)));
}

}  // namespace tessera::memory
