// gpu_faults wild|endless: a kernel that breaks the GPU's context, or never ends, is named, everything that waits fails
// with `device_error`, and the program ends by itself. A process each, since the GPU is lost to it.
#include <tessera/tessera.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace ts = tessera;

namespace {

constexpr const char* source = R"(
//@tessera global i => write y[i]
__global__ void wild(int* y, long long far) {
  y[blockIdx.x * blockDim.x + threadIdx.x + (threadIdx.x == 3 ? far : 0)] = 1;
}
//@tessera global i => write y[i]
__global__ void endless(int* y, long long far) {
  volatile int* mine = y + blockIdx.x * blockDim.x + threadIdx.x;
  *mine = 0;
  while (*mine == 0 && far != 0) {}
}
)";

bool says(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts)
    if (text.find(part) == std::string::npos) {
      std::printf("'%s' is not in: %s\n", part, text.c_str());
      return false;
    }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "wild";
  ts::options settings;
  settings.devices = "cuda:0*2";
  settings.kernel_timeout = std::chrono::seconds(1);
  settings.log = ts::log_level::off;
  bool right = true;
  {
    ts::context ctx{settings};
    auto before = ctx.full<int>({1000}, 7);
    right = before.read()[999] == 7 && right;
    auto y = ctx.zeros<int>({1 << 16});
    const ts::kernel k = ctx.compile(source, name);
    k.launch({.threads = {1 << 16}, .block = {256}}, y, 1LL << 40);
    try {
      (void)y.read();
      right = false;
      std::printf("no error\n");
    } catch (const ts::device_error& e) {
      right = says(e.what(), {name.c_str(), "superblock", "device", "is lost"}) && right;
      right = says(e.what(), {name == "wild" ? "ILLEGAL_ADDRESS" : "TESSERA_KERNEL_TIMEOUT"}) && right;
    }
    auto later = ctx.zeros<int>({100});
    try {
      k.launch({.threads = {100}}, later, 0);
      (void)later.read();
      right = false;
      std::printf("a lost GPU still works\n");
    } catch (const ts::device_error&) {
    }
  }
  std::printf("%s: %s\n", name.c_str(), right ? "named, and the program went on" : "WRONG");
  return right ? 0 : 1;
}
