#include "benchmarks/paper/kernels/nbody.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class nbody_by_hand final : public cuda_program {
 public:
  explicit nbody_by_hand(const problem& p) : cuda_program(p), bodies_(square_root(p.n)), from_(bodies_), to_(bodies_), velocity_(bodies_) {}
  void prepare() override {
    fill(from_, first_seed, 0, 1);
    fill(velocity_, first_seed + 1, 0, 0.1f);
    old_ = from_.data(), fresh_ = to_.data();
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(old_ == from_.data() ? from_ : to_, bodies_);
  }

 private:
  void launch() override {
    for (int k = 0; k < nbody_steps; ++k) {
      nbody_step<<<blocks_of(bodies_, 256), 256>>>(static_cast<int>(bodies_), nbody_time, nbody_damping, old_, fresh_,
                                                   velocity_.data());
      std::swap(old_, fresh_);
    }
    by_hand::check_launch();
  }

  std::int64_t bodies_;
  by_hand::device_array<float4> from_, to_, velocity_;
  float4 *old_ = nullptr, *fresh_ = nullptr;
};

}  // namespace

std::unique_ptr<program> cuda_nbody(const problem& p) { return std::make_unique<nbody_by_hand>(p); }

}  // namespace tessera::bench::paper
