#include "tessera/device/cuda/relay.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "tessera/device/cuda/copy.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/cuda/queue.h"

namespace tessera::device::cuda {
namespace {

/// An event of the context that is current when it is made. The driver keeps it until what waits for it has gone on.
class scoped_event {
 public:
  scoped_event() { check(driver().cuEventCreate(&event_, CU_EVENT_DISABLE_TIMING), "making an event"); }
  ~scoped_event() { driver().cuEventDestroy(event_); }
  scoped_event(const scoped_event&) = delete;
  scoped_event& operator=(const scoped_event&) = delete;

  void record(CUstream stream) {
    check(driver().cuEventRecord(event_, stream), "recording an event");
    recorded_ = true;
  }
  /// Has `stream` wait for what was recorded last, if anything was.
  void hold(CUstream stream) const {
    if (recorded_) check(driver().cuStreamWaitEvent(stream, event_, 0), "waiting on a stream");
  }

 private:
  CUevent event_ = nullptr;
  bool recorded_ = false;
};

}  // namespace

relay::~relay() {
  for (const auto& [key, stream] : streams_) {
    key.second->make_current();
    driver().cuStreamDestroy(stream);
  }
}

CUstream relay::stream_for(const stream_queue& on, const gpu& source) {
  const std::lock_guard lock(mutex_);
  CUstream& stream = streams_[{&on, &source}];
  if (stream == nullptr) {
    source.make_current();
    check(driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
  }
  return stream;
}

std::function<void()> relay::copy(stream_queue& on, gpu& source, const copy_desc& elements) {
  const gpu& target = on.hardware();
  const copy_desc bytes = as_bytes(elements);
  const std::int64_t buffer_bytes = std::min(bytes_of(elements), stager::buffer_bytes);
  const CUstream fetching = stream_for(on, source), sending = on.stream();

  source.make_current();
  std::array<scoped_event, 2> fetched;
  target.make_current();
  std::array<scoped_event, 2> sent;
  scoped_event ready;
  ready.record(sending);
  ready.hold(fetching);

  // A call of the driver that fails leaves these buffers to the GPUs, which may still be using them.
  pinned_pool& pool = on.hardware().pinned;
  const std::array<std::byte*, 2> buffers{pool.take(buffer_bytes),
                                          bytes_of(elements) > buffer_bytes ? pool.take(buffer_bytes) : nullptr};
  std::size_t turn = 0;
  for_each_chunk(bytes.count, 1, buffer_bytes, [&](const extents& lo, const extents& count) {
    const std::size_t k = turn++ % buffers.size();
    const std::size_t b = buffers[k] == nullptr ? 0 : k;
    const strided buffer{buffers[b], dense_strides(count, 1)};
    source.make_current();
    sent[b].hold(fetching);
    copy_rows(fetching, {buffer, moved(bytes.source, lo), count, 1});
    fetched[b].record(fetching);
    target.make_current();
    fetched[b].hold(sending);
    copy_rows(sending, {moved(bytes.target, lo), buffer, count, 1});
    sent[b].record(sending);
  });
  return [&pool, buffers, buffer_bytes] {
    for (std::byte* const buffer : buffers)
      if (buffer != nullptr) pool.give(buffer, buffer_bytes);
  };
}

}  // namespace tessera::device::cuda
