// Conjugate gradients on a grid of 1e6 points with the kernels of example 17, against the same loops by hand on a team
// of threads. A round is ten steps and a look at the residual.
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include "benchmarks/engine/engine_benchmarks.h"
#include "benchmarks/engine/patterns/cg_rival.h"
#include "benchmarks/engine/patterns/solver.h"
#include "benchmarks/frame/inputs.h"
#include "benchmarks/frame/thread_team.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

constexpr int width = 1'000, height = 1'000;

std::vector<float> right_side() { return contents({{height, width}}, 1); }

options on_one_device(bool deterministic) {
  options chosen;
  chosen.devices = "cpu";
  chosen.deterministic = deterministic;
  return chosen;
}

class solver_by_hand {
 public:
  double round(int steps) {
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

  thread_team team_{static_cast<int>(std::thread::hardware_concurrency())};
  std::vector<float> u_ = std::vector<float>(std::size_t{width} * height), q_ = u_;
  std::vector<float> r_ = right_side(), p_ = r_;
  double rr_ = product(r_, r_);
};

void measure(session& s, const char* name, bool deterministic, std::optional<double> target) {
  constexpr int steps = 10;
  our_solver ours(on_one_device(deterministic), width, height, right_side());
  solver_by_hand rival;
  const double found = ours.round(steps), expected = rival.round(steps);
  if (std::abs(found - expected) > 1e-4 * expected) throw error(cat("the residual is ", found, ", by hand ", expected));
  const auto round_of = [](auto& solver) { return [&] { return seconds_of([&] { (void)solver.round(steps); }); }; };
  s.add_times(name, compare(round_of(ours), round_of(rival), s.scaled({})), "loops by hand", 1e3 / steps, "ms/step",
              target);
}

}  // namespace

std::vector<benchmark> conjugate_gradient_benchmarks() {
  return {
      {"patterns.cg", [](session& s) { measure(s, "patterns.cg", false, 0.6); }},
      {"patterns.cg.deterministic", [](session& s) { measure(s, "patterns.cg.deterministic", true, std::nullopt); }}};
}

}  // namespace tessera::bench
