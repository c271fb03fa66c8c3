// What a context tells of itself: bytes that are allocated.
#include "tests/array/support.h"

using namespace tessera;
using support::quiet;
using support::says;

namespace {

/// Without the hostile settings of the environment: levels of memory are what is asked for.
options roomy(const std::string& devices) {
  options settings = quiet(devices);
  settings.device_memory = settings.host_memory = {};
  settings.disturb = {};
  return settings;
}

/// Bytes that a device takes for an array of so many: whole pages on GPUs and for large arrays.
bool holds(std::int64_t allocated, std::int64_t bytes) {
  const std::int64_t page = support::on_gpu() ? std::int64_t{32} << 20 : std::int64_t{2} << 20;
  return allocated >= bytes && allocated < bytes + 2 * page;
}

}  // namespace

TEST_CASE("allocated bytes rise with arrays and fall when they are gone") {
  context ctx(roomy("cpu*2"));
  constexpr std::int64_t n = 1 << 20;
  CHECK(ctx.stats().allocated_bytes == std::vector<std::int64_t>{0, 0});
  auto on_second = ctx.from<int>({n}, std::vector<int>(n, 3), on_device(1));
  ctx.wait();
  const statistics one = ctx.stats();
  CHECK(one.allocated_bytes[0] == 0);
  CHECK(holds(one.allocated_bytes[1], n * 4));
  auto on_first = ctx.from<int>({n}, std::vector<int>(n, 4), on_device(0));
  ctx.wait();
  CHECK(holds(ctx.stats().allocated_bytes[0], n * 4));
  on_second = {};
  ctx.wait();
  const statistics after = ctx.stats();
  CHECK(after.allocated_bytes[1] == 0);
  CHECK(holds(after.allocated_bytes[0], n * 4));
  CHECK(after.peak_bytes[1] == one.peak_bytes[1]);
}

TEST_CASE("what the program borrows of host memory is allocated until it is given back") {
  context ctx(roomy("cpu*2"));
  const std::int64_t before = ctx.stats().allocated_host_bytes;
  {
    const host_memory lent = ctx.host_memory(12'345);
    CHECK(ctx.stats().allocated_host_bytes == before + 12'345);
  }
  CHECK(ctx.stats().allocated_host_bytes == before);
}

TEST_CASE("what leaves devices is allocated in host memory and on the disk") {
  const std::int64_t scale = support::on_gpu() ? 128 : 1;
  options settings = quiet("cpu*2");
  settings.device_memory = std::to_string(scale * (256 << 10));
  settings.host_memory = std::to_string(scale * (128 << 10));
  context ctx(settings);
  const std::int64_t n = scale * 400'000;
  auto x = ctx.from<int>({n}, std::vector<int>(static_cast<std::size_t>(n), 5));
  ctx.wait();
  const statistics full = ctx.stats();
  std::int64_t all = full.allocated_host_bytes + full.allocated_disk_bytes;
  for (const std::int64_t bytes : full.allocated_bytes) all += bytes;
  CHECK(all >= n * 4);
  CHECK(full.allocated_disk_bytes > 0);
  x = {};
  ctx.wait();
  CHECK(ctx.stats().allocated_disk_bytes == 0);
}

TEST_CASE("the difference of two statistics subtracts counters and keeps levels") {
  statistics earlier, later;
  earlier.launches = 5, later.launches = 7;
  earlier.allocated_bytes = {100, 200}, later.allocated_bytes = {50, 300};
  earlier.peak_bytes = {100, 200}, later.peak_bytes = {150, 300};
  earlier.allocated_host_bytes = 40, later.allocated_host_bytes = 30;
  earlier.allocated_disk_bytes = 4, later.allocated_disk_bytes = 3;
  earlier.tracked_state = 9, later.tracked_state = 8;
  const statistics between = later - earlier;
  CHECK(between.launches == 2);
  CHECK(between.allocated_bytes == later.allocated_bytes);
  CHECK(between.peak_bytes == later.peak_bytes);
  CHECK(between.allocated_host_bytes == 30);
  CHECK(between.allocated_disk_bytes == 3);
  CHECK(between.tracked_state == 8);
  CHECK(says(to_string(between), "launches", "allocated host bytes", "30", "allocated bytes on device 1", "300"));
}
