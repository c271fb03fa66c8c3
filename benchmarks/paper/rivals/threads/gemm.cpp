// The product of matrices on all cores: panels of b that stay in the cache, and sums of 6 x 32 elements in registers.
#include <algorithm>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

constexpr int tall = 6, wide = 32;
constexpr std::int64_t depth = 256;

/// c[tall, wide] += a[tall, count] * b[count, wide]; `b` is packed, wide elements after the other.
inline __attribute__((always_inline)) void add_tile(const float* a, std::int64_t a_row, const float* b,
                                                    std::int64_t count, float* c, std::int64_t c_row) {
  float sums[tall][wide];
  for (int i = 0; i < tall; ++i)
    for (int j = 0; j < wide; ++j) sums[i][j] = c[i * c_row + j];
  for (std::int64_t k = 0; k < count; ++k) {
    const float* from = b + k * wide;
    for (int i = 0; i < tall; ++i) {
      const float factor = a[i * a_row + k];
#pragma omp simd
      for (int j = 0; j < wide; ++j) sums[i][j] += factor * from[j];
    }
  }
  for (int i = 0; i < tall; ++i)
    for (int j = 0; j < wide; ++j) c[i * c_row + j] = sums[i][j];
}

class gemm final : public threads_program {
 public:
  gemm(thread_team& team, const problem& p)
      : threads_program(team, p),
        side_(cube_root(p.n)),
        rows_((side_ + tall - 1) / tall * tall),
        columns_((side_ + wide - 1) / wide * wide),
        a_(rows_ * side_),
        b_(side_ * side_),
        c_(rows_ * columns_),
        packed_(depth * columns_) {}

  void prepare() override {
    fill(a_.data(), side_ * side_, first_seed, -1, 1);
    std::fill(a_.data() + side_ * side_, a_.data() + rows_ * side_, 0.0f);
    fill(b_.data(), side_ * side_, first_seed + 1, -1, 1);
  }
  void run() override {
    parallel(rows_ * columns_,
             [this](std::int64_t begin, std::int64_t end) { std::fill(c_.data() + begin, c_.data() + end, 0.0f); });
    for (std::int64_t first = 0; first < side_; first += depth) do_panel(first, std::min(depth, side_ - first));
  }
  std::vector<double> result() const override {
    const std::int64_t all = side_ * side_ <= most_compared ? side_ : std::max<std::int64_t>(1, most_compared / side_);
    std::vector<double> values;
    for (std::int64_t i = 0; i < all; ++i)
      values.insert(values.end(), c_.data() + i * columns_, c_.data() + i * columns_ + side_);
    return values;
  }

 private:
  void do_panel(std::int64_t first, std::int64_t count) {
    parallel(columns_ / wide, [=, this](std::int64_t begin, std::int64_t end) {
      for (; begin < end; ++begin)
        for (std::int64_t k = 0; k < count; ++k)
          for (int j = 0; j < wide; ++j) {
            const std::int64_t column = begin * wide + j;
            packed_[(begin * count + k) * wide + j] = column < side_ ? b_[(first + k) * side_ + column] : 0.0f;
          }
    });
    parallel(rows_ / tall, [=, this](std::int64_t begin, std::int64_t end) {
      // A strip of b stays in the first cache while all rows of this range pass.
      for (std::int64_t strip = 0; strip < columns_ / wide; ++strip)
        for (std::int64_t r = begin; r < end; ++r)
          add_tile(a_.data() + r * tall * side_ + first, side_, packed_.data() + strip * count * wide, count,
                   c_.data() + r * tall * columns_ + strip * wide, columns_);
    });
  }

  std::int64_t side_, rows_, columns_;
  plain_array<float> a_, b_, c_, packed_;
};

}  // namespace

std::unique_ptr<program> threads_gemm(thread_team& team, const problem& p) { return std::make_unique<gemm>(team, p); }

}  // namespace tessera::bench::paper
