#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "tessera/base/event.h"
#include "tessera/device/backend.h"
#include "tessera/device/cpu/jit/abi.h"

namespace tessera::device {

/// A launch and the code it runs, looked up when it was enqueued.
struct launch_work {
  launch_desc desc;
  tessera_cpu_entry entry = nullptr;
  const observer* watch = nullptr;  ///< Of the operation, may be null.
  std::int64_t parts = 1;           ///< To cut it into; decided when it runs.
};

struct native_work {
  native_function function;
  const observer* watch = nullptr;  ///< Of the operation, may be null.
};

using work = std::variant<copy_desc, fill_desc, fold_desc, launch_work, native_work>;

/// The events that one operation still has to wait for; a few need no allocation.
class wait_list {
 public:
  void add(const event& e) {
    if (count_ < own_.size())
      own_[count_] = e;
    else
      more_.push_back(e);
    ++count_;
  }
  [[nodiscard]] bool over() const { return next_ == count_; }
  [[nodiscard]] const event& front() const { return next_ < own_.size() ? own_[next_] : more_[next_ - own_.size()]; }
  void pop() { ++next_; }

 private:
  std::array<event, 4> own_{};
  std::vector<event> more_;
  std::size_t count_ = 0;
  std::size_t next_ = 0;
};

/// One entry of a queue.
struct operation {
  work verb;
  wait_list waits;
  observer* watch = nullptr;
  std::uint64_t step = 0;
};

/// First in, first out, for one pushing and one popping thread at a time. Does not synchronise them: the owner counts
/// the entries, and the popping side touches only those it knows of. Memory is taken in chunks and used again.
class operation_queue {
 public:
  operation_queue() = default;
  operation_queue(const operation_queue&) = delete;
  operation_queue& operator=(const operation_queue&) = delete;
  /// The queue is empty.
  ~operation_queue();

  void push(work&& verb, wait_list&& waits, observer* watch, std::uint64_t step);
  [[nodiscard]] operation& front();
  void pop();

 private:
  static constexpr std::size_t chunk_size = 16;
  struct chunk {
    alignas(operation) std::byte room[chunk_size * sizeof(operation)];
    chunk* next;
    operation* at(std::size_t i) { return reinterpret_cast<operation*>(room) + i; }
  };

  chunk* fresh();

  // Pushing side.
  chunk* last_ = nullptr;
  std::size_t pushed_ = chunk_size;
  // Popping side, on a cache line of its own.
  alignas(64) chunk* first_ = nullptr;
  std::size_t popped_ = 0;
  std::atomic<chunk*> spare_{nullptr};  // from the popping side to the pushing side
};

inline operation& operation_queue::front() {
  if (popped_ == chunk_size) {
    chunk* const used = std::exchange(first_, first_->next);
    popped_ = 0;
    ::operator delete(spare_.exchange(used, std::memory_order_acq_rel));
  }
  return *first_->at(popped_);
}

inline void operation_queue::pop() {
  std::destroy_at(first_->at(popped_));
  ++popped_;
}

inline operation_queue::chunk* operation_queue::fresh() {
  chunk* place = spare_.exchange(nullptr, std::memory_order_acq_rel);
  if (place == nullptr) place = static_cast<chunk*>(::operator new(sizeof(chunk)));
  place->next = nullptr;
  return place;
}

inline void operation_queue::push(work&& verb, wait_list&& waits, observer* watch, std::uint64_t step) {
  if (pushed_ == chunk_size) {
    chunk* const place = fresh();
    (last_ == nullptr ? first_ : last_->next) = place;
    last_ = place;
    pushed_ = 0;
  }
  new (last_->at(pushed_)) operation{std::move(verb), std::move(waits), watch, step};
  ++pushed_;
}

inline operation_queue::~operation_queue() {
  for (chunk* c = first_; c != nullptr;) ::operator delete(std::exchange(c, c->next));
  ::operator delete(spare_.load(std::memory_order_acquire));
}

}  // namespace tessera::device
