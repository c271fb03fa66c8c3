#include "tessera/device/cuda/queue.h"

#include <algorithm>
#include <random>
#include <thread>
#include <utility>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/base/threads/alert_wait.h"
#include "tessera/device/cuda/driver.h"
#include "tessera/device/cuda/memory/memory.h"

namespace tessera::device::cuda {
namespace {

constexpr std::int64_t progress_bytes = 4096;
constexpr std::uint64_t most_unmarked = 4;           // operations that share a marker
constexpr auto lull = std::chrono::microseconds(8);  // without an operation: more may not come for long

/// As long as CUDA's own waits keep a processor busy: a sleeping thread is woken a tenth of a millisecond late.
std::chrono::nanoseconds spin_time() { return std::chrono::milliseconds(has_cores_to_spare() ? 100 : 0); }

bool happened(const event& e) { return e.done(); }

CUdeviceptr device_address(const volatile std::uint64_t* word) { return reinterpret_cast<CUdeviceptr>(word); }

}  // namespace

stream_queue::stream_queue(gpu& hardware, operation_issuer& issuer, const random_delays& disturbance,
                           std::uint64_t salt)
    : gpu_(hardware), issuer_(issuer), disturbance_(disturbance), salt_(salt), line_(spin_time()) {
  gpu_.make_current();
  check(driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "making a stream");
  progress_ = reinterpret_cast<volatile std::uint64_t*>(gpu_.pinned.take(progress_bytes));
  *progress_ = 0;
}

stream_queue::~stream_queue() {
  if (gpu_.lost) return;  // the stream may never end; the process will, soon
  gpu_.make_current();
  driver().cuStreamSynchronize(stream_);
  driver().cuStreamDestroy(stream_);
  gpu_.pinned.give(reinterpret_cast<std::byte*>(const_cast<std::uint64_t*>(progress_)), progress_bytes);
}

stream_queue* stream_queue::owner_of(const timeline* line) const {
  for (stream_queue* q : family_)
    if (&q->line_ == line) return q;
  return nullptr;
}

void stream_queue::draw_delay(operation& op) const {
  if (disturbance_.max_delay_ns <= 0) return;
  std::mt19937_64 random(disturbance_.seed ^ (salt_ * 0x9e3779b97f4a7c15ULL) ^ (op.step << 20));
  const auto delay = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(disturbance_.max_delay_ns));
  op.not_before = clock::now() + std::chrono::nanoseconds(delay);
}

bool stream_queue::begins_on_host(const work& verb) {
  if (const auto* copy = std::get_if<copy_desc>(&verb)) return !on_gpu(copy->source.data);
  const auto* fill = std::get_if<fill_desc>(&verb);
  return fill != nullptr && fill->target.data != nullptr && !on_gpu(fill->target.data);
}

event stream_queue::enqueue(const order& ordering, work&& verb) {
  for (const event& e : ordering.after)
    if (stream_queue* const other = owner_of(e.line); other != nullptr && other != this) other->provide_marker(e.step);
  const std::lock_guard lock(lock_);
  operation op{std::move(verb), {}, ordering.watch, accepted_.load(std::memory_order_relaxed) + 1, {}, false};
  op.on_host = begins_on_host(op.verb);
  for (const event& e : ordering.after)
    if (e.line != &line_ && !e.done()) op.waits.push_back(e);
  draw_delay(op);
  const event result{&line_, op.step};
  accepted_.store(op.step, std::memory_order_release);
  if (held_.empty() && !handed_over_ && ready(op))
    issue(op);
  else
    held_.push_back(std::move(op));
  return result;
}

/// True once everything it waits for has happened or is on a stream, with a marker.
bool stream_queue::ready(operation& op) const {
  if (lost_) return true;
  for (const event& e : op.waits) {
    if (e.done()) continue;
    if (op.on_host) return false;
    const stream_queue* const other = owner_of(e.line);
    if (other == nullptr || other->marked_.load(std::memory_order_acquire) < e.step) return false;
  }
  return op.not_before == clock::time_point{} || clock::now() >= op.not_before;
}

void stream_queue::wait_on_stream(const operation& op) {
  for (const event& e : op.waits) {
    if (e.done()) continue;
    const volatile std::uint64_t* const word = owner_of(e.line)->progress_;
    check(driver().cuStreamWaitValue64(stream_, device_address(word), e.step, CU_STREAM_WAIT_VALUE_GEQ),
          "making a stream wait");
  }
}

void stream_queue::issue(operation& op) {
  if (op.watch != nullptr && !op.watch->admit()) op.watch = nullptr, op.verb = fill_desc{};
  std::function<void()> at_end;
  try {
    if (lost_) std::rethrow_exception(lost_);
    gpu_.make_current();
    wait_on_stream(op);
    operation_issuer::result r = issuer_.issue(*this, op.verb);
    if (r.handed_over) {
      handed_over_.emplace(std::move(op));
      return;
    }
    at_end = std::move(r.at_end);
  } catch (const lost_gpu&) {
    // Stays under way until the completion thread gives the GPU up, with the reason.
  } catch (...) {
    if (op.watch != nullptr) op.watch->failed(std::current_exception());
    op.watch = nullptr;
  }
  put(op, std::move(at_end));
}

