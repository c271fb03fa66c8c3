// Operations element by element and stencils on a GPU, against fused CUDA with four elements per thread.
#include <tuple>
#include <utility>

#include "benchmarks/nd/gpu/gpu_arrays.h"
#include "benchmarks/nd/nd_benchmarks.h"
#include "benchmarks/nd/programs.h"

namespace tessera::bench {
namespace {

constexpr const char* by_cuda_name = "fused CUDA, four elements per thread";
constexpr std::int64_t large = std::int64_t{1} << 30;  // elements: 4 GiB
constexpr std::int64_t stocks = 100'000'000;
constexpr std::int64_t side = 30'000;

/// F1: a = b + s * c.
void measure_triad(session& s) {
  constexpr float factor = 3;
  const by_hand_floats b(large, {1}), c(large, {2}), out(large);
  arena a(s.devices());
  const nd::array nb = made(a, {large}, {1}), nc = made(a, {large}, {2});
  nd::array na;
  const auto ours = [&] {
    na = nb + factor * nc;
    nd::eval({na});
  };
  const auto theirs = [&] { by_cuda::triad(large, factor, b.data(), c.data(), out.data()); };
  contest(s, a.ctx, {"nd_gpu.triad", by_cuda_name, 0.95}, 4, ours, theirs,
          [&] { require_same(na, out, "nd_gpu.triad"); });
}

/// Every result is a new array.
void measure_new_array(session& s) {
  const by_hand_floats x(large, {1}), y(large);
  arena a(s.devices());
  const nd::array nx = made(a, {large}, {1});
  nd::array ny;
  const auto ours = [&] {
    ny = 2 * nx;
    nd::eval({ny});
  };
  const auto theirs = [&] { by_cuda::twice(large, x.data(), y.data()); };
  contest(s, a.ctx, {"nd_gpu.new_array", "CUDA into one buffer", 0.90}, 4, ours, theirs,
          [&] { require_same(ny, y, "nd_gpu.new_array"); });
}

/// F2.
void measure_black_scholes(session& s) {
  constexpr float rate = 0.02f, volatility = 0.3f;
  constexpr numbers prices{1, 10, 100}, strikes{2, 10, 100}, years{3, 0.2f, 2};
  const by_hand_floats S(stocks, prices), X(stocks, strikes), T(stocks, years), call(stocks), put(stocks);
  arena a(s.devices());
  const nd::array ns = made(a, {stocks}, prices), nx = made(a, {stocks}, strikes), nt = made(a, {stocks}, years);
  nd::array ncall, nput;
  const auto ours = [&] {
    std::tie(ncall, nput) = price(ns, nx, nt, rate, volatility);
    nd::eval({ncall, nput});
  };
  const auto theirs = [&] {
    by_cuda::black_scholes(stocks, rate, volatility, {S.data(), X.data(), T.data(), call.data(), put.data()});
  };
  contest(s, a.ctx, {"nd_gpu.black_scholes", by_cuda_name, 0.95}, 10, ours, theirs, [&] {
    require_same(ncall, call, "nd_gpu.black_scholes");
    require_same(nput, put, "nd_gpu.black_scholes");
  });
}

/// F4: many steps of Jacobi's method.
void measure_jacobi(session& s) {
  const int steps = s.quick() ? 20 : 100;
  by_hand_floats mine(side * side, {1}), other(side * side, {1});
  float *u = mine.data(), *v = other.data();
  arena a(s.devices());
  const nd::array nu = made(a, {side, side}, {1});
  const auto ours = [&] {
    for (int k = 0; k < steps; ++k) relax(nu);
    nd::eval({nu});
  };
  const auto theirs = [&] {
    for (int k = 0; k < steps; ++k, std::swap(u, v)) by_cuda::jacobi(side, u, v);
  };
  contest(s, a.ctx,
          {"nd_gpu.jacobi",
           "CUDA, two buffers, four rows per thread",
           0.90,
           {.pairs = 5, .warm_up = 1},
           1e3 / steps,
           "ms/step"},
          1, ours, theirs, [&] {  // an even number of steps: the result is in the first buffer
            require_same(nu, mine, "nd_gpu.jacobi", {side + 1, 2 * side - 2, side * (side - 2) + side / 2});
          });
}

}  // namespace

std::vector<benchmark> gpu_pointwise_benchmarks() {
  return {{"nd_gpu.triad", measure_triad},
          {"nd_gpu.new_array", measure_new_array},
          {"nd_gpu.black_scholes", measure_black_scholes},
          {"nd_gpu.jacobi", measure_jacobi}};
}

}  // namespace tessera::bench
