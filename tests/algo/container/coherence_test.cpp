// What moves between the host window of a container and the devices, and what waits.
#include <chrono>
#include <future>

#include "tests/algo/container/support.h"

using namespace tessera;
using support::calm;
using support::gate;
using support::movement;

namespace {

/// Of all kinds but copies within devices.
std::int64_t all_bytes(const statistics& s) {
  return s.host_to_device_bytes + s.device_to_host_bytes + s.device_to_device_bytes + s.sent_bytes;
}

std::int64_t sum_of(const std::vector<std::int64_t>& bytes) { return std::accumulate(bytes.begin(), bytes.end(), 0L); }

}  // namespace

TEST_CASE("a thousand element reads after a launch are one fetch") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(10'000, 1, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += v[i * 10];
  CHECK(sum == 2000);
  CHECK(here.moved().device_to_host_bytes == 40'000);
  support::add_on_devices(v, 1);
  CHECK(v[17] == 3);
  CHECK(here.moved().device_to_host_bytes == 80'000);
}

TEST_CASE("of a large container element reads fetch the blocks that they touch") {
  context ctx(calm("cpu"));
  constexpr std::int64_t portion = 1 << 20, n = 65 * portion;
  ts::vector<unsigned char> v(n, 1, ctx);
  const kernel add = ctx.compile(R"(
//@tessera global i => readwrite v[i]
__global__ void add(long long n, unsigned char* v) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) v[i] += 1;
})",
                                 "add");
  add.launch({.threads = {n}}, n, v);
  movement here(ctx);
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += v[3 * portion - 500 + i];
  CHECK(sum == 2000);
  CHECK(here.moved().device_to_host_bytes == 2 * portion);
  CHECK(v[n - 1] == 2);
  CHECK(here.moved().device_to_host_bytes == 3 * portion);
  v[3 * portion - 1] = 5, v[3 * portion] = 6;
  add.launch({.threads = {n}}, n, v);
  CHECK(here.moved().host_to_device_bytes == 2);
  CHECK(v[3 * portion - 1] == 6);
  CHECK(v[3 * portion] == 7);
}

