#pragma once

#include <tessera/tessera.h>

#include <cmath>
#include <utility>
#include <vector>

#include "benchmarks/frame/inputs.h"

namespace tessera::bench {

/// A solver on a grid with the kernels of example 17, on one device.
class our_solver {
 public:
  our_solver(const options& chosen, int width, int height, const std::vector<float>& right_side)
      : context_(chosen),
        width_(width),
        height_(height),
        r_(context_.from<float>({height, width}, right_side)),
        p_(context_.from<float>({height, width}, right_side)) {}

  /// So many steps and a look at the residual.
  double round(int steps) {
    for (int k = 0; k < steps; ++k) {
      apply_.launch(each_, width_, height_, q_, p_);
      advance_.launch(each_, width_, height_, u_, r_, p_, q_, rr_, product(p_, q_));
      const value<double> before = std::exchange(rr_, product(r_, r_));
      turn_.launch(each_, width_, height_, p_, r_, rr_, before);
    }
    return std::sqrt(rr_.get());
  }

 private:
  kernel load(const char* name) {
    return context_.load_kernel(source_path("examples/17_conjugate_gradient.cu"), {.name = name});
  }
  value<double> product(const array<float>& a, const array<float>& b) {
    dot_.launch(each_, width_, height_, a, b, sum_);
    return sum_.value();
  }

  context context_;
  int width_, height_;
  kernel apply_ = load("apply"), dot_ = load("dot"), advance_ = load("advance"), turn_ = load("turn");
  launch_options each_{.threads = {width_, height_}, .block = {256, 1}};
  array<float> u_ = context_.zeros<float>({height_, width_}), q_ = context_.zeros<float>({height_, width_});
  array<float> r_, p_;
  array<double> sum_ = context_.zeros<double>({1});
  value<double> rr_ = product(r_, r_);
};

}  // namespace tessera::bench
