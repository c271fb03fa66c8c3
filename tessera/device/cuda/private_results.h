#pragma once

#include <functional>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/compile/builtin.h"
#include "tessera/device/cuda/queue.h"

namespace tessera::device::cuda {

/// Enqueues a launch whose blocks own private results. Blocks run in waves that fit into a bounded scratch buffer: each
/// block's result begins at the identity in a slot of its own with the array's strides, reached through a table of
/// addresses; then the results of blocks that declare the same element are combined in an order that depends on the
/// launch alone, never on timing, and go to the target. A launch that is `in_order` has them folded one after the
/// other. Slots, tables and combinations are made by built-in kernels: the host does the same for any number of blocks,
/// and nothing waits for it. `enqueue(begin, end, results)` puts the kernel itself on the stream, for the blocks
/// [begin, end). Returns what to do when all of it has ended.
std::function<void()> launch_private(
    stream_queue& on, builtin_kernels& builtins, const launch_desc& launch,
    const std::function<void(const extents& begin, const extents& end, CUdeviceptr results)>& enqueue);

}  // namespace tessera::device::cuda
