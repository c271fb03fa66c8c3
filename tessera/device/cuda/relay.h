#pragma once

#include <cuda.h>

#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/gpu.h"

namespace tessera::device::cuda {

class stream_queue;

/// Copies between devices through page-locked host memory: where GPUs cannot reach each other's memory, and where
/// TESSERA_PEER=0 asks for it. A buffer comes from the source while the one before it goes to the target. The host only
/// puts this on streams, so it never waits for a GPU. Thread-safe.
class relay {
 public:
  relay() = default;
  /// All copies have ended.
  ~relay();
  relay(const relay&) = delete;
  relay& operator=(const relay&) = delete;

  /// Puts a copy from memory of `source` to memory of the GPU of `on` behind what is on its stream; that GPU is current
  /// and stays so. The result is to be called when the copy has ended.
  [[nodiscard]] std::function<void()> copy(stream_queue& on, gpu& source, const copy_desc& elements);

 private:
  /// A stream of `source` for the copies of one queue alone: a stream that served several queues would make a copy wait
  /// for one that was put there earlier and waits for it.
  [[nodiscard]] CUstream stream_for(const stream_queue& on, const gpu& source);

  std::mutex mutex_;
  std::map<std::pair<const stream_queue*, const gpu*>, CUstream> streams_;
};

}  // namespace tessera::device::cuda
