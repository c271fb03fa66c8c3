#include "benchmarks/paper/kernels/gemm.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class gemm_by_hand final : public cuda_program {
 public:
  explicit gemm_by_hand(const problem& p) : cuda_program(p), side_(cube_root(p.n)), a_(side_ * side_), b_(side_ * side_), c_(side_ * side_) {}
  void prepare() override {
    fill(a_, first_seed, -1, 1);
    fill(b_, first_seed + 1, -1, 1);
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(c_, side_);
  }

 private:
  void launch() override {
    gemm<<<dim3(blocks_of(side_, 16), blocks_of(side_, 256)), 64>>>(static_cast<int>(side_), a_.data(), b_.data(),
                                                                  c_.data());
    by_hand::check_launch();
  }

  std::int64_t side_;
  by_hand::device_array<float> a_, b_, c_;
};

}  // namespace

std::unique_ptr<program> cuda_gemm(const problem& p) { return std::make_unique<gemm_by_hand>(p); }

}  // namespace tessera::bench::paper
