#include "benchmarks/engine/kernel/cases.h"

#include "tessera/kernel/source/cpu_text.h"

namespace tessera::bench {
namespace {

int count(std::int64_t n) { return static_cast<int>(n); }

problem axpy(std::int64_t n) {
  return {{n}, {256}, n, {count(n), 0.5f, array_input{{n}}, array_input{{n}, 0, 1, true}}, {0, 0}};
}

/// Blocks of 256 threads for 1024 elements each.
problem triad(std::int64_t n) {
  const array_input input{{n}}, result{{n}, 0, 0, true};
  return {{(n + 1023) / 1024 * 256}, {256}, n, {count(n), 0.5f, input, input, result}, {0, 0}};
}

problem stencil(std::int64_t n) {
  return {{n}, {256}, n, {count(n), array_input{{n}, 0, 1, true}, array_input{{n}}}, {1, 2}};
}

problem stencil_2d(std::int64_t side) {
  const extents shape{side, side};
  return {
      shape, {16, 16}, side, {count(side), count(side), array_input{shape, 0, 1, true}, array_input{shape}}, {2, 3}};
}

problem black_scholes(std::int64_t n) {
  const array_input price{{n}, 5, 30}, strike{{n}, 1, 100}, years{{n}, 0.25f, 10}, result{{n}, 0, 0, true};
  return {{n}, {256}, n, {count(n), 0.02f, 0.30f, price, strike, years, result, result}, {0, 0}};
}

problem nbody(std::int64_t n) {
  const array_input position{{n}, -1, 1}, mass{{n}, 0.1f, 1}, result{{n}, 0, 0, true};
  return {{n}, {256}, n, {count(n), position, position, position, mass, result, result, result}, {0, 0}};
}

}  // namespace

std::string kernel_case::path() const { return kernel_path(name + ".cu"); }

std::string kernel_case::cpu_text() const {
  return has_cpu_text ? read_text(kernel_path(name + "_cpu.inc")) : std::string();
}

kernels::kernel_text kernel_case::parsed() const {
  kernels::kernel_text text = kernels::parse_kernel(read_text(path()), path());
  return has_cpu_text ? kernels::parse_cpu_text(cpu_text(), text) : text;
}

std::vector<kernel_case> kernel_cases() {
  constexpr std::int64_t large = 10'000'000, small = 100'000, large_side = 3162, small_side = 316;
  return {{"axpy", axpy(large), axpy(small), "1e7", "1e5", 1e-6},
          {"triad", triad(large), triad(small), "1e7", "1e5", 1e-6, true},
          {"stencil", stencil(large), stencil(small), "1e7", "1e5", 1e-6},
          {"stencil_2d", stencil_2d(large_side), stencil_2d(small_side), "1e7", "1e5", 1e-6},
          {"black_scholes", black_scholes(large), black_scholes(small), "1e7", "1e5", 1e-5},
          {"nbody", nbody(10'000), nbody(1'000), "1e4", "1e3", 1e-3}};
}

}  // namespace tessera::bench
