#include "benchmarks/paper/kernels/spmv.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class spmv_by_hand final : public cuda_program {
 public:
  explicit spmv_by_hand(const problem& p)
      : cuda_program(p),
        shape_(spmv_shape(p.n)),
        values_(shape_.rows * shape_.width),
        columns_(shape_.rows * shape_.width),
        from_(shape_.rows),
        to_(shape_.rows) {}
  void prepare() override {
    fill(values_, first_seed, 0, 2 / static_cast<float>(shape_.width));
    fill(columns_, first_seed + 1, static_cast<int>(shape_.rows));
    fill(from_, first_seed + 2, 0, 1);
    x_ = from_.data(), y_ = to_.data();
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(x_ == from_.data() ? from_ : to_, shape_.rows);
  }

 private:
  void launch() override {
    for (int k = 0; k < spmv_steps; ++k) {
      ell_product<<<blocks_of(shape_.rows, 256), 256>>>(static_cast<int>(shape_.rows), static_cast<int>(shape_.width),
                                                        values_.data(), columns_.data(), x_, y_);
      std::swap(x_, y_);
    }
    by_hand::check_launch();
  }

  ell_shape shape_;
  by_hand::device_array<float> values_;
  by_hand::device_array<int> columns_;
  by_hand::device_array<float> from_, to_;
  float *x_ = nullptr, *y_ = nullptr;
};

}  // namespace

std::unique_ptr<program> cuda_spmv(const problem& p) { return std::make_unique<spmv_by_hand>(p); }

}  // namespace tessera::bench::paper
