#pragma once

#include <cstdint>

/// Memory, inputs and copies of programs written with CUDA by hand. Calls throw std::runtime_error with CUDA's words.
/// C++17 without Tessera, for nvcc.
namespace tessera::bench::by_hand {

/// Waits for everything; throws what made a launch fail.
void wait();

/// Throws if the launch before could not be made.
void check_launch();

/// The element at `i` of the numbers of `benchmarks/frame/device_numbers.h`.
[[nodiscard]] float number_at(std::int64_t i, std::uint32_t seed, float low, float high);

/// Bytes on the GPU.
class device_bytes {
 public:
  explicit device_bytes(std::int64_t bytes);
  ~device_bytes();
  device_bytes(const device_bytes&) = delete;
  device_bytes& operator=(const device_bytes&) = delete;

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return size_; }

 private:
  std::int64_t size_;
  void* data_ = nullptr;
};

/// `bytes` of device memory to the host and back; wait for all that was launched before.
void copy_to_host(void* to, const void* from, std::int64_t bytes);
void copy_from_host(void* to, const void* from, std::int64_t bytes);
void clear(void* at, std::int64_t bytes);

/// An array on the GPU.
template <class T>
class device_array {
 public:
  explicit device_array(std::int64_t n) : bytes_(n * std::int64_t{sizeof(T)}) {}
  [[nodiscard]] T* data() const { return static_cast<T*>(bytes_.data()); }
  [[nodiscard]] std::int64_t size() const { return bytes_.size() / std::int64_t{sizeof(T)}; }
  [[nodiscard]] T at(std::int64_t i) const {
    T value;
    copy_to_host(&value, data() + i, sizeof(T));
    return value;
  }

 private:
  device_bytes bytes_;
};
using device_floats = device_array<float>;

/// Fills it with the numbers of `benchmarks/frame/device_numbers.h`.
void fill(const device_floats& out, std::uint32_t seed, float low, float high);

/// Copies on the GPU that move as many bytes as another program reads and writes.
class device_copies {
 public:
  device_copies();
  /// `traffic` bytes, half of them read and half written. Returns at once.
  void move(std::int64_t traffic) const;

 private:
  device_bytes from_, to_;
};

/// Copies between the GPU and host memory.
class host_copies {
 public:
  host_copies(std::int64_t bytes, bool page_locked);
  ~host_copies();
  host_copies(const host_copies&) = delete;
  host_copies& operator=(const host_copies&) = delete;
  void run() const;       ///< To the host.
  void run_back() const;  ///< To the GPU.

 private:
  device_bytes from_;
  bool page_locked_;
  void* to_ = nullptr;
};

}  // namespace tessera::bench::by_hand
