// A sparse matrix in ELL format times a vector on all cores: a strip of rows at a time, whose sums stay in registers.
#include <utility>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

class spmv final : public threads_program {
 public:
  spmv(thread_team& team, const problem& p)
      : threads_program(team, p),
        shape_(spmv_shape(p.n)),
        values_(shape_.rows * shape_.width),
        columns_(shape_.rows * shape_.width),
        x_(shape_.rows),
        y_(shape_.rows) {}
  void prepare() override {
    fill(values_.data(), values_.size(), first_seed, 0, 2 / static_cast<float>(shape_.width));
    fill(columns_.data(), columns_.size(), first_seed + 1, static_cast<int>(shape_.rows));
    fill(x_.data(), x_.size(), first_seed + 2, 0, 1);
  }
  void run() override {
    constexpr int strip = 64;
    for (int k = 0; k < spmv_steps; ++k) {
      parallel(shape_.rows, [this](std::int64_t begin, std::int64_t end) {
        for (; begin + strip <= end; begin += strip) do_rows<strip>(begin);
        for (; begin < end; ++begin) do_rows<1>(begin);
      });
      std::swap(x_, y_);
    }
  }
  std::vector<double> result() const override { return beginning(x_.data(), x_.size()); }

 private:
  template <int Strip>
  void do_rows(std::int64_t first) const {
    const float* x = x_.data();
    float sums[Strip] = {};
    for (std::int64_t k = 0; k < shape_.width; ++k) {
      const float* values = values_.data() + k * shape_.rows + first;
      const int* columns = columns_.data() + k * shape_.rows + first;
#pragma omp simd
      for (int i = 0; i < Strip; ++i) sums[i] += values[i] * x[columns[i]];
    }
    for (int i = 0; i < Strip; ++i) y_[first + i] = sums[i];
  }

  ell_shape shape_;
  plain_array<float> values_;
  plain_array<int> columns_;
  plain_array<float> x_, y_;
};

}  // namespace

std::unique_ptr<program> threads_spmv(thread_team& team, const problem& p) { return std::make_unique<spmv>(team, p); }

}  // namespace tessera::bench::paper
