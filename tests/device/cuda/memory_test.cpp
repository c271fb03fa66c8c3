#include "tests/device/backend_suite_support.h"

namespace tessera::device {
namespace {

struct one {
  static constexpr int devices = 1;
  static std::unique_ptr<backend> make(const cpu_options& options) {
    return make_cuda({.gpus = {0}, .memory = options.memory});
  }
};

constexpr std::int64_t mib = 1 << 20;

TEST_CASE("several logical devices share a GPU's name, processors and memory") {
  const auto b = make_cuda({.gpus = {0, 0, 0}});
  REQUIRE(b->devices().size() == 3);
  CHECK(b->devices()[0].name == "cuda:0.0");
  CHECK(b->devices()[2].name == "cuda:0.2");
  CHECK(b->devices()[0].memory == b->devices()[1].memory);
  CHECK(b->devices()[0].memory * 3 < gpu_memory(0));
  CHECK(make_cuda({.gpus = {0}})->devices()[0].name == "cuda:0");
}

TEST_CASE("a GPU that does not exist is refused") {
  CHECK_THROWS_AS((void)make_cuda({.gpus = {count_gpus()}}), argument_error);
}

TEST_CASE("a span costs memory where it is backed, and running out is a value") {
  suite::bench<one> t({.memory = 8 * mib});
  std::byte* const wide = t.b.allocate(0, 64 * mib);
  REQUIRE(wide != nullptr);
  CHECK(reinterpret_cast<std::uintptr_t>(wide) % 256 == 0);
  CHECK(t.b.back(0, wide, 30 * mib, 31 * mib));
  CHECK(t.b.back(0, wide, 30 * mib, 31 * mib));  // again costs nothing
  CHECK(t.b.back(0, wide, 50 * mib, 56 * mib));
  CHECK_FALSE(t.b.back(0, wide, 0, 2 * mib));
  t.b.deallocate(0, wide, 64 * mib);
  std::byte* const next = t.b.allocate(0, 8 * mib);
  CHECK(t.b.back(0, next, 0, 8 * mib));
  CHECK(t.b.allocate(0, 100) == nullptr);
  t.b.deallocate(0, next, 8 * mib);
  std::byte* const small = t.b.allocate(0, 100);
  CHECK(small != nullptr);
  t.b.deallocate(0, small, 100);
}

TEST_CASE("a span has the pages of the last one of its size, until they are wanted elsewhere") {
  suite::bench<one> t({.memory = 256 * mib});
  std::byte* const first = t.b.allocate(0, 20 * mib);
  REQUIRE(t.b.back(0, first, 0, 20 * mib));
  t.b.deallocate(0, first, 20 * mib);
  std::byte* const again = t.b.allocate(0, 20 * mib);
  CHECK(again == first);
  REQUIRE(t.b.back(0, again, 0, 4 * mib));  // 16 of its 20 MiB stay idle
  std::byte* const rest = t.b.allocate(0, 252 * mib);
  CHECK(t.b.back(0, rest, 0, 252 * mib));  // takes the place of the idle ones
  CHECK_FALSE(t.b.back(0, again, 4 * mib, 6 * mib));
  t.b.unback(0, rest, 0, 100 * mib);
  CHECK(t.b.back(0, again, 0, 20 * mib));
  t.b.deallocate(0, rest, 252 * mib);
  t.b.deallocate(0, again, 20 * mib);
}

TEST_CASE("a device gives up the pages it kept when another one of the GPU wants memory") {
  const auto b = make_cuda({.gpus = {0, 0}, .memory = std::int64_t{1} << 50});
  const std::int64_t half = gpu_memory(0) / 2, most = half + half / 2;
  std::byte* const kept = b->allocate(0, half);
  REQUIRE(b->back(0, kept, 0, half));
  b->deallocate(0, kept, half);
  std::byte* const wanted = b->allocate(1, most);
  CHECK(b->back(1, wanted, 0, most));
  b->deallocate(1, wanted, most);
}

TEST_CASE("more than the GPU has is refused, and what was taken for it serves others") {
  const auto b = make_cuda({.gpus = {0}, .memory = std::int64_t{1} << 50});
  const std::int64_t bytes = gpu_memory(0) + (std::int64_t{1} << 30);
  std::byte* const all = b->allocate(0, bytes);
  REQUIRE(all != nullptr);
  CHECK_FALSE(b->back(0, all, 0, bytes));
  b->deallocate(0, all, bytes);
  std::byte* const some = b->allocate(0, 512 * mib);
  CHECK(b->back(0, some, 0, 512 * mib));
  b->deallocate(0, some, 512 * mib);
}

TEST_CASE("large copies go through page-locked buffers in both directions and any shape") {
  suite::bench<one> t({.memory = 512 * mib});
  const extents shape{37, 311, 1033};
  const extents strides = dense_strides(shape, 4);
  std::vector<std::int32_t> values(static_cast<std::size_t>(suite::volume(shape)));
  std::iota(values.begin(), values.end(), 7);
  std::byte* const data = t.upload(0, values);
  CHECK(t.download<std::int32_t>(0, data, values.size()) == values);

  const extents lo{3, 20, 100}, count{30, 250, 900};
  std::vector<std::int32_t> part(static_cast<std::size_t>(suite::volume(count)));
  t.b.copy(t.on(0, queue_kind::copy_out), {{reinterpret_cast<std::byte*>(part.data()), dense_strides(count, 4)},
                                           {data + suite::offset(strides, lo), strides},
                                           count,
                                           4})
      .wait();
  std::size_t wrong = 0, i = 0;
  suite::for_each_point(count, [&](const extents& x) {
    const std::int64_t at = (suite::offset(strides, lo) + suite::offset(strides, x)) / 4;
    if (part[i++] != values[static_cast<std::size_t>(at)]) ++wrong;
  });
  CHECK(wrong == 0);

  for (std::int32_t& v : part) v = -v;
  t.b.copy(t.on(0, queue_kind::copy_in), {{data + suite::offset(strides, lo), strides},
                                          {reinterpret_cast<std::byte*>(part.data()), dense_strides(count, 4)},
                                          count,
                                          4})
      .wait();
  suite::for_each_point(count, [&](const extents& x) {
    values[static_cast<std::size_t>((suite::offset(strides, lo) + suite::offset(strides, x)) / 4)] *= -1;
  });
  CHECK(t.download<std::int32_t>(0, data, values.size()) == values);
}

}  // namespace
}  // namespace tessera::device
