#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/device/backend.h"

/// What the tests of the backend suite share.
namespace tessera::device::suite {

/// Notes when things happened, in one order for all observers that share the clock.
class recorder final : public observer {
 public:
  explicit recorder(std::atomic<int>& now, bool admits = true) : now_(now), admits_(admits) {}
  bool admit() noexcept override {
    admitted = ++now_;
    return admits_;
  }
  void started() noexcept override { begun = ++now_; }
  void ended() noexcept override { done = ++now_; }
  void failed(std::exception_ptr error) noexcept override {
    reason = error;
    done = ++now_;
  }

  int admitted = 0;
  int begun = 0;
  int done = 0;
  std::exception_ptr reason;

 private:
  std::atomic<int>& now_;
  bool admits_;
};

inline std::int64_t volume(const extents& shape) { return box::whole(shape).volume(); }

inline std::int64_t offset(const extents& strides, const extents& at) {
  std::int64_t o = 0;
  for (int a = 0; a < at.rank(); ++a) o += strides[a] * at[a];
  return o;
}

/// Calls f(x) for every point of [0, count).
template <class F>
void for_each_point(const extents& count, F f) {
  extents x = extents::uniform(count.rank(), 0);
  for (std::int64_t i = 0; i < volume(count); ++i) {
    std::int64_t rest = i;
    for (int a = count.rank() - 1; a >= 0; --a) {
      x[a] = rest % count[a];
      rest /= count[a];
    }
    f(x);
  }
}

/// A backend and the few helpers that tests share.
template <class World>
struct bench {
  std::unique_ptr<backend> owner;
  backend& b;

  explicit bench(cpu_options options = {})
      : owner((options.devices = World::devices, World::make(options))), b(*owner) {}

  [[nodiscard]] order on(int device, queue_kind kind = queue_kind::compute, std::span<const event> after = {},
                         observer* watch = nullptr) const {
    return {{device % World::devices, kind}, after, watch};
  }

  template <class T>
  std::byte* upload(int device, const std::vector<T>& values) {
    const auto bytes = static_cast<std::int64_t>(values.size() * sizeof(T));
    std::byte* const data = b.allocate(device % World::devices, bytes);
    REQUIRE(data != nullptr);
    REQUIRE(b.back(device % World::devices, data, 0, bytes));
    auto* const source = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(values.data()));
    b.copy(on(device, queue_kind::copy_in), {{data, {1}}, {source, {1}}, {bytes}, 1}).wait();
    return data;
  }

  template <class T>
  std::vector<T> download(int device, std::byte* data, std::size_t n) {
    std::vector<T> values(n);
    const auto bytes = static_cast<std::int64_t>(n * sizeof(T));
    b.copy(on(device, queue_kind::copy_out),
           {{reinterpret_cast<std::byte*>(values.data()), {1}}, {data, {1}}, {bytes}, 1})
        .wait();
    return values;
  }
};

template <class T>
std::vector<std::byte> bytes_of(const T& value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace tessera::device::suite