/// Notes an operation as being on the stream.
void stream_queue::put(operation& op, std::function<void()> at_end) {
  const bool is_kernel =
      std::holds_alternative<launch_desc>(op.verb) || std::holds_alternative<native_function>(op.verb);
  under_way_.push_back({op.step, op.watch, std::move(op.waits), std::move(at_end), {}, is_kernel, false});
  issued_.store(op.step, std::memory_order_release);
  const bool alone = under_way_.size() == 1;
  if (alone || op.step - marked_.load(std::memory_order_relaxed) >= most_unmarked) mark();
}

/// Puts a marker behind everything on the stream.
void stream_queue::mark() {
  // A failure here is sticky: the completion thread meets it too and gives everything up.
  if (!lost_) driver().cuStreamWriteValue64(stream_, device_address(progress_), issued_.load(), 0);
  if (!under_way_.empty()) under_way_.back().marked = true;
  marked_.store(issued_.load(), std::memory_order_release);
}

/// True if the GPU has passed all markers and no operation has come for a while that could bring another one: without
/// it the host does not learn what the GPU does.
bool stream_queue::wants_marker() noexcept {
  const std::uint64_t marked = marked_.load(std::memory_order_relaxed);
  const std::uint64_t issued = issued_.load(std::memory_order_relaxed);
  if (issued <= marked || *progress_ < marked) return false;
  if (std::exchange(last_seen_, issued) != issued) seen_at_ = clock::now();
  return clock::now() - seen_at_ >= lull;
}

/// Makes sure that a marker stands behind `step`, if that is on the stream.
void stream_queue::provide_marker(std::uint64_t step) {
  if (marked_.load(std::memory_order_acquire) >= step || issued_.load(std::memory_order_acquire) < step) return;
  const std::lock_guard lock(lock_);
  if (marked_.load(std::memory_order_relaxed) >= step) return;
  gpu_.make_current();
  mark();
}

void stream_queue::resume(const std::exception_ptr& reason) {
  const std::lock_guard lock(lock_);
  operation op = std::move(*handed_over_);
  handed_over_.reset();
  if (const std::exception_ptr& cause = lost_ ? lost_ : reason; cause && op.watch != nullptr) {
    op.watch->failed(cause);
    op.watch = nullptr;
  }
  gpu_.make_current();
  put(op, nullptr);
}

bool stream_queue::pump() {
  for (stream_queue* q : family_)  // what is held may wait for operations that share a marker still to come
    if (q != this) q->provide_marker(q->issued_.load(std::memory_order_relaxed));
  const std::lock_guard lock(lock_);
  bool moved = false;
  while (!held_.empty() && !handed_over_ && ready(held_.front())) {
    issue(held_.front());
    held_.pop_front();
    moved = true;
  }
  return moved;
}

bool stream_queue::complete() {
  std::unique_lock lock(lock_);
  bool moved = false;
  while (!under_way_.empty()) {
    under_way& front = under_way_.front();
    if (begun_.load(std::memory_order_relaxed) < front.step) {
      begun_.store(front.step, std::memory_order_relaxed);
      front.since = clock::now();
      if (front.watch != nullptr) front.watch->started();
    }
    if (!lost_ && (front.step > *progress_ || !std::all_of(front.waits.begin(), front.waits.end(), happened))) break;
    const under_way done = std::move(front);
    under_way_.pop_front();
    lock.unlock();
    if (done.at_end) done.at_end();
    if (done.watch != nullptr) done.watch->ended();
    line_.advance(done.step);
    ended_.store(done.step, std::memory_order_release);
    moved = true;
    lock.lock();
  }
  return moved;
}

/// A thread that enqueues holds the lock for microseconds: the completion thread takes it only when something may have
/// changed.
bool stream_queue::worth_locking() const noexcept {
  const std::uint64_t ended = ended_.load(std::memory_order_relaxed);
  if (issued_.load(std::memory_order_acquire) == ended) return false;
  return *progress_ > ended || begun_.load(std::memory_order_relaxed) == ended ||
         abandoned_.load(std::memory_order_relaxed);
}

bool stream_queue::poll() {
  if (idle()) return false;
  if (wants_marker()) provide_marker(issued_.load(std::memory_order_relaxed));
  bool moved = worth_locking() && complete();
  if (issued_.load(std::memory_order_relaxed) < accepted()) moved = pump() || moved;
  return moved;
}

CUresult stream_queue::health() const {
  gpu_.make_current();
  return driver().cuStreamQuery(stream_);
}

stream_queue::clock::duration stream_queue::oldest_age() const {
  const std::lock_guard lock(lock_);
  if (under_way_.empty() || begun_.load(std::memory_order_relaxed) < under_way_.front().step) return {};
  return clock::now() - under_way_.front().since;
}

std::vector<std::string> stream_queue::running_kernels() const {
  std::vector<std::string> names;
  const std::lock_guard lock(lock_);
  for (const under_way& u : under_way_) {
    if (u.step <= *progress_) continue;
    if (u.is_kernel && u.watch != nullptr) {
      fixed_text name;
      u.watch->describe(name);
      names.emplace_back(name.view());
    }
    if (u.marked) break;
  }
  return names;
}

void stream_queue::abandon(const std::exception_ptr& reason) {
  const std::lock_guard lock(lock_);
  lost_ = reason;
  abandoned_.store(true, std::memory_order_relaxed);
  for (under_way& u : under_way_) {
    if (u.watch != nullptr) u.watch->failed(reason);
    u.watch = nullptr;
  }
}

}  // namespace tessera::device::cuda
