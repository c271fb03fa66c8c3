#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "tessera/device/backend.h"
#include "tessera/device/cuda/gpu.h"

namespace tessera::device::cuda {

class stream_queue;

[[nodiscard]] std::int64_t bytes_of(const copy_desc& copy);

/// The box as rows of bytes, so that a single element of any size is a box too.
[[nodiscard]] copy_desc as_bytes(const copy_desc& copy);

/// `from`, beginning at its element `to`.
[[nodiscard]] strided moved(const strided& from, const extents& to);

/// A copy as rows of bytes: axes that lie together in both memories are merged, axes of one element are left out.
struct row_copy {
  explicit row_copy(const copy_desc& copy);

  struct axis {
    std::int64_t count = 0, target = 0, source = 0;  // strides in bytes
  };
  std::int64_t row = 0;                   ///< Bytes that lie together.
  int rank = 0;                           ///< Axes besides the row.
  std::array<axis, max_rank + 1> axes{};  ///< Innermost first.
};

/// Enqueues a copy between page-locked host memory and a device, or between devices. The current context is the
/// device's.
void copy_rows(CUstream stream, const copy_desc& copy);

/// Cuts a box into boxes of at most `bytes` (of at least one element), leading axes first, and calls
/// f(first element, count) for each in order.
template <class F>
void for_each_chunk(const extents& count, std::int64_t element_bytes, std::int64_t bytes, const F& f);

/// Does the work that the host has in an operation, one operation after the other on a thread of its own. What lies in
/// pageable memory is moved through page-locked buffers: one is packed or unpacked while others are on the link. A
/// backend has one for each direction.
class stager {
 public:
  stager();
  /// All copies have been resumed.
  ~stager();
  stager(const stager&) = delete;
  stager& operator=(const stager&) = delete;

  /// Each goes on with the operation that `on` handed over, and resumes it. Thread-safe.
  void send(stream_queue& on, const copy_desc& copy) {
    take({&on, [copy](stream_queue& q) { send_blocks(q, copy); }});
  }
  void fetch(stream_queue& on, const copy_desc& copy) {
    take({&on, [copy](stream_queue& q) { fetch_blocks(q, copy); }});
  }
  /// Of host memory alone, such as what came over the network for the user.
  void copy_host(stream_queue& on, const copy_desc& copy);
  void fill_host(stream_queue& on, const fill_desc& fill);

  static constexpr std::int64_t buffer_bytes = std::int64_t{4} << 20;

 private:
  struct job {
    stream_queue* on = nullptr;
    std::function<void(stream_queue&)> work;
  };
  void take(job item);
  void run();
  static void send_blocks(stream_queue& on, const copy_desc& given);
  static void fetch_blocks(stream_queue& on, const copy_desc& given);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<job> jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

/// Copies between host memory and a dense buffer of page-locked memory on the calling thread.
void pack(std::byte* buffer, const copy_desc& from);
void unpack(const copy_desc& to, std::byte* buffer);

template <class F>
void for_each_chunk(const extents& count, std::int64_t element_bytes, std::int64_t bytes, const F& f) {
  extents lo = extents::uniform(count.rank(), 0);
  extents size = count;
  // The first axis whose one step fits is cut into runs of steps; axes before it are walked one by one.
  int cut = 0;
  std::int64_t step = element_bytes;
  for (int k = 1; k < count.rank(); ++k) step *= count[k];
  while (cut + 1 < count.rank() && step > bytes) step /= count[++cut];
  for (int k = 0; k < cut; ++k) size[k] = 1;
  const std::int64_t run = count.rank() == 0 ? 1 : std::max<std::int64_t>(1, bytes / step);
  while (true) {
    if (count.rank() > 0) size[cut] = std::min(run, count[cut] - lo[cut]);
    f(lo, size);
    int k = cut;
    if (count.rank() == 0) return;
    lo[cut] += size[cut];
    while (lo[k] >= count[k]) {
      if (k == 0) return;
      lo[k] = 0;
      ++lo[--k];
    }
  }
}

}  // namespace tessera::device::cuda
