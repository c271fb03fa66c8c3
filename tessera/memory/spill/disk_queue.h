#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/memory/spill/spill_file.h"

namespace tessera::memory {

/// A page on its way to the disk, or there: what it must look like when it comes back.
struct disk_record {
  file_range position;
  std::int64_t bytes = 0;
  std::uint64_t identity = 0;  ///< Of the array, the page and the time it was written: another page's bytes differ.
  std::uint64_t checksum = 0;
};

/// Reads and writes pages of the spill file on a few threads of its own, each request after the events it waits for.
/// Requests end in the order of their thread. The threads start with the first request.
class disk_queue {
 public:
  using clock = std::chrono::steady_clock;
  /// Called on the thread that did it, before the event happens, with the time it began; `failure` is null if all went
  /// well. Must not throw.
  using ended = std::function<void(std::exception_ptr failure, clock::time_point begin)>;

  explicit disk_queue(spill_file& file) : file_(file) {}
  /// Finishes everything.
  ~disk_queue();
  disk_queue(const disk_queue&) = delete;
  disk_queue& operator=(const disk_queue&) = delete;

  /// `to` must live until the event; its checksum is set by then.
  event write(std::shared_ptr<disk_record> to, const std::byte* data, std::vector<event> after, ended then);
  /// Fails with `io_error` if what comes back is not what was written.
  event read(std::shared_ptr<const disk_record> from, std::byte* data, std::vector<event> after, ended then);

 private:
  struct request {
    std::vector<event> after;
    std::function<void()> work;
    ended then;
  };
  struct lane {
    host_timeline line;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<request> waiting;
    std::uint64_t accepted = 0;
    bool stopping = false;
    std::thread thread;
  };
  static constexpr std::size_t lanes = 4;

  event enqueue(request r);
  static void serve(lane& on);

  spill_file& file_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<lane>> lanes_;
  std::size_t next_ = 0;
};

}  // namespace tessera::memory
