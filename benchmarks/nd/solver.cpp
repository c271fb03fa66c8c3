// Conjugate gradients on a grid of 1e6 points written with slices, against the loops of the engine's benchmark by hand.
#include <atomic>
#include <utility>

#include "benchmarks/engine/patterns/cg_rival.h"
#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/programs.h"

namespace tessera::bench {
namespace {

constexpr int width = 1'000, height = 1'000, steps = 10;

std::vector<float> right_side() { return contents({{height, width}}, 1); }

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
  cpu_arena a;
  const std::vector<float> side = right_side();
  cg_solver ours(a.ctx, nd::from<float>({height, width}, std::span<const float>(side)));
  solver_by_hand theirs(a.team);
  const auto our_round = [&] { return ours.round(steps); };
  require_close(our_round(), theirs.round(), "nd.cg");
  a.settle([&] { static_cast<void>(our_round()); });
  add_pair(s, {.name = "nd.cg", .rival = "loops by hand", .target = 0.6, .scale = 1e3 / steps, .unit = "ms/step"},
           our_round, [&] { return theirs.round(); });
}

}  // namespace

std::vector<benchmark> solver_benchmarks() { return {{"nd.cg", measure_solver}}; }

}  // namespace tessera::bench
