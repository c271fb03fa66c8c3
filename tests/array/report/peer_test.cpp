// Ways between the devices of a rank, as statistics and the transfer log tell them.
#include <mutex>

#include "tests/array/support.h"

using namespace tessera;
using support::quiet;

namespace {

struct outcome {
  std::vector<float> values;
  statistics moved;
  std::vector<device_link> ways;  // of each movement between devices
};

/// Steps of a stencil over two devices, whose borders and uneven halves move between them.
outcome run_stencil(const options& settings) {
  context ctx(settings);
  const kernel step = ctx.compile(R"(
    //@tessera global [j, i] => read x[i-1:i+1, j-1:j+1], write y[i, j]
    __global__ void step(int n, float* y, const float* x) {
      int j = blockIdx.x * blockDim.x + threadIdx.x;
      int i = blockIdx.y * blockDim.y + threadIdx.y;
      if (i >= n || j >= n) return;
      float left = j > 0 ? x[i * n + j - 1] : 0, right = j < n - 1 ? x[i * n + j + 1] : 0;
      float up = i > 0 ? x[(i - 1) * n + j] : 0, down = i < n - 1 ? x[(i + 1) * n + j] : 0;
      y[i * n + j] = 0.5f * x[i * n + j] + 0.125f * (left + right + up + down);
    })",
                                  "step");
  constexpr int n = 600;
  std::vector<float> first(n * n);
  for (std::size_t k = 0; k < first.size(); ++k) first[k] = static_cast<float>(k % 97);
  auto x = ctx.from<float>({n, n}, first, blocks({n / 2, n})), y = ctx.empty<float>({n, n}, blocks({n / 2, n}));
  outcome result;
  std::mutex mutex;
  ctx.on_transfer([&](const transfer_record& r) {
    const std::lock_guard lock(mutex);
    if (r.link == link_kind::device_to_device) result.ways.push_back(r.way);
  });
  const statistics before = ctx.stats();
  for (int k = 0; k < 6; ++k) {
    launch_options launch{.threads = {n, n}, .block = {16, 8}};
    if (k == 3) launch.split = blocks({304, n});  // the other way round
    step.launch(launch, n, y, x);
    std::swap(x, y);
  }
  result.values = x.read();
  ctx.on_transfer(nullptr);
  result.moved = ctx.stats() - before;
  return result;
}

}  // namespace

TEST_CASE("logical devices of one physical device copy within it") {
  const outcome found = run_stencil(quiet("cpu*2"));
  CHECK(found.moved.device_to_device_bytes > 0);
  CHECK(found.moved.same_device_bytes == found.moved.device_to_device_bytes);
  CHECK(found.moved.peer_bytes == 0);
  CHECK(found.moved.through_host_bytes == 0);
  CHECK(!found.ways.empty());
  for (const device_link way : found.ways) CHECK(way == device_link::same);
}

TEST_CASE("TESSERA_PEER=0 sends what moves between GPUs through the host, with the same results") {
  options settings = quiet("cpu*2");
  const outcome direct = run_stencil(settings);
  settings.peer = false;
  const outcome found = run_stencil(settings);
  CHECK(found.values == direct.values);
  CHECK(found.moved.device_to_device_bytes == direct.moved.device_to_device_bytes);
  const bool on_gpu = support::on_gpu();  // CPU devices have no memory apart from the host's
  CHECK(found.moved.through_host_bytes == (on_gpu ? found.moved.device_to_device_bytes : 0));
  CHECK(found.moved.same_device_bytes == (on_gpu ? 0 : found.moved.device_to_device_bytes));
  for (const device_link way : found.ways) CHECK(way == (on_gpu ? device_link::host : device_link::same));
}
