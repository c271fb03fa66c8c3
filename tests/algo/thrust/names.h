#pragma once

#include <doctest/doctest.h>
#include <tessera/thrust.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/algo/algorithm/support.h"

namespace names {

#define THRUST_NAME(name) void name();
#define THRUST_ABSENT(name, reason)
#include "tests/algo/thrust/names.def"
#undef THRUST_NAME
#undef THRUST_ABSENT

using ints = std::vector<int>;
using vector = thrust::device_vector<int>;

constexpr std::int64_t size = 300;
/// Numbers below 10 in no order, more than one for each.
inline const ints some = tessera::support::numbers_below(size, 10);
inline const ints other = tessera::support::numbers_below(size, 10, 7);
inline ints sorted(ints all) {
  std::sort(all.begin(), all.end());
  return all;
}
inline ints first_of(const vector& all, std::int64_t n) {
  ints values = all.to_host();
  values.resize(static_cast<std::size_t>(n));
  return values;
}
/// What `make(out)` has written behind the beginning of `out`, which has `n` elements, and says so.
template <class Make>
ints written_by(std::int64_t n, Make make) {
  vector out(n, -1);
  const auto end = make(out);
  return first_of(out, end - out.begin());
}

}  // namespace names
