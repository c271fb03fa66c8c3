// A kernel that crashes, or a program that does so elsewhere:
// crashing_kernel segv|fpe|stack|handled|elsewhere|line|fiber_line|native|native_loop|between.
#include <tessera/tessera.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <string_view>

namespace ts = tessera;

namespace {

constexpr const char* source = R"(
__device__ int deep(int n, int* y) {
  volatile int room[1024];
  room[n % 1024] = y[0];
  return n == 0 ? room[5] : deep(n - 1, y) + room[n % 7];
}
//@tessera global i => write y[i]
__global__ void stray(int n, int* y, long long far) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i + far] = i;
}
//@tessera global i => write y[i]
__global__ void divide(int n, int* y, long long by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = i / (int)by;
}
//@tessera global i => write y[i]
__global__ void recurse(int n, int* y, long long depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __syncthreads();
  if (i < n) y[i] = deep((int)depth, y);
}
)";

/// A function that writes far outside of its array: itself, in one step of its loop, or after the loop.
ts::kernel native(ts::context& ctx, const std::string& mode) {
  return ctx.native("stray", "int n, int* y, long long far", "global i => write y[i]",
                    {{"cpu", [mode](ts::native_call& call) {
                        int* const y = call.data<int>(1);
                        const auto far = call.scalar<long long>(2);
                        if (mode == "native") y[far] = 1;
                        call.parallel_for(500, [&](std::int64_t i) {
                          if (mode == "native_loop") y[i + far] = 1;
                        });
                        y[far] = 2;
                      }}});
}

void own_handler(int) {
  constexpr std::string_view text = "the program's own handler\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(7);
}

}  // namespace

int main(int, char** arguments) {
  const std::string mode = arguments[1];
  if (mode == "handled") std::signal(SIGSEGV, own_handler);
  ts::options settings;
  settings.devices = "cpu*2";
  ts::context ctx(settings);
  auto y = ctx.zeros<int>({1000});
  const ts::kernel k = mode.starts_with("native") || mode == "between"
                           ? native(ctx, mode)
                           : ctx.compile(source, mode == "fpe"                             ? "divide"
                                                 : mode == "stack" || mode == "fiber_line" ? "recurse"
                                                                                           : "stray");
  const bool deep = mode == "stack" || mode == "fiber_line";
  k.launch({.threads = {1000}, .block = {100}}, 1000, y, mode == "fpe" || deep ? 1LL : 0LL);
  ctx.wait();
  int* volatile nowhere = nullptr;
  if (mode == "elsewhere") *nowhere = 1;
  const long long argument = mode == "fpe" ? 0 : deep ? 1 << 30 : -(1LL << 40);
  k.launch({.threads = {1000}, .block = {100}, .name = "the last launch"}, 1000, y, argument);
  ctx.wait();
  return 0;
}
