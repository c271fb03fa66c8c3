// A container that the host and the devices use in turns: only what is needed moves, and nothing is said about it.
#include <tessera/algo.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.h"

namespace ts = tessera;

int main() {
  ts::vector<int> v = ts::map([](auto i) { return i * i; })(ts::counting(0, 1000));
  std::vector<int> expected(1000);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<int>(i * i);

  v[0] = 11;  // a write, a read, both
  const int first = v[0];
  v[0] += first;
  expected[0] = 22;
  {
    auto h = v.host(ts::readwrite, 100, 200);  // host memory, given back at the brace
    std::sort(h.begin(), h.end(), [](int a, int b) { return a % 10 < b % 10 || (a % 10 == b % 10 && a < b); });
  }
  std::sort(expected.begin() + 100, expected.begin() + 200,
            [](int a, int b) { return a % 10 < b % 10 || (a % 10 == b % 10 && a < b); });
  v.push_back(7);
  v.erase(v.begin() + 3, v.begin() + 9);
  v.resize(5000);
  expected.push_back(7);
  expected.erase(expected.begin() + 3, expected.begin() + 9);
  expected.resize(5000);
  ts::vector<int> w = v;                                                           // a copy by the devices
  ts::map([](auto e) { return -e; }).into(v.begin() + 5, v.begin() + 5, v.end());  // a part of a container
  std::vector<int> both = v.to_host();
  const std::vector<int> copy = w.to_host();
  both.insert(both.end(), copy.begin(), copy.end());
  std::vector<int> wanted = expected;
  for (std::size_t k = 5; k < wanted.size(); ++k) wanted[k] = -wanted[k];
  wanted.insert(wanted.end(), expected.begin(), expected.end());
  return example::report("containers", both, wanted);
}
