// Conjugate gradients on a grid of 1e6 points written with slices, against the loops of the engine's benchmark by hand.
#include <atomic>
#include <utility>

#include "benchmarks/engine/patterns/cg_rival.h"
#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"

namespace tessera::bench {
namespace {

constexpr int width = 1'000, height = 1'000, steps = 10;

std::vector<float> right_side() { return contents({{height, width}}, 1); }

/// The direction has a frame of zeros around the grid, so that all neighbours are slices of one array.
class our_solver {
 public:
  our_solver() {
    r_ = nd::from<float>({height, width}, std::span<const float>(side_));
    p_(in_, in_) = r_;
    rr_ = nd::sum(r_ * r_);
  }
  double round() {
    for (int k = 0; k < steps; ++k) {
      const nd::array p = p_(in_, in_);
      const nd::array q = 4 * p - p_(up_, in_) - p_(dn_, in_) - p_(in_, up_) - p_(in_, dn_);
      const nd::array alpha = rr_ / nd::sum(p * q);
      u_ += alpha * p;
      r_ -= alpha * q;
      const nd::array before = std::exchange(rr_, nd::sum(r_ * r_));
      p_(in_, in_) = r_ + (rr_ / before) * p;
    }
    nd::eval({u_, p_});
    return std::sqrt(rr_.item<double>());
  }

 private:
  nd::slice in_ = nd::_(1, -1), up_ = nd::_(0, -2), dn_ = nd::_(2, nd::end);
  std::vector<float> side_ = right_side();
  nd::array u_ = nd::zeros<float>({height, width}), p_ = nd::zeros<float>({height + 2, width + 2});
  nd::array r_, rr_;
};

class solver_by_hand {
 public:
  explicit solver_by_hand(thread_team& team) : team_(team) {}
  double round() {
    for (int k = 0; k < steps; ++k) {
      team_.run(height,
                [&](auto begin, auto end) { cg_rival::apply(begin, end, width, height, q_.data(), p_.data()); });
      const auto alpha = static_cast<float>(rr_ / product(p_, q_));
      team_.run(height, [&](auto begin, auto end) {
        cg_rival::advance(begin, end, width, u_.data(), r_.data(), p_.data(), q_.data(), alpha);
      });
      const double before = std::exchange(rr_, product(r_, r_));
      const auto beta = static_cast<float>(rr_ / before);
      team_.run(height, [&](auto begin, auto end) { cg_rival::turn(begin, end, width, p_.data(), r_.data(), beta); });
    }
    return std::sqrt(rr_);
  }

 private:
  double product(const std::vector<float>& a, const std::vector<float>& b) {
    std::atomic<double> sum{0};
    team_.run(height, [&](auto begin, auto end) { sum += cg_rival::dot(begin, end, width, a.data(), b.data()); });
    return sum;
  }

  thread_team& team_;
  std::vector<float> u_ = std::vector<float>(std::size_t{width} * height), q_ = u_;
  std::vector<float> r_ = right_side(), p_ = r_;
  double rr_ = product(r_, r_);
};

void measure_solver(session& s) {
  arena a;
  our_solver ours;
  solver_by_hand theirs(a.team);
  require_close(ours.round(), theirs.round(), "nd.cg");
  a.settle([&] { static_cast<void>(ours.round()); });
  const comparison times =
      compare([&] { return seconds_of([&] { static_cast<void>(ours.round()); }); },
              [&] { return seconds_of([&] { static_cast<void>(theirs.round()); }); }, s.scaled({}));
  s.add_times("nd.cg", times, "loops by hand", 1e3 / steps, "ms/step", 0.6);
}

}  // namespace

std::vector<benchmark> solver_benchmarks() { return {{"nd.cg", measure_solver}}; }

}  // namespace tessera::bench
