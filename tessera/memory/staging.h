#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace tessera::memory {

/// Host memory for messages on their way between devices and the network. Taking it never waits: a thread that waited
/// until a message is sent could be the one that its receiver waits for. Some of what is given back is kept for the
/// next messages, because memory new from the system takes as long to touch as to fill. Lives as long as what it gave.
/// Thread-safe.
class staging : public std::enable_shared_from_this<staging> {
 public:
  staging() = default;
  ~staging() {
    for (const buffer& b : kept_) destroy(b.data);
  }
  staging(const staging&) = delete;
  staging& operator=(const staging&) = delete;

  /// Contents are undefined.
  [[nodiscard]] std::shared_ptr<std::byte> take(std::int64_t bytes) {
    buffer b = find(bytes);
    if (b.data == nullptr) b.data = static_cast<std::byte*>(::operator new(static_cast<std::size_t>(b.bytes), aligned));
    return {b.data, [self = shared_from_this(), b](std::byte*) { self->give(b); }};
  }
  /// Bytes that are taken or kept.
  [[nodiscard]] std::int64_t used() const {
    const std::lock_guard held(mutex_);
    return taken_bytes_ + kept_bytes_;
  }

 private:
  struct buffer {
    std::byte* data = nullptr;
    std::int64_t bytes = 0;
  };
  static constexpr std::align_val_t aligned{256};
  static constexpr std::int64_t most_kept = std::int64_t{32} << 20;
  static constexpr std::size_t most_buffers = 64;
  static void destroy(std::byte* data) { ::operator delete(data, aligned); }

  /// A kept one that is not much too large; none if its data are null.
  buffer find(std::int64_t bytes) {
    const std::lock_guard held(mutex_);
    buffer found{nullptr, bytes};
    for (auto k = kept_.rbegin(); k != kept_.rend(); ++k) {
      if (k->bytes < bytes || k->bytes / 2 > bytes) continue;
      found = std::exchange(*k, kept_.back());
      kept_.pop_back();
      kept_bytes_ -= found.bytes;
      break;
    }
    taken_bytes_ += found.bytes;
    return found;
  }
  void give(const buffer& b) noexcept {
    const std::lock_guard held(mutex_);
    taken_bytes_ -= b.bytes;
    if (kept_bytes_ + b.bytes > most_kept || kept_.size() == most_buffers) return destroy(b.data);
    kept_bytes_ += b.bytes;
    kept_.push_back(b);
  }

  mutable std::mutex mutex_;
  std::vector<buffer> kept_ = with_room();
  std::int64_t taken_bytes_ = 0, kept_bytes_ = 0;

  static std::vector<buffer> with_room() {
    std::vector<buffer> none;
    none.reserve(most_buffers);
    return none;
  }
};

}  // namespace tessera::memory
