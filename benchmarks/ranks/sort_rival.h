#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks/frame/thread_team.h"

namespace tessera::bench::by_hand {

/// Numbers without a pattern, shared out evenly, sorted over all ranks: each rank sorts its own, samples tell which
/// part each rank gets, one MPI_Alltoallv brings the parts, and each rank merges what it got.
class sample_sort {
 public:
  sample_sort(std::int64_t n, int rank, int ranks, thread_team& team);
  /// The numbers as they were.
  void prepare();
  void run();
  /// Number `place` of all, which the first rank has; the same on every rank.
  [[nodiscard]] std::uint64_t at(std::int64_t place) const;

 private:
  [[nodiscard]] std::vector<std::uint64_t> splitters() const;
  /// Runs that end at `ends` become one; in pairs, each of them by a thread.
  void merge_runs(std::vector<std::int64_t> ends);
  void sort_own();

  int ranks_;
  thread_team& team_;
  std::vector<std::uint64_t> given_, numbers_, spare_;
};

/// What is sorted.
[[nodiscard]] std::uint64_t sort_number_at(std::int64_t i);

}  // namespace tessera::bench::by_hand
