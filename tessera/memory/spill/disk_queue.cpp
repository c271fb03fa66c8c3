#include "tessera/memory/spill/disk_queue.h"

#include "tessera/base/bytes/hash.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/thread_name.h"

namespace tessera::memory {
namespace {

std::uint64_t checksum_of(const std::byte* data, std::int64_t bytes, std::uint64_t identity) {
  return hash_of({data, static_cast<std::size_t>(bytes)}, identity);
}

}  // namespace

disk_queue::~disk_queue() {
  for (auto& l : lanes_) {
    {
      const std::lock_guard lock(l->mutex);
      l->stopping = true;
    }
    l->changed.notify_one();
    l->thread.join();
  }
}

event disk_queue::write(std::shared_ptr<disk_record> to, const std::byte* data, std::vector<event> after, ended then) {
  auto work = [this, to = std::move(to), data] {
    to->checksum = checksum_of(data, to->bytes, to->identity);
    file_.write(to->position, data, to->bytes);
  };
  return enqueue({std::move(after), std::move(work), std::move(then)});
}

event disk_queue::read(std::shared_ptr<const disk_record> from, std::byte* data, std::vector<event> after, ended then) {
  auto work = [this, from = std::move(from), data] {
    file_.read(from->position, data, from->bytes);
    if (checksum_of(data, from->bytes, from->identity) != from->checksum)
      throw io_error(cat("the spill file in ", file_.directory(), " is damaged: ", from->bytes, " bytes at ",
                         from->position.offset, " are not what was written there"));
  };
  return enqueue({std::move(after), std::move(work), std::move(then)});
}

event disk_queue::enqueue(request r) {
  const std::lock_guard lock(mutex_);
  if (lanes_.size() < lanes && next_ == lanes_.size()) {
    lanes_.push_back(std::make_unique<lane>());
    lanes_.back()->thread = std::thread([l = lanes_.back().get()] { serve(*l); });
  }
  lane& on = *lanes_[next_];
  next_ = (next_ + 1) % lanes;
  const std::lock_guard lane_lock(on.mutex);
  on.waiting.push_back(std::move(r));
  on.changed.notify_one();
  return {&on.line, ++on.accepted};
}

void disk_queue::serve(lane& on) {
  name_this_thread("tessera disk");
  for (std::uint64_t step = 1;; ++step) {
    std::unique_lock lock(on.mutex);
    on.changed.wait(lock, [&] { return on.stopping || !on.waiting.empty(); });
    if (on.waiting.empty()) return;
    request r = std::move(on.waiting.front());
    on.waiting.pop_front();
    lock.unlock();
    for (const event& e : r.after) e.wait();
    const clock::time_point begin = clock::now();
    std::exception_ptr failure;
    try {
      r.work();
    } catch (...) {
      failure = std::current_exception();
    }
    r.then(failure, begin);
    r = {};
    on.line.advance(step);
  }
}

}  // namespace tessera::memory
