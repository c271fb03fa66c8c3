// Work that never ends: a thread that waits for it gets a report, and the process ends. Given "ahead": on one of two
// simulated ranks, whose program is far ahead of what is planned, because the other rank does nothing.
#include <tessera/tessera.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "tessera/comm/transport.h"

namespace ts = tessera;

namespace {

void sleep_for_ever() {
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Calls `wait` and prints what it throws.
template <class Wait>
void print_error_of(Wait wait) {
  try {
    wait();
    std::printf("nothing was thrown\n");
  } catch (const ts::device_error& e) {
    std::printf("caught: %s\n", e.what());
  }
  std::fflush(stdout);
}

ts::options settings() {
  ts::options chosen;
  chosen.devices = "cpu*2";
  chosen.timeout = std::chrono::milliseconds(500);
  return chosen;
}

void run_endless_kernel() {
  ts::context ctx{settings()};
  const ts::kernel endless =
      ctx.native("endless", "int* y", "single => write y", {{"cpu", [](ts::native_call&) { sleep_for_ever(); }}});
  auto y = ctx.zeros<int>({10}, ts::on_device(0));
  auto z = ctx.from<int>({10}, std::vector<int>(10, 7), ts::on_device(1));
  endless.launch({.threads = {1}}, y);
  if (z.read() != std::vector<int>(10, 7)) std::_Exit(3);  // what does not depend on it is not held up
  print_error_of([&] { (void)y.read(); });
  print_error_of([&] { (void)z.read(); });  // afterwards nothing can be promised
}

void run_ahead() {
  const auto world = ts::comm::make_local_world(2, 1);
  const auto run = [&](int rank) {
    ts::options chosen = settings();
    chosen.comm = world[static_cast<std::size_t>(rank)];
    ts::context ctx{chosen};
    const auto nothing = [](ts::native_call&) {};
    const ts::kernel step =
        ctx.native("step", "int* y, const int* x", "global i => read x[i-1:i+1], write y[i]", {{"cpu", nothing}});
    const ts::kernel stay = ctx.native("stay", "int* y", "global i => readwrite y[i]", {{"cpu", nothing}});
    const auto x = ctx.from<int>({8}, std::vector<int>(8)), y = ctx.empty<int>({8});
    if (rank == 1) sleep_for_ever();
    step.launch({.threads = {8}, .block = {1}}, y, x);
    print_error_of([&] {
      while (true) stay.launch({.threads = {8}, .block = {1}}, y);
    });
  };
  std::thread(run, 1).detach();
  run(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "ahead") == 0)
    run_ahead();
  else
    run_endless_kernel();
  return 0;  // not reached: the context cannot be ended
}
