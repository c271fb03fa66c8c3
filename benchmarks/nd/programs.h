#pragma once

#include <tessera/nd.h>

#include <cmath>
#include <utility>

/// Our side of the rows that take more than a line; the same for CPUs and GPUs.
namespace tessera::bench {

/// Call and put of European options at the interest rate R and the volatility V.
inline std::pair<nd::array, nd::array> price(const nd::array& S, const nd::array& X, const nd::array& T, float R,
                                             float V) {
  auto h = V * nd::sqrt(T), d1 = (nd::log(S / X) + (R + 0.5f * V * V) * T) / h, e = X * nd::exp(-R * T);
  auto a = nd::normal_cdf(d1), b = nd::normal_cdf(d1 - h);
  return {S * a - e * b, e * (1 - b) - S * (1 - a)};
}

/// A step of Jacobi's method, without the border.
inline void relax(const nd::array& u) {
  const auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
  u(in, in) = 0.25f * (u(up, in) + u(dn, in) + u(in, up) + u(in, dn));
}

/// HeAT's first listing.
inline nd::array distances_from_means(const nd::array& a) { return nd::sqrt(nd::pow(a - nd::mean(a, 0), 2)); }

inline nd::array softmax_of_rows(const nd::array& a) {
  const nd::array e = nd::exp(a - nd::max(a, 1, true));
  return e / nd::sum(e, 1, true);
}

/// Conjugate gradients on a grid with a five-point stencil. The direction has a frame of zeros around the grid, so that
/// all neighbours are slices of one array.
class cg_solver {
 public:
  cg_solver(const context& ctx, const nd::array& right_side)
      : u_(nd::zeros<float>(right_side.shape(), {.ctx = ctx})),
        p_(nd::zeros<float>({right_side.shape()[0] + 2, right_side.shape()[1] + 2}, {.ctx = ctx})),
        r_(right_side) {
    p_(in_, in_) = r_;
    rr_ = nd::sum(r_ * r_);
  }
  /// `steps` steps; returns the norm of the residual.
  double round(int steps) {
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
  nd::array u_, p_, r_, rr_;
};

}  // namespace tessera::bench
