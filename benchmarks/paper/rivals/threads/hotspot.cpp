// Heat in a chip on all cores: rows from one array into the other, the inner cells of a row in vector registers.
#include <utility>

#include "benchmarks/paper/rivals/threads/threads.h"

namespace tessera::bench::paper {
namespace {

class hotspot final : public threads_program {
 public:
  hotspot(thread_team& team, const problem& p)
      : threads_program(team, p),
        side_(square_root(p.n)),
        old_(side_ * side_),
        fresh_(side_ * side_),
        power_(side_ * side_) {}
  void prepare() override {
    fill(old_.data(), side_ * side_, first_seed, 60, 90);
    fill(power_.data(), side_ * side_, first_seed + 1, 0, 1);
  }
  void run() override {
    for (int k = 0; k < hotspot_steps; ++k) {
      parallel(side_, [this](std::int64_t begin, std::int64_t end) {
        for (; begin < end; ++begin) do_row(begin);
      });
      std::swap(old_, fresh_);
    }
  }
  std::vector<double> result() const override { return beginning(old_.data(), side_ * side_, side_); }

 private:
  void do_row(std::int64_t y) const {
    const float *here = old_.data() + y * side_, *north = y > 0 ? here - side_ : here,
                *south = y + 1 < side_ ? here + side_ : here, *power = power_.data() + y * side_;
    float* to = fresh_.data() + y * side_;
    const chip c;
    const auto cell = [=](std::int64_t x, float west, float east) {
      const float heat = power[x] + (north[x] + south[x] - 2.0f * here[x]) * c.across +
                         (west + east - 2.0f * here[x]) * c.along + (c.ambient - here[x]) * c.upward;
      return here[x] + c.step_over_capacity * heat;
    };
    to[0] = cell(0, here[0], side_ > 1 ? here[1] : here[0]);
#pragma omp simd
    for (std::int64_t x = 1; x < side_ - 1; ++x) to[x] = cell(x, here[x - 1], here[x + 1]);
    if (side_ > 1) to[side_ - 1] = cell(side_ - 1, here[side_ - 2], here[side_ - 1]);
  }

  std::int64_t side_;
  plain_array<float> old_, fresh_, power_;
};

}  // namespace

std::unique_ptr<program> threads_hotspot(thread_team& team, const problem& p) {
  return std::make_unique<hotspot>(team, p);
}

}  // namespace tessera::bench::paper
