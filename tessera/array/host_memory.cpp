#include "tessera/array/host_memory.h"

#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/engine.h"

namespace tessera {

/// The engine goes last: the memory is given back to it.
struct host_memory::record {
  std::shared_ptr<runtime::engine> engine;
  std::shared_ptr<std::byte> data;
  std::span<std::byte> bytes;
};

host_memory::host_memory(std::shared_ptr<runtime::engine> engine, std::int64_t bytes) {
  if (bytes < 0) throw argument_error(cat("host memory of ", bytes, " bytes"));
  if (bytes == 0) return;
  auto made = std::make_shared<record>();
  made->data = engine->host_memory(bytes);
  made->bytes = {made->data.get(), static_cast<std::size_t>(bytes)};
  made->engine = std::move(engine);
  memory_ = {made, &made->bytes};
}

}  // namespace tessera
