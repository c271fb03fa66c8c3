#include <utility>

#include "benchmarks/paper/programs/ours.h"

namespace tessera::bench::paper {
namespace {

/// The kernel of the demo, on the paper's number of steps.
class hotspot final : public our_program {
 public:
  hotspot(context where, const problem& p)
      : our_program(std::move(where), p), side_(square_root(p.n)), step_(load_from("examples/hotspot.cu", "hotspot")) {
    const std::int64_t part = rows_of_part(side_ * std::int64_t{sizeof(float)});
    old_ = make<float>({side_, side_}, part);
    fresh_ = make<float>({side_, side_}, part);
    power_ = make<float>({side_, side_}, part);
  }

  void prepare() override {
    fill(old_, first_seed, 60, 90);
    fill(power_, first_seed + 1, 0, 1);
    ctx().wait();
  }
  void launch() override {
    const chip c;
    for (int k = 0; k < hotspot_steps; ++k) {
      step_.launch({.threads = {side_, side_}, .block = {64, 4}}, side_, side_, fresh_, old_, power_,
                   c.step_over_capacity, c.across, c.along, c.upward, c.ambient);
      std::swap(old_, fresh_);
    }
  }
  std::vector<double> result() const override { return beginning(old_); }

 private:
  std::int64_t side_;
  kernel step_;
  array<float> old_, fresh_, power_;
};

}  // namespace

std::unique_ptr<our_program> our_hotspot(context ctx, const problem& p) {
  return std::make_unique<hotspot>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
