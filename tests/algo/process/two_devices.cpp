// Calls that have nothing to do with each other, one on each of two devices, which take a while (trace.cmake).
#include <tessera/algo.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace ts = tessera;

int main() {
  const ts::vector<int> x(1, 1), y(1, 2);
  ts::vector<int> left(1), right(1);
  const auto slow = ts::host([](int e) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return e + 1;
  });
  const auto next = ts::map(slow);
  auto first = next, second = next;
  first.on({0}).name("left").into(left, x);
  second.on({1}).name("right").into(right, y);
  const bool is_right = left[0] == 2 && right[0] == 3;
  std::puts(is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}
