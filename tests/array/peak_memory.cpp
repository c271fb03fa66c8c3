// Works on data several times its budgets, in a process of its own, and compares the most memory that the system says
// the process ever had with what it was allowed (rule E5).
#include <tessera/tessera.h>

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>

namespace ts = tessera;

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

std::int64_t system_counter(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  std::int64_t kib = 0;
  while (status >> word)
    if (word == name) status >> kib;
  return kib * 1024;
}

/// y = y + x over and over.
void work(const ts::kernel& add, const ts::array<float>& y, const ts::array<float>& x, std::int64_t n) {
  for (int k = 0; k < 4; ++k) add.launch({.threads = {n}}, static_cast<long long>(n), y, x);
}

}  // namespace

int main() {
  constexpr std::int64_t device = 48 * mib, host = 32 * mib, n = 64 * mib / 4;
  ts::options settings;
  settings.devices = "cpu*2";
  settings.device_memory = std::to_string(device);
  settings.host_memory = std::to_string(host);
  ts::context ctx(settings);
  const ts::kernel add = ctx.compile(R"(
    //@tessera global i => readwrite y[i], read x[i]
    __global__ void add(long long n, float* y, const float* x) {
      long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] += x[i];
    })",
                                     "add");
  // Every block has sums of all columns of its own: 4 MiB.
  const ts::kernel sum = ctx.compile(R"(
    //@tessera block b => read x, reduce(+) sums
    __global__ void sum(long long n, float* sums, const float* x) {
      for (long long i = threadIdx.x; i < n; i += blockDim.x) sums[i] += x[i];
    })",
                                     "sum");
  {
    const auto small = ctx.full<float>({1000}, 1.0F);
    work(add, small, small, 1000);
    ctx.wait();
  }
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak starts again from here
  const std::int64_t before = system_counter("VmRSS:");
  const auto x = ctx.full<float>({n}, 1.0F), y = ctx.full<float>({n}, 2.0F), z = ctx.full<float>({n}, 3.0F),
             u = ctx.full<float>({n}, 4.0F), v = ctx.full<float>({n}, 5.0F), w = ctx.full<float>({n}, 6.0F);
  work(add, y, x, n);
  work(add, z, y, n);
  work(add, u, z, n);
  work(add, v, u, n);
  work(add, w, v, n);
  constexpr std::int64_t columns = mib;
  const auto sums = ctx.zeros<float>({columns}), ones = ctx.full<float>({columns}, 1.0F);
  sum.launch({.threads = {64 * 32}, .block = {32}}, static_cast<long long>(columns), sums, ones);
  ctx.wait();
  const std::int64_t peak = system_counter("VmHWM:") - before, allowed = 2 * device + host;
  const ts::statistics s = ctx.stats();
  std::cout << "peak " << static_cast<double>(peak) / mib << " MiB, allowed " << allowed / mib << " MiB; spilled "
            << s.spilled_bytes / mib << " MiB, " << s.disk_written_bytes / mib << " MiB of it to disk\n";
  const bool pressed = s.spilled_bytes > allowed && s.disk_written_bytes > host;
  if (sums.read().back() != 64) return 2;
  return pressed && peak <= allowed + allowed / 20 ? 0 : 1;
}
