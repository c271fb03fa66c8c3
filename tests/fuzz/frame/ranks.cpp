#include "tests/fuzz/frame/ranks.h"

#include <mutex>
#include <thread>
#include <vector>

#include "tessera/base/text.h"

namespace tessera::fuzz {

std::optional<failure> run_on_ranks(
    int ranks, const std::function<std::optional<failure>(const std::shared_ptr<comm::transport>&)>& run) {
  const auto world = comm::make_local_world(ranks, 1);
  std::mutex mutex;
  std::optional<failure> first;
  const auto run_one = [&](std::size_t rank) {
    const std::optional<failure> wrong = run(world[rank]);
    if (!wrong) return;
    world[rank]->abort(cat("rank ", rank, " failed"));
    const std::lock_guard lock(mutex);
    if (!first) first = wrong;
  };
  std::vector<std::thread> threads;
  for (std::size_t r = 1; r < world.size(); ++r) threads.emplace_back(run_one, r);
  run_one(0);
  for (std::thread& t : threads) t.join();
  return first;
}

}  // namespace tessera::fuzz
