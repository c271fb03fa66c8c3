// Solves A u = b for a five-point stencil by conjugate gradients, written with slices; example 17 does the same with
// kernels. Scalars stay on the devices: they are arrays without axes, and what is computed of them costs no launch of
// its own. The program waits every ten steps only.
#include <utility>

#include "check.h"

namespace nd = tessera::nd;

namespace {

constexpr std::int64_t width = 96, height = 80;
constexpr int steps_at_most = 400;
constexpr double tolerance = 1e-9;  // of the residual, relative to that of u = 0

/// |b - A u|, by a plain loop.
double residual(const std::vector<double>& u, const std::vector<double>& b) {
  const auto at = [&](std::int64_t x, std::int64_t y) {
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    return inside ? u[static_cast<std::size_t>(y * width + x)] : 0.0;
  };
  double sum = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const double a_u = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      const double r = b[static_cast<std::size_t>(y * width + x)] - a_u;
      sum += r * r;
    }
  return std::sqrt(sum);
}

}  // namespace

int main() {
  const std::vector<float> numbers = example::numbers(width * height);
  const std::vector<double> b(numbers.begin(), numbers.end());

  // The direction has a frame of zeros, so that every element has four neighbours.
  const auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
  nd::array u = nd::zeros<double>({height, width}), r = nd::from<double>({height, width}, b);
  nd::array frame = nd::zeros<double>({height + 2, width + 2});
  frame(in, in) = r;
  nd::array rr = nd::sum(r * r);
  const double first = rr.item<double>();

  nd::graph_stats before = nd::stats();
  std::int64_t launches = 0;  // of ten steps
  int wrong = 0;
  for (int step = 1; step <= steps_at_most; ++step) {
    const nd::array p = frame(in, in);
    const nd::array q = 4 * p - frame(up, in) - frame(dn, in) - frame(in, up) - frame(in, dn);
    const nd::array alpha = rr / nd::sum(p * q);
    u += alpha * p;
    r -= alpha * q;
    const nd::array old = std::exchange(rr, nd::sum(r * r));
    frame(in, in) = r + (rr / old) * p;
    if (step % 10 != 0) continue;
    nd::eval({u, frame});
    const example::work done(before);
    if (done.flushes == 1 && step > 20)  // where memory did not make it more
      wrong += example::require(done.launches == launches, "ten steps are always the same launches");
    launches = done.launches;
    before = nd::stats();
    if (rr.item<double>() < tolerance * tolerance * first) break;
  }

  const std::vector<double> result = u.read<double>();
  const bool solved = residual(result, b) < 1.1 * tolerance * std::sqrt(first);
  return example::report("conjugate gradient", result, solved ? result : std::vector<double>()) + wrong;
}
