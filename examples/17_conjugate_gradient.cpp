// Solves A u = b for a five-point stencil by conjugate gradients: four plain kernels, sums by reduce(+), and value() to
// hand them from kernel to kernel. The program waits every ten steps only, to look at the residual. Sums of floats are
// asked for in a fixed order, so that residuals have the same bits on any number of devices and ranks.
#include <tessera/tessera.h>

#include <cmath>
#include <utility>

#include "check.h"

namespace ts = tessera;

namespace {

constexpr int width = 96, height = 80, steps_at_most = 400;
constexpr double tolerance = 1e-4;  // of the residual, relative to that of u = 0

/// |b - A u|, by a plain loop.
double residual(const std::vector<float>& u, const std::vector<float>& b) {
  const auto at = [&](int x, int y) {
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    return inside ? static_cast<double>(u[static_cast<std::size_t>(y * width + x)]) : 0.0;
  };
  double sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double a_u = 4 * at(x, y) - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1);
      const double r = static_cast<double>(b[static_cast<std::size_t>(y * width + x)]) - a_u;
      sum += r * r;
    }
  return std::sqrt(sum);
}

}  // namespace

int main() {
  const std::vector<float> b = example::numbers(width * height);
  ts::options settings;
  settings.deterministic = true;
  ts::context ctx(settings);
  const auto load = [&](const char* name) { return ctx.load_kernel("17_conjugate_gradient.cu", {.name = name}); };
  const ts::kernel apply = load("apply"), dot = load("dot"), advance = load("advance"), turn = load("turn");

  const auto rows = ts::rows(16).halo(1);
  auto u = ctx.zeros<float>({height, width}, rows), q = ctx.zeros<float>({height, width}, rows);
  auto r = ctx.from<float>({height, width}, b, rows), p = ctx.from<float>({height, width}, b, rows);
  auto sum = ctx.zeros<double>({1});

  const ts::launch_options each{.threads = {width, height}, .block = {32, 4}};
  const auto product = [&](const ts::array<float>& x, const ts::array<float>& y) {
    dot.launch(each, width, height, x, y, sum);
    return sum.value();
  };
  ts::value<double> rr = product(r, r);
  const double first = std::sqrt(rr.get());
  int steps = 0;
  while (steps < steps_at_most) {
    ++steps;
    apply.launch(each, width, height, q, p);
    advance.launch(each, width, height, u, r, p, q, rr, product(p, q));
    const ts::value<double> before = std::exchange(rr, product(r, r));
    turn.launch(each, width, height, p, r, rr, before);
    if (steps % 10 != 0) continue;
    const double now = std::sqrt(rr.get());
    if (ctx.rank() == 0 && (steps % 50 == 0 || now < tolerance * first))
      std::fprintf(stderr, "step %d: residual %.17g\n", steps, now);
    if (now < tolerance * first) break;
  }

  const std::vector<float> result = u.read();
  // Every step rounds u to floats, which the residual of the iteration does not see: by up to |u| 2^-24 to either side,
  // so by that over the root of 3 on average. Roundings are independent and add up like their root, and a row of A has
  // the norm root of 20.
  double square = 0;
  for (const float x : result) square += static_cast<double>(x) * static_cast<double>(x);
  const double rounding = 0x1p-24 * std::sqrt(20.0 / 3 * steps * square);
  const bool solved = residual(result, b) < tolerance * first + rounding;
  return example::report("conjugate gradient", result, solved ? result : std::vector<float>());
}
