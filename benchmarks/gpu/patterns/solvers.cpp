// Steps of which the host wants a number now and then.
#include <cmath>

#include "benchmarks/engine/patterns/solver.h"
#include "benchmarks/gpu/gpu_benchmarks.h"
#include "benchmarks/gpu/patterns/gpu_case.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::bench {
namespace {

/// Both sides add in orders of their own.
void compare_numbers(double ours, double rival) {
  if (!(std::abs(ours - rival) <= 1e-3 * std::abs(rival)))
    throw error(cat("the result is ", ours, ", by hand ", rival));
}

/// y += a * x and the product of both, which the host reads after each step.
class our_steps {
 public:
  explicit our_steps(int n) : n_(n) {}

  double run(int steps) {
    const launch_options each{.threads = {n_}};
    return seconds_of([&] {
      for (int k = 0; k < steps; ++k) {
        axpy_.launch(each, n_, 1e-3F, x_, y_);
        dot_.launch(each, n_, x_, y_, sum_);
        last_ = sum_.value().get();
      }
    });
  }
  [[nodiscard]] float last() const { return last_; }

 private:
  int n_;
  context context_{on_first_gpu()};
  kernel axpy_ = context_.load_kernel(kernel_path("axpy.cu"));
  kernel dot_ = context_.load_kernel(kernel_path("reductions.cu"), {.name = "dot"});
  array<float> x_ = context_.full<float>({n_}, 0.5F), y_ = context_.full<float>({n_}, 1);
  array<float> sum_ = context_.zeros<float>({1});
  float last_ = 0;
};

class steps_by_hand {
 public:
  explicit steps_by_hand(int n) : n_(n) {
    x_.write(std::vector<float>(static_cast<std::size_t>(n), 0.5F).data());
    y_.write(std::vector<float>(static_cast<std::size_t>(n), 1).data());
  }

  double run(int steps) {
    return seconds_of([&] {
      for (int k = 0; k < steps; ++k)
        last_ = by_hand::axpy_and_dot(n_, 1e-3F, x_.as<float>(), y_.as<float>(), sum_.as<float>());
    });
  }
  [[nodiscard]] float last() const { return last_; }

 private:
  int n_;
  by_hand::memory x_{static_cast<std::size_t>(n_) * sizeof(float)}, y_{x_.size()}, sum_{sizeof(float)};
  float last_ = 0;
};

void measure_steps(session& s, const std::string& name, int n, int steps, std::optional<double> target) {
  our_steps ours(n);
  steps_by_hand rival(n);
  ours.run(3);
  rival.run(3);
  compare_numbers(ours.last(), rival.last());
  s.add_times(name,
              compare([&] { return ours.run(steps); }, [&] { return rival.run(steps); },
                      s.scaled({.pairs = 9, .warm_up = 1, .seconds = 0.3})),
              "CUDA, cudaMemcpy of the number", 1e6 / steps, "us/step", target);
}

/// Ten steps of conjugate gradients and the residual.
void measure_solver(session& s, const std::string& name, bool per_block, std::optional<double> target) {
  constexpr int side = 4000, steps = 10;
  const std::vector<float> right_side = contents({{side, side}}, 1);
  our_solver ours(on_first_gpu(), side, side, right_side);
  const auto rival = by_hand::make_solver(side, side, right_side, per_block);
  compare_numbers(ours.round(steps), rival->round(steps));
  const auto round_of = [](auto& solver) { return [&] { return seconds_of([&] { (void)solver.round(steps); }); }; };
  s.add_times(name, compare(round_of(ours), round_of(*rival), s.scaled({.pairs = 5, .warm_up = 1, .seconds = 0.3})),
              per_block ? "CUDA, products added up in blocks" : "CUDA, the same kernels", 1e3 / steps, "ms/step",
              target);
}

}  // namespace

std::vector<benchmark> gpu_solver_benchmarks() {
  const auto steps_on = [](const std::string& name, int n, int steps, std::optional<double> target) {
    return benchmark{name, [=](session& s) { measure_steps(s, name, n, steps, target); }};
  };
  const auto solver = [](const std::string& name, bool per_block, std::optional<double> target) {
    return benchmark{name, [=](session& s) { measure_solver(s, name, per_block, target); }};
  };
  return {steps_on("patterns.cg_like.1e6", 1'000'000, 300, 0.50),
          steps_on("patterns.cg_like.1.6e7", 16'000'000, 50, std::nullopt), solver("patterns.cg", false, 0.7),
          solver("patterns.cg.block_sums", true, std::nullopt)};
}

}  // namespace tessera::bench
