// A job that would run for minutes and in which one rank does something else: long_job WHAT RANK.
#include <signal.h>
#include <tessera/tessera.h>
#include <unistd.h>

#include <cstdlib>
#include <random>
#include <string>
#include <thread>

#include "tests/comm/on_this_rank.h"

namespace ts = tessera;

namespace {

void misbehave(const std::string& mode) {
  if (mode == "kill") kill(getpid(), SIGKILL);
  if (mode == "crash") std::abort();
  if (mode == "exit") std::exit(3);
  if (mode == "sleep") sleep(30);
  if (mode == "throw") throw std::runtime_error("no more paper");
}

/// The wrong one leaves its context while a large message of its is under way, and does something else for long.
int leave(bool wrong_one) {
  try {
    ts::context ctx;
    const std::int64_t n = 64 << 20;
    const ts::kernel set = ctx.native("set", "char* x", "global i => write x[i]", {{"cpu", [](ts::native_call&) {}}});
    const auto x = ctx.zeros<char>({n});
    set.launch({.threads = {n}, .block = {1024}}, x);
    ctx.wait();
    static_cast<void>(x.slice({{0, n / 2}}).read_on(1));  // of rank 0
    if (wrong_one) throw std::runtime_error("no more paper");
    ctx.wait();
    static_cast<void>(x.read());
    return 0;
  } catch (const std::exception&) {
    if (wrong_one) sleep(30);
    throw;
  }
}

/// A kernel that goes astray where it works on the second half of its array, which is on rank 1.
int stray() {
  ts::context ctx;
  const ts::kernel stray = ctx.compile(R"(
    //@tessera global i => write y[i]
    __global__ void stray(int n, int* y, long long far) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i < n / 2 ? i : i + far] = i;
    })",
                                       "stray");
  const int n = 1 << 16;
  const auto y = ctx.zeros<int>({n});
  stray.launch({.threads = {n}}, n, y, 0LL);
  ctx.wait();
  stray.launch({.threads = {n}}, n, y, -(1LL << 40));
  static_cast<void>(y.read());
  return 0;
}

int run(const std::string& mode, bool wrong_one) {
  ts::context ctx;
  if (mode == "later" && wrong_one)
    std::thread([] {
      std::random_device random;
      usleep(std::uniform_int_distribution<useconds_t>(0, 1'000'000)(random));
      kill(getpid(), SIGKILL);
    }).detach();
  const ts::kernel step = ctx.compile(R"(
    //@tessera global i => read x[i-1:i+1], write y[i]
    __global__ void step(int n, float* y, const float* x) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) y[i] = 0.3f * (x[i > 0 ? i - 1 : 0] + x[i] + x[i < n - 1 ? i + 1 : i]);
    })",
                                      "step");
  const int n = 1 << 16;
  auto x = ctx.full<float>({n}, 1.0F), y = ctx.full<float>({n}, 1.0F);
  for (int t = 0; t < 1'000'000; ++t) {
    step.launch({.threads = {n}}, n, y, x);
    std::swap(x, y);
    if (t % 100 == 99) ctx.wait();
    if (t == 1000 && wrong_one) misbehave(mode);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return ts::support::on_this_rank([&](int rank) {
    const std::string mode = argv[1];
    const bool wrong_one = rank == std::atoi(argv[2]);
    if (mode == "stray") return stray();
    return mode == "leave" ? leave(wrong_one) : run(mode, wrong_one);
  });
}
