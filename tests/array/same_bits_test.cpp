// Rule F3: with TESSERA_DETERMINISTIC=1 sums of floats have the same bits on every machine.
#include <cstring>
#include <random>
#include <thread>

#include "tessera/comm/transport.h"

#include "tests/array/support.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::quiet;

namespace {

/// Every way in which blocks meet in results: all in one element, those of a row, those of a column, neighbours.
constexpr const char* source = R"(
//@tessera global [j, i] => read a[i, j], reduce(+) total, reduce(+) rows[i], reduce(+) columns[j], reduce(*) near[i:i+5]
__global__ void sums(int height, int width, const float* a, float* total, double* rows, float* columns, float* near) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= height || j >= width || threadIdx.x != 0 || threadIdx.y != 0) return;
  for (int y = i; y < height && y < i + blockDim.y; ++y)
    for (int x = j; x < width && x < j + blockDim.x; ++x) {
      float v = a[y * width + x];
      total[0] += v;
      rows[y] += v;
      columns[x] += v;
      for (int k = 0; k < 6 && y + k < height + 5; ++k) near[y + k] *= 1.0f + 0.01f * v;
    }
})";

struct results {
  std::vector<float> total;
  std::vector<double> rows;
  std::vector<float> columns, near;
  bool operator==(const results&) const = default;
};

std::vector<float> random_values(std::size_t n) {
  std::mt19937 random(17);
  std::uniform_real_distribution<float> some(-1, 1);
  std::vector<float> values(n);
  for (float& v : values) v = some(random);
  return values;
}

struct plane {
  std::int64_t height = 203, width = 517;
};

results sums(const options& settings, split by = {}, plane size = {}) {
  const auto [height, width] = size;
  static const std::vector<float> random = random_values(1 << 20);
  const std::vector<float> values(random.begin(), random.begin() + height * width);
  context ctx(settings);
  const kernel k = ctx.compile(source, "sums");
  auto a = ctx.from<float>({height, width}, values);
  auto total = ctx.empty<float>({1});
  auto rows = ctx.empty<double>({height});
  auto columns = ctx.empty<float>({width});
  auto near = ctx.empty<float>({height + 5});
  k.launch({.threads = {width, height}, .block = {16, 4}, .split = by}, height, width, a, total, rows, columns, near);
  return {total.read(), rows.read(), columns.read(), near.read()};
}

options deterministic(const std::string& devices, const std::string& memory = {}) {
  options settings = quiet(devices);
  settings.deterministic = true;
  if (!support::on_gpu() && !memory.empty()) settings.device_memory = settings.host_memory = memory;
  return settings;
}

}  // namespace

TEST_CASE("sums of floats have the same bits on any number of devices, in any memory, however they are split") {
  const results expected = sums(deterministic("cpu"));
  for (const char* devices : {"cpu*2", "cpu*3", "cpu*4", "cpu*7"}) {
    CAPTURE(devices);
    CHECK(sums(deterministic(devices)) == expected);
    CHECK(sums(deterministic(devices), blocks({64, 8})) == expected);
    CHECK(sums(deterministic(devices), blocks({0, 100})) == expected);
    CHECK(sums(deterministic(devices), parts({{0, 8, 1}, {8, 200, 0}, {200, 203, 1}})) == expected);
    CHECK(sums(deterministic(devices), on(1)) == expected);
  }
  for (const char* memory : {"24KiB", "48KiB", "128KiB"}) {
    CAPTURE(memory);
    CHECK(sums(deterministic("cpu", memory)) == expected);
    CHECK(sums(deterministic("cpu*3", memory)) == expected);
  }
}

TEST_CASE("parts that do not fit into memory are cut without a change of bits") {
  const plane wide{300, 3000};  // parts of two rows of blocks
  const results expected = sums(deterministic("cpu"), {}, wide);
  for (const char* memory : {"64KiB", "160KiB"}) {
    CAPTURE(memory);
    CHECK(sums(deterministic("cpu*2", memory), {}, wide) == expected);
  }
}

TEST_CASE("sums of floats have the same bits on several ranks") {
  const results expected = sums(deterministic("cpu"));
  for (const int ranks : {2, 3, 5}) {
    const auto world = comm::make_local_world(ranks, 1);
    std::vector<std::thread> threads;
    std::vector<results> found(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; ++r)
      threads.emplace_back([&, r] {
        options settings = deterministic(r % 2 == 0 ? "cpu" : "cpu*2");
        settings.comm = world[static_cast<std::size_t>(r)];
        found[static_cast<std::size_t>(r)] = sums(settings);
      });
    for (std::thread& t : threads) t.join();
    for (const results& f : found) CHECK(f == expected);
  }
}

TEST_CASE("without that setting the order of sums follows the devices") {
  // Not a promise, but if it were equal by chance the tests above would show nothing.
  const results one = sums(quiet("cpu"));
  for (const char* devices : {"cpu*2", "cpu*3", "cpu*4", "cpu*7"}) {
    CAPTURE(devices);
    CHECK_FALSE(sums(quiet(devices)) == one);
  }
}

TEST_CASE("floats combined by atomics are refused where the same bits are wanted everywhere") {
  context ctx(deterministic("cpu"));
  const kernel k = ctx.compile(R"(
    //@tessera global i => read a[i], atomic(+) out
    __global__ void add(const float* a, float* out) { atomicAdd(out, a[blockIdx.x * blockDim.x + threadIdx.x]); })",
                               "add");
  auto a = ctx.full<float>({64}, 1.0F);
  auto out = ctx.zeros<float>({1});
  const std::string text = support::message_of<argument_error>([&] { k.launch({.threads = {64}}, a, out); });
  CHECK(support::says(text, "'add'", "'out'", "atomic(+)", "TESSERA_DETERMINISTIC", "reduce"));
}

TEST_CASE("a setting that is neither on nor off is refused") {
  const support::scoped_variable nonsense("TESSERA_DETERMINISTIC", "yes");
  CHECK(support::says(support::message_of<argument_error>([] { context ctx(quiet("cpu")); }), "TESSERA_DETERMINISTIC",
                      "'yes'"));
}

TEST_CASE("what is combined by atomics beside a sum of floats keeps what was there") {
  context ctx(deterministic("cpu*2"));
  const kernel k = ctx.compile(R"(
    //@tessera global i => read a[i], atomic(+) counts, reduce(+) out
    __global__ void add(const float* a, int* counts, float* out) {
      atomicAdd(&counts[threadIdx.x % 2], 1);
      if (threadIdx.x == 0) out[0] = a[blockIdx.x * blockDim.x];
    })",
                               "add");
  auto a = ctx.full<float>({640}, 0.5F);
  auto counts = ctx.full<int>({2}, 7);
  auto out = ctx.zeros<float>({1});
  k.launch({.threads = {640}, .block = {64}}, a, counts, out);
  CHECK(counts.read() == std::vector<int>{327, 327});
  CHECK(out.read() == std::vector<float>{5});
}
