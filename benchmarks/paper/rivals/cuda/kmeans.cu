#include "benchmarks/paper/kernels/kmeans.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class kmeans_by_hand final : public cuda_program {
 public:
  explicit kmeans_by_hand(const problem& p) : cuda_program(p), records_(p.n), centres_(kmeans_centres), sums_(5 * kmeans_centres) {}
  void prepare() override {
    fill(records_, first_seed, 0, 1);
    fill(centres_, first_seed, 0, 1);
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(centres_, kmeans_centres);
  }

 private:
  void launch() override {
    for (int k = 0; k < kmeans_steps; ++k) {
      by_hand::clear(sums_.data(), 5 * kmeans_centres * std::int64_t{sizeof(double)});
      assign<<<blocks_of(n(), kmeans_records_of_block), 256>>>(n(), kmeans_centres, records_.data(), centres_.data(),
                                                              sums_.data());
      move_centres<<<1, 64>>>(kmeans_centres, sums_.data(), centres_.data());
    }
    by_hand::check_launch();
  }

  by_hand::device_array<float4> records_, centres_;
  by_hand::device_array<double> sums_;
};

}  // namespace

std::unique_ptr<program> cuda_kmeans(const problem& p) { return std::make_unique<kmeans_by_hand>(p); }

}  // namespace tessera::bench::paper
