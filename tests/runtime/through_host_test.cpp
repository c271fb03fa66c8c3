#include "tessera/runtime/through_host.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

using namespace tessera;

namespace {

class no_device final : public device::native_context {
 public:
  [[nodiscard]] int device() const override { return 0; }
  [[nodiscard]] int cores() const override { return 1; }
  [[nodiscard]] std::byte* workspace(std::int64_t) override { return nullptr; }
  void parallel_for(std::int64_t n, const std::function<void(std::int64_t)>& body) override {
    for (std::int64_t i = 0; i < n; ++i) body(i);
  }
};

/// Host memory that plays a device's: counts what is copied.
class pretended_memory final : public runtime::device_memory {
 public:
  void copy(std::byte* target, const std::byte* source, std::size_t bytes) const override {
    std::memcpy(target, source, bytes);
    copied += bytes;
  }
  void wait() const override {}
  mutable std::size_t copied = 0;
};

using touched = std::vector<native_call::touched_box>;

/// Calls `body` through copies of two matrices of 8 by 10 integers, or of parts of one.
std::size_t call(int* y, int* x, const touched& boxes, const native_kernel& body) {
  no_device context;
  const box points({0}, {1});
  const auto matrix = [](int* data) { return native_array{reinterpret_cast<std::byte*>(data), {40, 4}, {8, 10}}; };
  const std::array arrays{matrix(y), matrix(x)};
  const std::array<std::span<const std::byte>, 2> scalars{};
  const native_call given(context, points, arrays, scalars, {{}, 0, nullptr, boxes});
  const pretended_memory memory;
  runtime::call_through_host(memory, given, body);
  return memory.copied;
}

}  // namespace

TEST_CASE("what a call declares is fetched, and what it declares to write is put back") {
  std::vector<int> y(80, 1), x(80, 2);
  x[34] = 7;
  const std::size_t copied =
      call(y.data(), x.data(), {{0, box({3, 4}, {5, 6}), true, 4}, {1, box({3, 0}, {5, 10}), false, 4}},
           [&](native_call& on_host) {
             CHECK(on_host.data<int>(0) != y.data());
             CHECK(on_host.data<int>(0)[34] == 1);
             on_host.data<int>(0)[34] = on_host.data<int>(1)[34] + on_host.data<int>(1)[49];
             on_host.data<int>(0)[36] = 100;  // not declared: stays in the copy
             on_host.data<int>(1)[35] = 100;  // only read
           });
  CHECK(y[34] == 9);
  CHECK(y[36] == 1);
  CHECK(x[35] == 2);
  CHECK(copied == 4 * (4 + 20 + 4));
}

TEST_CASE("parameters that share memory share their copy, and what is not declared has none") {
  std::vector<int> v(80, 1);
  call(v.data(), v.data(), {{0, box({0, 0}, {2, 10}), true, 4}, {1, box({0, 0}, {1, 10}), false, 4}},
       [](native_call& on_host) {
         CHECK(on_host.data<int>(0) == on_host.data<int>(1));
         on_host.data<int>(0)[3] = 5;
         on_host.data<int>(0)[13] = on_host.data<int>(1)[3] + 1;
       });
  CHECK(v[3] == 5);
  CHECK(v[13] == 6);
  std::vector<int> x(80, 2);
  call(v.data(), x.data(), {{0, box({7, 9}, {8, 10}), true, 4}}, [](native_call& on_host) {
    CHECK(on_host.data<int>(1) == nullptr);
    on_host.data<int>(0)[79] = 8;
  });
  CHECK(v[79] == 8);
}
