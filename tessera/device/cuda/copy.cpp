#include "tessera/device/cuda/copy.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "tessera/base/threads/thread_name.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/cuda/queue.h"
#include "tessera/device/host/strided.h"

namespace tessera::device::cuda {
namespace {

constexpr std::int64_t most_pitch = 0x7fffffff;  // of what the driver copies in one call

CUdeviceptr number(const std::byte* p) { return reinterpret_cast<CUdeviceptr>(p); }

bool fits_2d(const row_copy& r) {
  return r.axes[0].target >= r.row && r.axes[0].source >= r.row &&
         std::max(r.axes[0].target, r.axes[0].source) <= most_pitch;
}

bool fits_3d(const row_copy& r) {
  const row_copy::axis &rows = r.axes[0], &planes = r.axes[1];
  return fits_2d(r) && planes.target > 0 && planes.source > 0 && planes.target % rows.target == 0 &&
         planes.source % rows.source == 0 && planes.target / rows.target >= rows.count &&
         planes.source / rows.source >= rows.count;
}

/// What the driver's copies of two and of three axes have in common.
template <class Description>
Description rows_of(const row_copy& r, std::byte* target, std::byte* source) {
  Description c{};
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  c.srcDevice = number(source);
  c.dstDevice = number(target);
  c.WidthInBytes = static_cast<std::size_t>(r.row);
  c.Height = static_cast<std::size_t>(r.axes[0].count);
  c.srcPitch = static_cast<std::size_t>(r.axes[0].source);
  c.dstPitch = static_cast<std::size_t>(r.axes[0].target);
  return c;
}

/// False if the driver does not take it: what lies between rows may have no memory, which it refuses although nothing
/// there is copied.
bool copy_plane(CUstream stream, const row_copy& r, std::byte* target, std::byte* source) {
  const auto c = rows_of<CUDA_MEMCPY2D>(r, target, source);
  const CUresult result = driver().cuMemcpy2DAsync(&c, stream);
  if (result != CUDA_ERROR_INVALID_VALUE) check(result, "copying rows");
  return result == CUDA_SUCCESS;
}

/// As `copy_plane`, for several planes.
bool copy_planes(CUstream stream, const row_copy& r, std::byte* target, std::byte* source) {
  auto c = rows_of<CUDA_MEMCPY3D>(r, target, source);
  c.Depth = static_cast<std::size_t>(r.axes[1].count);
  c.srcHeight = static_cast<std::size_t>(r.axes[1].source / r.axes[0].source);
  c.dstHeight = static_cast<std::size_t>(r.axes[1].target / r.axes[0].target);
  const CUresult result = driver().cuMemcpy3DAsync(&c, stream);
  if (result != CUDA_ERROR_INVALID_VALUE) check(result, "copying planes");
  return result == CUDA_SUCCESS;
}

/// Copies along the innermost `rank` axes with one call where the driver has one for it.
void copy_axes(CUstream stream, const row_copy& r, int rank, std::byte* target, std::byte* source) {
  if (rank == 0)
    return check(driver().cuMemcpyAsync(number(target), number(source), static_cast<std::size_t>(r.row), stream),
                 "copying");
  if (rank == 1 && fits_2d(r) && copy_plane(stream, r, target, source)) return;
  if (rank == 2 && fits_3d(r) && copy_planes(stream, r, target, source)) return;
  const row_copy::axis& outer = r.axes[static_cast<std::size_t>(rank - 1)];
  for (std::int64_t i = 0; i < outer.count; ++i)
    copy_axes(stream, r, rank - 1, target + i * outer.target, source + i * outer.source);
}

/// Waits for an event, but not for a GPU that is lost.
void wait_for(CUevent e, const gpu& hardware) {
  constexpr int polite_turns = 200;
  for (int turns = 0;; ++turns) {
    const CUresult result = driver().cuEventQuery(e);
    if (result != CUDA_ERROR_NOT_READY) return check(result, "waiting for a copy");
    if (hardware.lost) throw lost_gpu("waiting for a copy on a lost GPU");
    if (turns < polite_turns)
      sched_yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

/// A page-locked buffer on the link.
struct flight {
  std::byte* buffer = nullptr;
  CUevent landed = nullptr;
  extents lo, count;
};

/// A few buffers that take turns.
class buffer_ring {
 public:
  explicit buffer_ring(gpu& hardware) : gpu_(hardware) {
    for (flight& f : flights_) {
      f.buffer = gpu_.pinned.take(stager::buffer_bytes);
      check(driver().cuEventCreate(&f.landed, CU_EVENT_DISABLE_TIMING), "making an event");
    }
  }
  ~buffer_ring() {
    for (flight& f : flights_) {
      if (gpu_.lost) continue;  // the link may still be using them
      if (f.landed != nullptr) driver().cuEventSynchronize(f.landed), driver().cuEventDestroy(f.landed);
      if (f.buffer != nullptr) gpu_.pinned.give(f.buffer, stager::buffer_bytes);
    }
  }
  buffer_ring(const buffer_ring&) = delete;
  buffer_ring& operator=(const buffer_ring&) = delete;

  /// The buffer used longest ago, once it has landed; `before` is called with what it carried, if anything.
  template <class F>
  flight& next(const F& before) {
    flight& f = flights_[turn_++ % flights_.size()];
    wait_for(f.landed, gpu_);
    if (f.count.rank() > 0 || f.lo.rank() > 0) before(f);
    return f;
  }
  [[nodiscard]] static constexpr std::size_t size() { return 4; }

 private:
  gpu& gpu_;
  std::array<flight, 4> flights_;
  std::size_t turn_ = 0;
};

}  // namespace

strided moved(const strided& from, const extents& to) {
  std::byte* data = from.data;
  for (int k = 0; k < to.rank(); ++k) data += to[k] * from.strides[k];
  return {data, from.strides};
}

copy_desc as_bytes(const copy_desc& copy) {
  const row_copy r(copy);
  copy_desc d{{copy.target.data, extents::uniform(r.rank + 1, 1)},
              {copy.source.data, extents::uniform(r.rank + 1, 1)},
              extents::uniform(r.rank + 1, r.row),
              1};
  for (int k = 0; k < r.rank; ++k) {
    const row_copy::axis& a = r.axes[static_cast<std::size_t>(r.rank - 1 - k)];
    d.count[k] = a.count;
    d.target.strides[k] = a.target;
    d.source.strides[k] = a.source;
  }
  return d;
}

std::int64_t bytes_of(const copy_desc& copy) {
  std::int64_t bytes = copy.element_bytes;
  for (int k = 0; k < copy.count.rank(); ++k) bytes *= copy.count[k];
  return bytes;
}

row_copy::row_copy(const copy_desc& copy) : row(copy.element_bytes) {
  for (int k = copy.count.rank() - 1; k >= 0; --k) {
    const axis a{copy.count[k], copy.target.strides[k], copy.source.strides[k]};
    if (a.count == 1) continue;
    if (rank == 0 && a.target == row && a.source == row) {
      row *= a.count;
      continue;
    }
    if (rank > 0) {
      axis& inner = axes[static_cast<std::size_t>(rank - 1)];
      if (a.target == inner.target * inner.count && a.source == inner.source * inner.count) {
        inner.count *= a.count;
        continue;
      }
    }
    axes[static_cast<std::size_t>(rank++)] = a;
  }
}

void copy_rows(CUstream stream, const copy_desc& copy) {
  if (bytes_of(copy) == 0) return;
  const row_copy r(copy);
  copy_axes(stream, r, r.rank, copy.target.data, copy.source.data);
}

void pack(std::byte* buffer, const copy_desc& from) {
  const copy_desc c{
      {buffer, dense_strides(from.count, from.element_bytes)}, from.source, from.count, from.element_bytes};
  const row_walk walk(c.count, c.target.strides, &c.source.strides, c.element_bytes);
  copy_items(walk, c, 0, walk.total());
}

void unpack(const copy_desc& to, std::byte* buffer) {
  const copy_desc c{to.target, {buffer, dense_strides(to.count, to.element_bytes)}, to.count, to.element_bytes};
  const row_walk walk(c.count, c.target.strides, &c.source.strides, c.element_bytes);
  copy_items(walk, c, 0, walk.total());
}

stager::stager() : thread_([this] { run(); }) {}

stager::~stager() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void stager::copy_host(stream_queue& on, const copy_desc& copy) {
  take({&on, [copy](stream_queue&) {
          const row_walk walk(copy.count, copy.target.strides, &copy.source.strides, copy.element_bytes);
          copy_items(walk, copy, 0, walk.total());
        }});
}

void stager::fill_host(stream_queue& on, const fill_desc& fill) {
  take({&on, [fill](stream_queue&) { fill_box(fill.target, fill.count, fill.value); }});
}

void stager::take(job item) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(item));
  }
  changed_.notify_one();
}

