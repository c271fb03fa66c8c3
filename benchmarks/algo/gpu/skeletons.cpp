// Skeletons on a GPU, against CUDA by hand and CUB.
#include <memory>
#include <utility>

#include "benchmarks/algo/algo_benchmarks.h"
#include "benchmarks/algo/gpu/gpu_containers.h"
#include "benchmarks/algo/programs.h"
#include "benchmarks/algo/rivals/by_cuda.h"

namespace tessera::bench {
namespace {

constexpr std::int64_t large = std::int64_t{1} << 28;
constexpr std::int64_t small = std::int64_t{1} << 20;
constexpr extents plate{16'384, 16'384};
constexpr extents block{640, 640, 640};
constexpr int heat_steps = 10;

void measure_map(session& s) {
  constexpr float factor = 1.5f;
  const by_hand_floats x(large, {1}), y(large, {2}), z(large, {3}), out(large);
  const context ctx = on_devices(s.devices());
  const vector<float> our_x = made(ctx, large, {1}), our_y = made(ctx, large, {2}), our_z = made(ctx, large, {3});
  const vector<float> our_out(large, ctx);
  contest(
      s, ctx, {"algo_gpu.map", "CUDA, four elements per thread", 1.0}, 4,
      [&] { map_of_three(factor).into(our_out, our_x, our_y, our_z); },
      [&] { by_cuda::map3(large, factor, x.data(), y.data(), z.data(), out.data()); },
      [&] { require_same(our_out, out, "algo_gpu.map"); });
}

/// Steps of `skeleton` and `step` from one container into another and back.
template <class Container, class Skeleton, class Step, class Element>
void measure_heat(session& s, const std::string& row, const context& ctx, std::pair<Container, Container> ours,
                  const Skeleton& skeleton, Step step, Element element) {
  const std::int64_t n = ours.first.size();
  fill(ctx, ours.first, {1});
  by_hand_floats first(n, {1}), second(n);
  float *from = first.data(), *to = second.data();
  const auto our_steps = [&] {
    for (int k = 0; k < heat_steps; ++k) {
      skeleton.into(ours.second, ours.first);
      std::swap(ours.first, ours.second);
    }
  };
  const auto their_steps = [&] {
    for (int k = 0; k < heat_steps; ++k, std::swap(from, to)) step(from, to);
  };
  contest(s, ctx, {row, "CUDA, neighbours in registers", 0.95, {}, 1e3 / heat_steps, "ms/step"}, 1, our_steps,
          their_steps, [&] {  // an even number of steps: the result is in the first buffer
            for (const std::int64_t at : {std::int64_t{0}, n / 3, n / 2, n - 1})
              require_close(static_cast<double>(float{element(ours.first, at)}), static_cast<double>(first.at(at)),
                            row);
          });
}

void measure_heat_2d(session& s) {
  const context ctx = on_devices(s.devices());
  const auto mean = map_overlap<2>([](auto c) { return 0.25f * (c(-1, 0) + c(1, 0) + c(0, -1) + c(0, 1)); }, {1, 1});
  using plates = std::pair<matrix<float>, matrix<float>>;
  measure_heat(
      s, "algo_gpu.heat_2d", ctx, plates({plate[0], plate[1], ctx}, {plate[0], plate[1], ctx}), mean,
      [](const float* from, float* to) { by_cuda::heat_2d(plate[0], plate[1], from, to); },
      [](const matrix<float>& m, std::int64_t at) { return m(at / plate[1], at % plate[1]); });
}

void measure_heat_3d(session& s) {
  const context ctx = on_devices(s.devices());
  const auto mean = map_overlap<3>(
      [](auto c) {
        return (c(-1, 0, 0) + c(1, 0, 0) + c(0, -1, 0) + c(0, 1, 0) + c(0, 0, -1) + c(0, 0, 1)) * (1.0f / 6.0f);
      },
      {1, 1, 1});
  using blocks = std::pair<tensor<float, 3>, tensor<float, 3>>;
  measure_heat(
      s, "algo_gpu.heat_3d", ctx, blocks(tensor<float, 3>(block, ctx), tensor<float, 3>(block, ctx)), mean,
      [](const float* from, float* to) { by_cuda::heat_3d(block[0], block[1], block[2], from, to); },
      [](const tensor<float, 3>& t, std::int64_t at) {
        return t(at / (block[1] * block[2]), at / block[2] % block[1], at % block[2]);
      });
}

/// `call` returns the value of a reduction of two vectors, `cub` makes the rival's, whose result is at a given place.
template <class Call, class Cub>
void measure_reduction(session& s, const std::string& row, const std::string& rival, Call call, Cub cub) {
  constexpr numbers in_x{1, -1, 1}, in_y{2};
  const by_hand_floats x(large, in_x), y(large, in_y), result(1);
  const std::unique_ptr<by_cuda::cub_call> theirs = cub(x.data(), y.data(), result.data());
  const context ctx = on_devices(s.devices());
  const vector<float> our_x = made(ctx, large, in_x), our_y = made(ctx, large, in_y);
  value<float> ours;
  contest(
      s, ctx, {row, rival, 0.97}, 8, [&] { ours = call(our_x, our_y); }, [&] { theirs->run(); },
      [&] { require_close(static_cast<double>(ours.get()), static_cast<double>(result.at(0)), row); });
}

void measure_reduce(session& s) {
  measure_reduction(
      s, "algo_gpu.reduce", "cub::DeviceReduce::Sum", [](const auto&, const auto& y) { return reduce(y); },
      [](const float*, const float* y, float* out) { return by_cuda::cub_sum(large, y, out); });
}

/// An operator of the program: the element that is farthest from 0.
void measure_farthest(session& s) {
  const auto farther = [](auto a, auto b) { return select(abs(a) < abs(b), b, a); };
  measure_reduction(
      s, "algo_gpu.reduce_farthest", "cub::DeviceReduce::Reduce",
      [&](const auto& x, const auto&) { return reduce(x, farther); },
      [](const float* x, const float*, float* out) { return by_cuda::cub_farthest(large, x, out); });
}

void measure_map_reduce(session& s) {
  measure_reduction(
      s, "algo_gpu.map_reduce", "cub::DeviceReduce::TransformReduce",
      [](const auto& x, const auto& y) { return dot(x, y); },
      [](const float* x, const float* y, float* out) { return by_cuda::cub_dot(large, x, y, out); });
}

void measure_scan(session& s, const std::string& row, std::int64_t n, int rounds, double target) {
  const by_hand_floats x(n, {1}), out(n);
  const auto theirs = by_cuda::cub_scan(n, x.data(), out.data());
  const context ctx = on_devices(s.devices());
  const vector<float> our_x = made(ctx, n, {1}), our_out(n, ctx);
  contest(
      s, ctx, {row, "cub::DeviceScan::InclusiveSum", target}, rounds, [&] { inclusive_scan_into(our_out, our_x); },
      [&] { theirs->run(); }, [&] { require_same(our_out, out, row); });
}

}  // namespace

std::vector<benchmark> gpu_skeleton_benchmarks() {
  return {
      {"algo_gpu.map", measure_map},
      {"algo_gpu.heat_2d", measure_heat_2d},
      {"algo_gpu.heat_3d", measure_heat_3d},
      {"algo_gpu.reduce", measure_reduce},
      {"algo_gpu.reduce_farthest", measure_farthest},
      {"algo_gpu.map_reduce", measure_map_reduce},
      {"algo_gpu.inclusive_scan", [](session& s) { measure_scan(s, "algo_gpu.inclusive_scan", large, 4, 0.97); }},
      {"algo_gpu.inclusive_scan.small",
       [](session& s) { measure_scan(s, "algo_gpu.inclusive_scan.small", small, 50, 0.6); }},
  };
}

}  // namespace tessera::bench
