#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/placement/device_choice.h"
#include "tessera/array/context.h"

namespace tessera::algo {

/// Elements that are counted, and then kept, together: a thread block. Containers are cut at multiples of it
/// (container/placement.h), so that chunks of elements that rest as usual lie on one device each, and a core has half a
/// chunk of any type in its first cache. Results do not depend on it.
inline constexpr std::int64_t emit_chunk = 4096;

/// The chunks of `size` elements and the devices that compute them, ascending and without gaps: where the elements of
/// the first container rest of which the call reads different elements in each chunk, unless `where` or the thread's
/// `device_scope` names devices. A chunk that lies on several devices belongs to the one that its beginning is nearest
/// to. None where launches choose by themselves: on one device, and where nothing says where elements rest.
[[nodiscard]] std::vector<slab> chunk_parts(const call& bound, std::int64_t size, const device_choice& where,
                                            const context& ctx);
/// True if the context has one device, on all ranks together.
[[nodiscard]] bool has_one_device(const context& ctx);
/// The split of a launch of a thread block of `threads` threads per chunk.
[[nodiscard]] split split_of_chunks(std::vector<slab> parts, std::int64_t threads);
/// Where one element per chunk rests, or those from offsets[c] to offsets[c + 1] for chunk c: on the device of the
/// chunk.
[[nodiscard]] plan::layout layout_of(const std::vector<slab>& parts);
[[nodiscard]] plan::layout layout_of(std::vector<slab> parts, const std::vector<std::int64_t>& offsets);

}  // namespace tessera::algo
