#pragma once

#include <cstdint>
#include <vector>

#include "benchmarks/frame/thread_team.h"

/// The programs as they are written by hand, with MPI calls and a team of threads on every rank. Each function is
/// called on all ranks, does the whole program and returns what is compared with ours.
namespace tessera::bench::by_hand {

/// Rows [first, last) of this rank if `all` rows are shared out evenly.
struct share {
  std::int64_t first = 0, last = 0;
  [[nodiscard]] std::int64_t size() const { return last - first; }
};
[[nodiscard]] share share_of(std::int64_t all, int rank, int ranks);

/// `steps` steps of the five-point stencil on a plane whose rows are shared out; halos by non-blocking messages.
class stencil {
 public:
  stencil(std::int64_t width, std::int64_t height, int rank, int ranks, thread_team& team);
  void run(int steps);
  /// The element in the middle of this rank's part.
  [[nodiscard]] float sample() const;

 private:
  void exchange();
  std::int64_t width_;
  int rank_, ranks_;
  share own_;
  thread_team& team_;
  std::vector<float> now_, next_;  // own rows between two halos
};

/// c = a b, rows of all three shared out: b is gathered everywhere, then every rank computes its rows.
class product {
 public:
  product(std::int64_t n, int rank, int ranks, thread_team& team);
  void run();
  [[nodiscard]] float sample() const;

 private:
  std::int64_t n_;
  int ranks_;
  share own_;
  thread_team& team_;
  std::vector<float> a_, b_, all_b_, c_;
};

/// K-means in two dimensions: points shared out, sums combined by MPI_Allreduce.
class kmeans {
 public:
  kmeans(std::int64_t points, int centres, int rank, int ranks, thread_team& team);
  void run(int steps);
  [[nodiscard]] const std::vector<float>& centres() const { return centres_; }

 private:
  share own_;
  int count_;
  thread_team& team_;
  std::vector<float> points_, centres_;
};

/// What all programs start from: numbers from [0, 1) without a pattern.
[[nodiscard]] float number_at(std::int64_t i);

}  // namespace tessera::bench::by_hand
