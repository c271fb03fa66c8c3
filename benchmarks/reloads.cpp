#include "benchmarks/reloads.h"

#include <algorithm>
#include <vector>

namespace tessera::bench {

std::int64_t reloads(std::int64_t pages, std::int64_t room, int passes, bool farthest) {
  std::vector<std::int64_t> last(static_cast<std::size_t>(pages), -1);
  std::vector<std::int64_t> here;
  std::int64_t loads = 0;
  for (std::int64_t now = 0; now < pages * passes; ++now) {
    const std::int64_t page = now % pages;
    if (std::find(here.begin(), here.end(), page) == here.end()) {
      loads += now >= pages ? 1 : 0;  // the first time it is brought, not brought back
      if (std::ssize(here) == room) {
        const auto next = [&](std::int64_t p) { return (p - page + pages) % pages; };
        here.erase(std::max_element(here.begin(), here.end(), [&](std::int64_t a, std::int64_t b) {
          return farthest ? next(a) < next(b) : last[static_cast<std::size_t>(a)] > last[static_cast<std::size_t>(b)];
        }));
      }
      here.push_back(page);
    }
    last[static_cast<std::size_t>(page)] = now;
  }
  return loads;
}

}  // namespace tessera::bench
