#pragma once

#include <cstdint>
#include <string>

#include "tessera/base/ids.h"
#include "tessera/memory/span_table.h"
#include "tessera/memory/spill/image_store.h"

/// Texts about all memories of this rank. Both functions need the lock of memory.
namespace tessera::memory {

/// "cpu:0 holds 3 of 4 bytes; ...": every memory and the live arrays.
[[nodiscard]] std::string describe_memories(const span_table& spans, const image_store& images);

/// An `out_of_memory` with all of that.
[[noreturn]] void throw_out_of_memory(const span_table& spans, const image_store& images, std::int32_t device,
                                      std::int64_t bytes, array_id wanted);

}  // namespace tessera::memory
