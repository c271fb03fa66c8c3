#include "benchmarks/ranks/rivals.h"

#include <mpi.h>

#include <algorithm>
#include <mutex>

namespace tessera::bench::by_hand {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

float point(float mid, float left, float right, float above, float below) {
  return mid + 0.2F * (left + right + above + below - 4.0F * mid);
}

void stencil_row(float* __restrict to, const float* __restrict row, const float* __restrict above,
                 const float* __restrict below, std::int64_t width) {
  const std::int64_t last = width - 1;
  to[0] = point(row[0], row[0], row[1], above[0], below[0]);
#pragma omp simd
  for (std::int64_t x = 1; x < last; ++x) to[x] = point(row[x], row[x - 1], row[x + 1], above[x], below[x]);
  to[last] = point(row[last], row[last - 1], row[last], above[last], below[last]);
}

void product_row(float* __restrict c, const float* __restrict a, const float* __restrict b, std::int64_t n) {
  for (std::int64_t j = 0; j < n; ++j) c[j] = 0;
  for (std::int64_t k = 0; k < n; k += 4) {  // n is a multiple of 4
    const float* __restrict from = b + k * n;
    for (std::int64_t j = 0; j < n; ++j)
      c[j] += a[k] * from[j] + a[k + 1] * from[n + j] + a[k + 2] * from[2 * n + j] + a[k + 3] * from[3 * n + j];
  }
}

}  // namespace

float number_at(std::int64_t i) {
  auto x = static_cast<std::uint32_t>(i) * 2654435761U + 12345U;
  x ^= x >> 16;
  x *= 2246822519U;
  x ^= x >> 13;
  return static_cast<float>(x >> 8) / 16777216.0F;
}

share share_of(std::int64_t all, int rank, int ranks) {
  const std::int64_t each = (all + ranks - 1) / ranks;
  return {std::min(all, rank * each), std::min(all, (rank + 1) * each)};
}

stencil::stencil(std::int64_t width, std::int64_t height, int rank, int ranks, thread_team& team)
    : width_(width), rank_(rank), ranks_(ranks), own_(share_of(height, rank, ranks)), team_(team) {
  now_.resize(at((own_.size() + 2) * width));
  next_.resize(now_.size());
  team_.run(own_.size(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin * width_; i < end * width_; ++i) {
      now_[at(i + width_)] = number_at(own_.first * width_ + i);
      next_[at(i + width_)] = 0;
    }
  });
}

void stencil::exchange() {
  const auto count = static_cast<int>(width_);
  float* const first = now_.data() + width_;
  float* const last = now_.data() + own_.size() * width_;
  MPI_Request requests[4];
  int n = 0;
  if (rank_ > 0) {
    MPI_Irecv(first - width_, count, MPI_FLOAT, rank_ - 1, 0, MPI_COMM_WORLD, &requests[n++]);
    MPI_Isend(first, count, MPI_FLOAT, rank_ - 1, 1, MPI_COMM_WORLD, &requests[n++]);
  }
  if (rank_ + 1 < ranks_) {
    MPI_Irecv(last + width_, count, MPI_FLOAT, rank_ + 1, 1, MPI_COMM_WORLD, &requests[n++]);
    MPI_Isend(last, count, MPI_FLOAT, rank_ + 1, 0, MPI_COMM_WORLD, &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

void stencil::run(int steps) {
  for (int s = 0; s < steps; ++s) {
    exchange();
    const bool top = rank_ == 0, bottom = rank_ + 1 == ranks_;
    team_.run(own_.size(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t y = begin; y < end; ++y) {
        const float* const row = now_.data() + (y + 1) * width_;
        stencil_row(next_.data() + (y + 1) * width_, row, top && y == 0 ? row : row - width_,
                    bottom && y + 1 == own_.size() ? row : row + width_, width_);
      }
    });
    now_.swap(next_);
  }
}

float stencil::sample() const { return now_[at((own_.size() / 2 + 1) * width_ + width_ / 2)]; }

product::product(std::int64_t n, int rank, int ranks, thread_team& team)
    : n_(n), ranks_(ranks), own_(share_of(n, rank, ranks)), team_(team) {
  for (std::int64_t i = own_.first * n; i < own_.last * n; ++i) {
    a_.push_back(number_at(i));
    b_.push_back(number_at(i + n * n));
  }
  all_b_.resize(at(n * n));
  c_.resize(a_.size());
}

void product::run() {
  std::vector<int> counts, begins;
  for (int r = 0; r < ranks_; ++r) {
    counts.push_back(static_cast<int>(share_of(n_, r, ranks_).size() * n_));
    begins.push_back(static_cast<int>(share_of(n_, r, ranks_).first * n_));
  }
  MPI_Allgatherv(b_.data(), static_cast<int>(b_.size()), MPI_FLOAT, all_b_.data(), counts.data(), begins.data(),
                 MPI_FLOAT, MPI_COMM_WORLD);
  team_.run(own_.size(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) product_row(&c_[at(i * n_)], &a_[at(i * n_)], all_b_.data(), n_);
  });
}

float product::sample() const { return c_[c_.size() / 2]; }

kmeans::kmeans(std::int64_t points, int centres, int rank, int ranks, thread_team& team)
    : own_(share_of(points, rank, ranks)), count_(centres), team_(team) {
  for (std::int64_t i = 2 * own_.first; i < 2 * own_.last; ++i) points_.push_back(number_at(i));
  for (std::int64_t i = 0; i < std::int64_t{2} * centres; ++i) centres_.push_back(number_at(7 * i + 3));
}

void kmeans::run(int steps) {
  std::mutex mutex;
  for (int s = 0; s < steps; ++s) {
    std::vector<double> sums(at(std::int64_t{3} * count_));
    team_.run(own_.size(), [&](std::int64_t begin, std::int64_t end) {
      std::vector<double> mine(sums.size());
      const float* const centres = centres_.data();
      for (std::int64_t p = begin; p < end; ++p) {
        const float x = points_[at(2 * p)], y = points_[at(2 * p + 1)];
        float least = 1e30F;
        int nearest = 0;
        for (int c = 0; c < count_; ++c) {
          const float dx = x - centres[2 * c], dy = y - centres[2 * c + 1], d = dx * dx + dy * dy;
          nearest = d < least ? c : nearest;
          least = d < least ? d : least;
        }
        mine[at(3 * nearest)] += x;
        mine[at(3 * nearest + 1)] += y;
        mine[at(3 * nearest + 2)] += 1;
      }
      const std::lock_guard lock(mutex);
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += mine[k];
    });
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int c = 0; c < count_; ++c) {
      if (sums[at(3 * c + 2)] == 0) continue;
      centres_[at(2 * c)] = static_cast<float>(sums[at(3 * c)] / sums[at(3 * c + 2)]);
      centres_[at(2 * c + 1)] = static_cast<float>(sums[at(3 * c + 1)] / sums[at(3 * c + 2)]);
    }
  }
}

}  // namespace tessera::bench::by_hand
