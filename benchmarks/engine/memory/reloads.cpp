#include "benchmarks/engine/memory/reloads.h"

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

void add_reloads(session& s, const std::string& name, std::int64_t moved, const repeated_passes& work) {
  const auto mib = [](std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  const auto least = [&](bool farthest) {
    return mib(reloads(work.bytes / work.page, work.memory / work.page, work.passes, farthest) * work.page);
  };
  s.add_figures(name, mib(moved), least(true), "the least possible", "MiB", 1 / 1.1);
  s.add_figures(name + ".lru", mib(moved), least(false), "least recently used", "MiB", std::nullopt);
}

}  // namespace tessera::bench