TEST_CASE("element writes leave as one write before the next launch") {
  context ctx(calm("cpu"));
  ts::vector<int> v(10'000, 1, ctx);
  support::add_on_devices(v, 1);
  v.update_host();
  movement here(ctx);
  for (int i = 100; i < 600; ++i) v[i] = i;
  v[350] += 1;
  CHECK(all_bytes(here.moved()) == 0);
  support::add_on_devices(v, 1);
  const statistics moved = here.moved();
  CHECK(moved.host_to_device_bytes == 500 * 4);
  CHECK(moved.copies == 1);
  CHECK(moved.device_to_host_bytes == 0);
  CHECK(v[350] == 352);
  CHECK(v[99] == 3);
}

TEST_CASE("elements written in order, or behind each other, fetch nothing") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(1000, 1, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  for (int i = 0; i < 1000; ++i) v[i] = i;
  v[3] = 11;
  const int first = v[3];
  CHECK(first == 11);
  for (int i = 0; i < 500; ++i) v.push_back(i);
  CHECK(here.moved().device_to_host_bytes == 0);
  support::add_on_devices(v, 1);
  CHECK(here.moved().host_to_device_bytes == 1500 * 4);
  CHECK(v[3] == 12);
  CHECK(v[1499] == 500);
}

TEST_CASE("a container made of a value is read and filled without devices") {
  context ctx(calm("cpu*2"));
  ts::vector<double> v(100'000, 1.5, ctx);
  movement here(ctx);
  CHECK(v[99'999] == 1.5);
  v[5] = 2.5, v[70'000] = 3.5;
  CHECK(v[6] == 1.5);
  const ts::vector<double> w = v;
  CHECK(w[70'000] == 3.5);
  CHECK(w == v);
  const statistics moved = here.moved();
  CHECK(all_bytes(moved) == 0);
  CHECK(sum_of(moved.allocated_bytes) == 0);
}

TEST_CASE("a guard that only writes fetches nothing, and one that reads fetches exactly its box") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(10'000, 1, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  {
    const auto h = v.host(ts::write, 100, 300);
    std::iota(h.begin(), h.end(), 0);
  }
  {
    const auto h = v.host(ts::write, 5000, 5001);
    h[0] = 9;
  }
  CHECK(here.moved().device_to_host_bytes == 0);
  CHECK(v.host(ts::read, 2000, 2100)[7] == 2);
  CHECK(here.moved().device_to_host_bytes == 400);
  support::add_on_devices(v, 1);
  CHECK(here.moved().host_to_device_bytes == 201 * 4);
  CHECK(v[299] == 200);
  CHECK(v[5000] == 10);
  CHECK(v[300] == 3);
}

TEST_CASE("update_device makes the next launch move nothing") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(8192, ctx);
  for (int i = 0; i < 8192; ++i) v[i] = i;
  v.update_device();
  movement here(ctx);
  support::add_on_devices(v, 1);
  CHECK(all_bytes(here.moved()) == 0);
  CHECK(v[77] == 78);
}

TEST_CASE("invalidate_device makes the next launch fetch exactly the container") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(100'000, 5, ctx);
  support::add_on_devices(v, 1);
  v.invalidate_device();
  movement here(ctx);
  support::add_on_devices(v, 1);
  CHECK(here.moved().host_to_device_bytes == 400'000);
  CHECK(v[77] == 7);
}

TEST_CASE("update_host makes later reads free, and unchecked writes count from invalidate_device on") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(1000, 5, ctx);
  support::add_on_devices(v, 1);
  v.update_host();
  movement here(ctx);
  CHECK(v[999] == 6);
  CHECK(v.unchecked(998) == 6);
  CHECK(v.host(ts::read)[0] == 6);
  CHECK(v.to_host().size() == 1000);
  CHECK(all_bytes(here.moved()) == 0);
  v.unchecked(3) = 100;
  v.invalidate_device();
  support::add_on_devices(v, 1);
  CHECK(v[3] == 101);
}

TEST_CASE("flush frees the devices' memory, and the elements come back with the next launch") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(1'000'000, 5, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  CHECK(sum_of(here.moved().allocated_bytes) >= 4'000'000);
  v.flush();
  CHECK(sum_of(here.moved().allocated_bytes) == 0);
  CHECK(v[12] == 6);
  support::add_on_devices(v, 1);
  CHECK(here.moved().host_to_device_bytes == 4'000'000);
  CHECK(v[12] == 7);
  v.release_device();
  CHECK(sum_of(here.moved().allocated_bytes) == 0);
  CHECK(v[999'999] == 7);
}

TEST_CASE("a part of what a device holds costs no transfer and no allocation") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(1'000'000, 5, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  const std::int64_t held = sum_of(here.moved().allocated_bytes);
  support::add_on_devices(v.part(1000, 90'000), 1);
  const statistics moved = here.moved();
  CHECK(all_bytes(moved) == 0);
  CHECK(sum_of(moved.allocated_bytes) == held);
  CHECK(v[999] == 6);
  CHECK(v[1000] == 7);
}

TEST_CASE("a box of a container of two, three and four axes moves exactly its bytes") {
  context ctx(calm("cpu*2"));
  const kernel set = ctx.compile(R"(
//@tessera global i => write v as [:][i]
__global__ void set(long long n, int* v) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) v[i] = (int)i;
})",
                                 "set");
  const auto check = [&](auto c, const box& part) {
    set.launch({.threads = {c.size()}}, c.size(), c);
    const std::vector<int> all = c.to_host();
    std::vector<int> expected;
    extents x = part.lo;
    for (std::int64_t k = 0; k < part.volume(); ++k) {
      expected.push_back(all[static_cast<std::size_t>(offset_of(dense_strides(c.shape(), 1), x))]);
      for (int axis = x.rank() - 1; axis >= 0 && ++x[axis] == part.hi[axis]; --axis) x[axis] = part.lo[axis];
    }
    movement here(ctx);
    CHECK(c.box(part).to_host() == expected);
    CHECK(here.moved().device_to_host_bytes == part.volume() * 4);
    {
      const auto h = c.host(ts::write, part);
      std::fill(h.begin(), h.end(), 7);
    }
    const statistics moved = here.moved();
    CHECK(moved.device_to_host_bytes == part.volume() * 4);
    CHECK(moved.host_to_device_bytes == part.volume() * 4);
    CHECK(c.box(part).to_host() == std::vector<int>(expected.size(), 7));
    CHECK(c.to_host()[0] == 0);
  };
  check(ts::matrix<int>(300, 200, ctx), {{20, 30}, {170, 90}});
  check(ts::tensor<int, 3>({30, 20, 40}, ctx), {{2, 3, 4}, {20, 19, 8}});
  check(ts::tensor<int, 4>({7, 8, 9, 10}, ctx), {{1, 2, 3, 4}, {6, 7, 8, 9}});
}

TEST_CASE("a copy, and elements that are moved by insert and erase, stay on the devices") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(100'000, 5, ctx);
  support::add_on_devices(v, 1);
  movement here(ctx);
  ts::vector<int> w = v;
  statistics moved = here.moved();
  CHECK(all_bytes(moved) == 0);
  CHECK(moved.launches == 1);
  w.erase(w.begin() + 10, w.begin() + 20);
  w.insert(w.begin() + 5, {1, 2, 3});
  w.reserve(200'000);
  moved = here.moved();
  CHECK(moved.device_to_host_bytes == 0);
  CHECK(moved.host_to_device_bytes == 12);
  std::vector<int> expected(99'993, 6);
  std::iota(expected.begin() + 5, expected.begin() + 8, 1);
  CHECK(w.to_host() == expected);
  CHECK(v.to_host() == std::vector<int>(100'000, 6));
}

TEST_CASE("swap and moves keep what the host has changed") {
  context ctx(calm("cpu*2"));
  ts::vector<int> v(1000, 1, ctx), w(500, 2, ctx);
  support::add_on_devices(v, 0), support::add_on_devices(w, 0);
  v[0] = 10, w[1] = 20;
  std::swap(v, w);
  v.swap(w);
  swap(v, w);
  support::add_on_devices(v, 1), support::add_on_devices(w, 1);
  CHECK(v.size() == 500);
  CHECK(v[1] == 21);
  CHECK(w[0] == 11);
  w[0] = 30;
  ts::vector<int> moved = std::move(w);
  support::add_on_devices(moved, 1);
  CHECK(moved[0] == 31);
  CHECK(w.empty());  // NOLINT: a container that was moved from is empty
  moved = std::move(v);
  CHECK(moved.size() == 500);
}

TEST_CASE("an element of an unrelated container is read while a kernel is held back" *
          doctest::skip(support::on_gpu())) {
  context ctx(calm("cpu*2"));
  gate g;
  const container_options first(ctx, on_device(0).parts({}, 2)), second(ctx, on_device(1).parts({}, 2));
  ts::vector<int> slow(10, 0, first), fast(10, 5, second);
  support::add_on_devices(fast, 1);
  CHECK(fast[0] == 6);
  slow[3] = 4;
  g.make_kernel(ctx).launch({.threads = {10}}, slow);
  const ts::vector<int> copy = slow;
  CHECK(fast[3] == 6);
  fast[3] = 7;
  CHECK(fast.host(ts::readwrite, 2, 5)[1] == 7);
  std::future<int> late = std::async(std::launch::async, [&] { return slow[3].get(); });
  CHECK(late.wait_for(std::chrono::milliseconds(50)) == std::future_status::timeout);
  g.open();
  CHECK(late.get() == 1);
  CHECK(copy[9] == 1);
}

TEST_CASE("a launch that overwrites a container does not get what the host has changed") {
  context ctx(calm("cpu"));
  ts::vector<int> v(1000, 1, ctx);
  support::add_on_devices(v, 1);
  v.update_host();
  for (int i = 0; i < 1000; ++i) v[i] = 8;
  movement here(ctx);
  algo::operand whole = algo::operand_of(v);
  const array_base target = whole.elements->for_launch(access::write, whole.part, call_site::current());
  target.fill_bytes(bytes_of(5));
  CHECK(here.moved().host_to_device_bytes == 0);
  CHECK(v[3] == 5);
  v[10] = 6, v[500] = 7;
  const box part({0}, {100});
  (void)whole.elements->for_launch(access::write, part, call_site::current());
  CHECK(here.moved().host_to_device_bytes == 401 * 4);
  CHECK(v[500] == 7);
}

TEST_CASE("what the host writes next does not change what is on its way to the devices" *
          doctest::skip(support::on_gpu())) {
  context ctx(calm("cpu"));
  gate g;
  ts::vector<int> v(10, 0, ctx);
  g.make_kernel(ctx).launch({.threads = {10}}, v);
  v[3] = 4;
  support::add_on_devices(v, 1);  // not before the kernel that is held back has ended
  const ts::vector<int> copy = v;
  std::future<void> writing = std::async(std::launch::async, [&] { v[3] = 9; });
  (void)writing.wait_for(std::chrono::milliseconds(50));
  g.open();
  writing.get();
  CHECK(copy[3] == 5);
  CHECK(copy[4] == 2);
  CHECK(v[3] == 9);
}