void stager::run() {
  name_this_thread("tessera stager");
  while (true) {
    job j;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      j = std::move(jobs_.front());
      jobs_.pop_front();
    }
    std::exception_ptr reason;
    try {
      j.on->hardware().make_current();
      j.work(*j.on);
    } catch (const lost_gpu&) {
      // The completion thread says why.
    } catch (...) {
      reason = std::current_exception();
    }
    j.on->resume(reason);
  }
}

void stager::send_blocks(stream_queue& on, const copy_desc& given) {
  const copy_desc copy = as_bytes(given);
  buffer_ring ring(on.hardware());
  for_each_chunk(copy.count, 1, buffer_bytes, [&](const extents& lo, const extents& count) {
    flight& f = ring.next([](flight&) {});
    f.lo = lo;
    const copy_desc piece{moved(copy.target, lo), moved(copy.source, lo), count, 1};
    pack(f.buffer, piece);
    copy_rows(on.stream(), {piece.target, {f.buffer, dense_strides(count, 1)}, count, 1});
    check(driver().cuEventRecord(f.landed, on.stream()), "recording an event");
  });
}

void stager::fetch_blocks(stream_queue& on, const copy_desc& given) {
  const copy_desc copy = as_bytes(given);
  buffer_ring ring(on.hardware());
  const auto land = [&](flight& f) {
    unpack({moved(copy.target, f.lo), moved(copy.source, f.lo), f.count, 1}, f.buffer);
    f.lo = f.count = {};
  };
  for_each_chunk(copy.count, 1, buffer_bytes, [&](const extents& lo, const extents& count) {
    flight& f = ring.next(land);
    f.lo = lo;
    f.count = count;
    copy_rows(on.stream(), {{f.buffer, dense_strides(count, 1)}, moved(copy.source, lo), count, 1});
    check(driver().cuEventRecord(f.landed, on.stream()), "recording an event");
  });
  for (std::size_t k = 0; k < buffer_ring::size(); ++k) ring.next(land);
}

}  // namespace tessera::device::cuda
