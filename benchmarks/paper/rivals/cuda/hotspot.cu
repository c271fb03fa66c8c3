#include "examples/hotspot.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class hotspot_by_hand final : public cuda_program {
 public:
  explicit hotspot_by_hand(const problem& p)
      : cuda_program(p), side_(square_root(p.n)), from_(side_ * side_), to_(side_ * side_), power_(side_ * side_) {}
  void prepare() override {
    fill(from_, first_seed, 60, 90);
    fill(power_, first_seed + 1, 0, 1);
    old_ = from_.data(), fresh_ = to_.data();
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(old_ == from_.data() ? from_ : to_, side_);
  }

 private:
  void launch() override {
    const chip c;
    const auto side = static_cast<int>(side_);
    for (int k = 0; k < hotspot_steps; ++k) {
      hotspot<<<dim3(blocks_of(side_, 64), blocks_of(side_, 4)), dim3(64, 4)>>>(
          side, side, fresh_, old_, power_.data(), c.step_over_capacity, c.across, c.along, c.upward, c.ambient);
      std::swap(old_, fresh_);
    }
    by_hand::check_launch();
  }

  std::int64_t side_;
  by_hand::device_array<float> from_, to_, power_;
  float *old_ = nullptr, *fresh_ = nullptr;
};

}  // namespace

std::unique_ptr<program> cuda_hotspot(const problem& p) { return std::make_unique<hotspot_by_hand>(p); }

}  // namespace tessera::bench::paper
