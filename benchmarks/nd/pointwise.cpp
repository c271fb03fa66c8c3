// Operations element by element and stencils on one CPU device, against loops fused by hand with their best flags.
#include <tuple>
#include <utility>

#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/programs.h"

namespace tessera::bench {
namespace {

constexpr const char* by_hand = "fused threaded loop";

/// F1: a = b + s * c in double.
void measure_triad(session& s) {
  cpu_arena a;
  long n = s.quick() ? 1 << 20 : 1 << 25;
  const std::vector<float> b32 = contents({{n}}, 1), c32 = contents({{n}}, 2);
  std::vector<double> b(b32.begin(), b32.end()), c(c32.begin(), c32.end()), out(b.size());
  const nd::array nb = nd::from(b), nc = nd::from(c);
  nd::array na;
  double factor = 3, *pb = b.data(), *pc = c.data(), *pout = out.data();
  const rival_kernel loop = rival("triad");
  const auto theirs = [&] { loop.run(a.team, n, {&factor, &pb, &pc, &pout}); };
  const auto ours = [&] {
    na = nb + factor * nc;
    nd::eval({na});
    a.ctx.wait();
  };
  a.settle(ours);
  theirs();
  require_equal(na, out, "nd.triad");
  add_pair(s, {"nd.triad", by_hand, 0.90}, ours, theirs);
}

/// Every result is a new array.
void measure_new_array(session& s) {
  cpu_arena a;
  long n = s.quick() ? 1 << 20 : 1 << 26;
  std::vector<float> x = contents({{n}}, 1), y(x.size());
  const nd::array nx = nd::from(x);
  nd::array ny;
  float *px = x.data(), *py = y.data();
  const rival_kernel loop = rival("twice");
  const auto theirs = [&] { loop.run(a.team, n, {&px, &py}); };
  const auto ours = [&] {
    ny = 2 * nx;
    nd::eval({ny});
    a.ctx.wait();
  };
  a.settle(ours);
  theirs();
  require_equal(ny, y, "nd.new_array");
  add_pair(s, {"nd.new_array", "the loop into one buffer", 0.90}, ours, theirs);
}

/// F2.
void measure_black_scholes(session& s) {
  cpu_arena a;
  long n = s.quick() ? 100'000 : 10'000'000;
  std::vector<float> S = contents({{n}, 10, 100}, 1), X = contents({{n}, 10, 100}, 2), T = contents({{n}, 0.2f, 2}, 3);
  std::vector<float> call(S.size()), put(S.size());
  const nd::array ns = nd::from(S), nx = nd::from(X), nt = nd::from(T);
  nd::array ncall, nput;
  float rate = 0.02f, volatility = 0.3f, *pS = S.data(), *pX = X.data(), *pT = T.data(), *pc = call.data(),
        *pp = put.data();
  const rival_kernel loop = rival("black_scholes");
  const auto theirs = [&] { loop.run(a.team, n, {&rate, &volatility, &pS, &pX, &pT, &pc, &pp}); };
  const auto ours = [&] {
    std::tie(ncall, nput) = price(ns, nx, nt, rate, volatility);
    nd::eval({ncall, nput});
    a.ctx.wait();
  };
  a.settle(ours);
  theirs();
  require_equal(ncall, call, "nd.black_scholes");
  require_equal(nput, put, "nd.black_scholes");
  add_pair(s, {"nd.black_scholes", by_hand, 0.90}, ours, theirs);
}

/// F4: 20 steps of Jacobi's method.
void measure_jacobi(session& s) {
  cpu_arena a;
  long n = s.quick() ? 500 : 8000;
  constexpr int steps = 20;
  nd::array u = nd::zeros<float>({n, n});
  std::vector<float> mine(static_cast<std::size_t>(n * n)), other;
  for (long j = 0; j < n; ++j) mine[static_cast<std::size_t>(j)] = 1;
  other = mine;
  u(0, nd::all) = 1;
  float *pu = mine.data(), *pv = other.data();
  const rival_kernel loop = rival("jacobi");
  const auto theirs = [&] {
    for (int k = 0; k < steps; ++k, std::swap(pu, pv)) loop.run(a.team, n - 2, {&n, &pu, &pv});
  };
  const auto ours = [&] {
    for (int k = 0; k < steps; ++k) relax(u);
    nd::eval({u});
    a.ctx.wait();
  };
  ours(), theirs();
  require_equal(u, mine, "nd.jacobi");
  a.settle(ours);
  add_pair(s, {"nd.jacobi", "two buffers and threaded loops", 0.90}, ours, theirs);
}

}  // namespace

std::vector<benchmark> pointwise_benchmarks() {
  return {{"nd.triad", measure_triad},
          {"nd.new_array", measure_new_array},
          {"nd.black_scholes", measure_black_scholes},
          {"nd.jacobi", measure_jacobi}};
}

}  // namespace tessera::bench
