#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/algo/algorithm/support.h"

namespace tessera::support {

/// Calls `body(ctx, n)` for sizes around nothing, the devices and what samples leave out.
template <class Body>
void for_each_sorted_size(Body body) {
  for_each_context([&](context& ctx) {
    for (const std::int64_t n : selected<std::int64_t>({0, 1, 3, 7, 4099}, {0, 1, 2, 3, 6, 7, 8, 100, 4099, 40007})) {
      CAPTURE(n);
      body(ctx, n);
    }
  });
}

/// Numbers in the orders that sorts meet.
inline std::vector<std::vector<int>> shapes_of(std::int64_t n) {
  using ints = std::vector<int>;
  std::vector<ints> all{numbers_below(n, 1 << 30), numbers_below(n, 3), ints(static_cast<std::size_t>(n), 5)};
  ints up(static_cast<std::size_t>(n)), organ(up), zipf(up);
  std::iota(up.begin(), up.end(), -static_cast<int>(n) / 2);
  for (std::size_t k = 0; k < organ.size(); ++k) organ[k] = static_cast<int>(std::min(k, organ.size() - k));
  const ints random = numbers_below(n, 1000003, 17);
  for (std::size_t k = 0; k < zipf.size(); ++k) zipf[k] = 1000003 / (1 + random[k]);
  all.push_back(up);
  all.emplace_back(up.rbegin(), up.rend());
  all.push_back(organ);
  all.push_back(zipf);
  return all;
}

}  // namespace tessera::support
