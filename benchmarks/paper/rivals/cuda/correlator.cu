#include "benchmarks/paper/kernels/correlator.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class correlator_by_hand final : public cuda_program {
 public:
  explicit correlator_by_hand(const problem& p) : cuda_program(p), samples_(p.n * correlator_samples / 2), sums_(p.n * correlator_sums / 2) {}
  void prepare() override {
    fill(samples_, first_seed, -1, 1);
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(sums_, n());
  }

 private:
  void launch() override {
    constexpr std::int64_t most = 65535;  // blocks of a grid in y
    for (std::int64_t first = 0; first < n(); first += most) {
      const std::int64_t count = std::min(most, n() - first);
      correlate<<<dim3(1, static_cast<unsigned int>(count)), 64>>>(static_cast<int>(count),
                                                                   samples_.data() + first * correlator_samples / 2,
                                                                   sums_.data() + first * correlator_sums / 2);
    }
    by_hand::check_launch();
  }

  by_hand::device_array<float4> samples_, sums_;
};

}  // namespace

std::unique_ptr<program> cuda_correlator(const problem& p) { return std::make_unique<correlator_by_hand>(p); }

}  // namespace tessera::bench::paper
