#include "benchmarks/ranks/sort_rival.h"

#include <mpi.h>

#include <algorithm>
#include <cstddef>

#include "benchmarks/ranks/rivals.h"

namespace tessera::bench::by_hand {
namespace {

constexpr std::int64_t samples_per_rank = 128;
constexpr std::int64_t runs_per_sort = 8;

}  // namespace

std::uint64_t sort_number_at(std::int64_t i) {
  std::uint64_t x = (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93U;
  return x ^ (x >> 29);
}

sample_sort::sample_sort(std::int64_t n, int rank, int ranks, thread_team& team) : ranks_(ranks), team_(team) {
  const share own = share_of(n, rank, ranks);
  for (std::int64_t i = own.first; i < own.last; ++i) given_.push_back(sort_number_at(i));
}

void sample_sort::prepare() { numbers_ = given_; }

void sample_sort::merge_runs(std::vector<std::int64_t> ends) {
  spare_.resize(numbers_.size());
  while (ends.size() > 1) {
    const auto pairs = static_cast<std::int64_t>((ends.size() + 1) / 2);
    team_.run(pairs, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t k = begin; k < end; ++k) {
        const auto at = [&](std::size_t run) { return run == 0 ? 0 : ends[std::min(run, ends.size()) - 1]; };
        const auto run = static_cast<std::size_t>(2 * k);
        const std::int64_t lo = at(run), middle = at(run + 1), hi = at(run + 2);
        std::merge(numbers_.begin() + lo, numbers_.begin() + middle, numbers_.begin() + middle, numbers_.begin() + hi,
                   spare_.begin() + lo);
      }
    });
    std::vector<std::int64_t> joined;
    for (std::size_t k = 1; k < ends.size(); k += 2) joined.push_back(ends[k]);
    if (ends.size() % 2 == 1) joined.push_back(ends.back());
    ends = joined;
    numbers_.swap(spare_);
  }
}

void sample_sort::sort_own() {
  const auto n = static_cast<std::int64_t>(numbers_.size());
  std::vector<std::int64_t> ends;
  for (std::int64_t k = 1; k <= runs_per_sort; ++k) ends.push_back(n * k / runs_per_sort);
  team_.run(runs_per_sort, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k)
      std::sort(numbers_.begin() + n * k / runs_per_sort, numbers_.begin() + n * (k + 1) / runs_per_sort);
  });
  merge_runs(std::move(ends));
}

std::vector<std::uint64_t> sample_sort::splitters() const {
  std::vector<std::uint64_t> own, all(static_cast<std::size_t>(samples_per_rank * ranks_)), chosen;
  for (std::int64_t k = 0; k < samples_per_rank; ++k)
    own.push_back(numbers_[static_cast<std::size_t>(k) * numbers_.size() / samples_per_rank]);
  MPI_Allgather(own.data(), samples_per_rank, MPI_UINT64_T, all.data(), samples_per_rank, MPI_UINT64_T, MPI_COMM_WORLD);
  std::sort(all.begin(), all.end());
  for (int k = 1; k < ranks_; ++k) chosen.push_back(all[static_cast<std::size_t>(k * samples_per_rank)]);
  return chosen;
}

void sample_sort::run() {
  sort_own();
  if (ranks_ == 1) return;
  const auto count = static_cast<std::size_t>(ranks_);
  std::vector<int> sent(count), got(count), from(count + 1), to(count + 1);
  const std::vector<std::uint64_t> limits = splitters();
  for (std::size_t k = 0; k < count; ++k) {
    const auto end = k + 1 == count ? numbers_.end() : std::lower_bound(numbers_.begin(), numbers_.end(), limits[k]);
    from[k + 1] = static_cast<int>(end - numbers_.begin());
    sent[k] = from[k + 1] - from[k];
  }
  MPI_Alltoall(sent.data(), 1, MPI_INT, got.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t k = 0; k < count; ++k) to[k + 1] = to[k] + got[k];
  spare_.resize(static_cast<std::size_t>(to[count]));
  MPI_Alltoallv(numbers_.data(), sent.data(), from.data(), MPI_UINT64_T, spare_.data(), got.data(), to.data(),
                MPI_UINT64_T, MPI_COMM_WORLD);
  numbers_.swap(spare_);
  merge_runs({to.begin() + 1, to.end()});
}

std::uint64_t sample_sort::at(std::int64_t place) const {
  std::uint64_t number = 0;
  if (place < static_cast<std::int64_t>(numbers_.size())) number = numbers_[static_cast<std::size_t>(place)];
  MPI_Bcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return number;
}

}  // namespace tessera::bench::by_hand
