// K-means on all cores: the nearest centres of a strip of records at a time, sums of a range of records in a local
// table.
#include <mutex>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

constexpr int strip = 16;
using table = double[kmeans_centres][5];

/// Which centre is nearest to each of `strip` records.
inline void find_nearest(const float* records, const float (&centres)[kmeans_centres][4], int (&nearest)[strip]) {
  float x[strip], y[strip], z[strip], w[strip], least[strip];
#pragma omp simd
  for (int k = 0; k < strip; ++k) {
    x[k] = records[4 * k], y[k] = records[4 * k + 1], z[k] = records[4 * k + 2], w[k] = records[4 * k + 3];
    least[k] = 1e30f;
    nearest[k] = 0;
  }
  for (int c = 0; c < kmeans_centres; ++c) {
    const float cx = centres[c][0], cy = centres[c][1], cz = centres[c][2], cw = centres[c][3];
#pragma omp simd
    for (int k = 0; k < strip; ++k) {
      const float dx = x[k] - cx, dy = y[k] - cy, dz = z[k] - cz, dw = w[k] - cw;
      const float distance = dx * dx + dy * dy + dz * dz + dw * dw;
      nearest[k] = distance < least[k] ? c : nearest[k];
      least[k] = distance < least[k] ? distance : least[k];
    }
  }
}

class kmeans final : public threads_program {
 public:
  kmeans(thread_team& team, const problem& p)
      : threads_program(team, p), padded_((p.n + strip - 1) / strip * strip), records_(4 * padded_) {}

  void prepare() override {
    fill(records_.data(), 4 * padded_, first_seed, 0, 1);
    for (int c = 0; c < kmeans_centres; ++c)
      for (int k = 0; k < 4; ++k) centres_[c][k] = number(4 * c + k, first_seed);
  }
  void run() override {
    for (int k = 0; k < kmeans_steps; ++k) step();
  }
  std::vector<double> result() const override { return beginning(&centres_[0][0], 4 * kmeans_centres); }

 private:
  void step() {
    table sums = {};
    std::mutex merging;
    parallel(padded_ / strip, [&](std::int64_t begin, std::int64_t end) {
      table own = {};
      for (std::int64_t s = begin; s < end; ++s) add_strip(s * strip, own);
      const std::lock_guard lock(merging);
      for (int c = 0; c < kmeans_centres; ++c)
        for (int k = 0; k < 5; ++k) sums[c][k] += own[c][k];
    });
    for (int c = 0; c < kmeans_centres; ++c)
      for (int k = 0; k < 4 && sums[c][4] != 0; ++k) centres_[c][k] = static_cast<float>(sums[c][k] / sums[c][4]);
  }
  void add_strip(std::int64_t first, table& own) const {
    const float* records = records_.data() + 4 * first;
    int nearest[strip];
    find_nearest(records, centres_, nearest);
    for (std::int64_t k = 0; k < strip && first + k < n(); ++k) {
      double* sums = own[nearest[k]];
      for (int f = 0; f < 4; ++f) sums[f] += records[4 * k + f];
      sums[4] += 1;
    }
  }

  std::int64_t padded_;
  plain_array<float> records_;
  float centres_[kmeans_centres][4] = {};
};

}  // namespace

std::unique_ptr<program> threads_kmeans(thread_team& team, const problem& p) {
  return std::make_unique<kmeans>(team, p);
}

}  // namespace tessera::bench::paper
