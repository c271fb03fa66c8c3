// Programs in the spelling of SkePU.
#include <tessera/skepu.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tessera/algo/exec/map_text.h"
#include "tests/algo/container/support.h"
#include "tests/support/cuda_compiling.h"

// clang-format off
namespace ports {
TS_DEVICE(
inline float add(float a, float b) { return a + b; }
inline float mult(float a, float b) { return a * b; }
inline float smooth(skepu::Region2D<float> r, float weight) {
  return weight * (r(-1, 0) + r(1, 0) + r(0, -1) + r(0, 1)) + r(0, 0);
}
inline int around(skepu::Region1D<int> r, int scale) {
  return (r(-2) * 4 + r(-1) * 2 + r(0) + r(1) * 2 + r(2) * 4) / scale;
}
inline float row_times(skepu::MatRow<float> row, skepu::Vec<float> v) {
  float sum = 0;
  for (int j = 0; j < v.size; ++j) sum += row(j) * v(j);
  return sum;
}
inline float entry(skepu::Index2D at, skepu::Mat<float> a, skepu::Mat<float> b) {
  float sum = 0;
  for (int k = 0; k < a.cols; ++k) sum += a(at.row, k) * b(k, at.col);
  return sum;
}
inline skepu::multiple<int, float> both(skepu::Index1D i, int a, int b) {
  return skepu::ret(a * b + (int)i.i, (float)a / (float)b);
})
}  // namespace ports
// clang-format on

namespace {

/// A program uses the default context; here one of three devices.
struct on_three_devices {
  on_three_devices() { ts::set_default_context(ctx); }
  ts::context ctx{tessera::support::cut_everywhere("cpu*3")};
};

std::vector<float> numbers(int n) {
  std::vector<float> result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), 1.f);
  return result;
}

}  // namespace

TEST_CASE("a SkePU program of maps, reductions and scans gives its results") {
  const on_three_devices here;
  auto product = skepu::Map<2>(skepu::function<ports::mult>);
  auto sum = skepu::Reduce(skepu::function<ports::add>);
  auto dot = skepu::MapReduce<2>(skepu::function<ports::mult>, ts::plus());
  auto prefix = skepu::Scan(skepu::function<ports::add>);
  product.setBackend(skepu::BackendSpec{skepu::Backend::typeFromString("openmp")});
  skepu::Vector<float> x(numbers(100)), y(100, 2.f), r(100);
  product(r, x, y);
  CHECK(r(99) == 200);
  product(r.begin() + 10, r.begin() + 20, x.begin(), y.begin());
  CHECK(r(10) == 2);
  CHECK(r(20) == 42);
  product(r, x, y);
  CHECK(sum(r) == 10100);
  CHECK(sum(r.begin(), r.begin() + 2) == 6);
  CHECK(dot(x, y) == 10100);
  sum.setStartValue(1), dot.setStartValue(0.5f);
  CHECK(sum(r) == 10101);
  CHECK(dot(x, y) == 10100.5f);
  prefix(r, x);
  CHECK(r(99) == 5050);
  prefix.setStartValue(10);
  prefix(r, x);
  CHECK(r(1) == 13);
  prefix.setScanMode(skepu::ScanMode::Exclusive);
  prefix(r, x);
  CHECK(r(0) == 10);
  CHECK(r(99) == 4960);
  r(3) = 7;
  r.flush(), r.updateHost(), r.invalidateDeviceData(), r.releaseDeviceAllocations();
  CHECK(r[3] == 7);
}

TEST_CASE("a SkePU program of matrices gives its results") {
  const on_three_devices here;
  skepu::Matrix<float> m(4, 3, numbers(12)), w(3, 2, numbers(6)), p(4, 2);
  skepu::Vector<float> v(3, 2.f), r(4), columns(3);
  skepu::Map<1>(skepu::function<ports::row_times>)(r, m, v);
  CHECK(r.to_host() == std::vector<float>{12, 30, 48, 66});
  skepu::Map<0>(skepu::function<ports::entry>)(p, m, w);
  CHECK(p.to_host() == std::vector<float>{22, 28, 49, 64, 76, 100, 103, 136});
  auto sum = skepu::Reduce(ts::plus());
  sum(r, m);
  CHECK(r.to_host() == std::vector<float>{6, 15, 24, 33});
  sum.setReduceMode(skepu::ReduceMode::ColWise);
  sum(columns, m);
  CHECK(columns.to_host() == std::vector<float>{22, 26, 30});
  auto largest_row = skepu::Reduce(ts::plus(), ts::maximum());
  CHECK(largest_row(m) == 33);
  CHECK(largest_row(v) == 6);
  skepu::Matrix<float> pairs(4, 3);
  skepu::MapPairs(skepu::function<ports::mult>)(pairs, r, v);
  CHECK(pairs(3, 2) == 66);
  skepu::MapPairsReduce(skepu::function<ports::mult>, ts::plus())(r, skepu::Vector<float>(4, 1.f), v);
  CHECK(r(0) == 6);
  CHECK(m.total_rows() == 4);
  CHECK(m.size_j() == 3);
  CHECK(skepu::Tensor3<int>(2, 3, 4, 5)(1, 2, 3) == 5);
}

TEST_CASE("a SkePU program of stencils has its edges") {
  const on_three_devices here;
  auto conv = skepu::MapOverlap(skepu::function<ports::around>);
  conv.setOverlap(2);
  skepu::Vector<int> v(std::vector<int>{1, 2, 3, 4, 5, 6}), r(6);
  conv.setEdgeMode(skepu::Edge::Cyclic);
  conv(r, v, 1);
  CHECK(r(0) == 5 * 4 + 6 * 2 + 1 + 2 * 2 + 3 * 4);
  conv.setEdgeMode(skepu::Edge::Pad);
  conv.setPad(10);
  conv(r, v, 1);
  CHECK(r(0) == 10 * 4 + 10 * 2 + 1 + 2 * 2 + 3 * 4);
  conv.setEdgeMode(skepu::Edge::Duplicate);
  skepu::Matrix<int> m(2, 3, std::vector<int>{1, 2, 3, 4, 5, 6}), o(2, 3);
  conv.setOverlapMode(skepu::Overlap::ColWise);
  conv(o, m, 1);
  CHECK(o(0, 0) == 1 * 4 + 1 * 2 + 1 + 4 * 2 + 4 * 4);

  auto heat = skepu::MapOverlap(skepu::function<ports::smooth>);
  heat.setOverlap(1, 1);
  heat.setEdgeMode(skepu::Edge::None);
  skepu::Matrix<float> t(30, 20, 1.f), u(30, 20, -1.f);
  heat(u, t, 0.5f);
  CHECK(u(0, 0) == -1);
  CHECK(u(1, 1) == 3);
}

TEST_CASE("SkePU functions return several results, and Call changes containers on the host") {
  const on_three_devices here;
  skepu::Vector<int> a(9, 3), b(9, 2), product(9);
  skepu::Vector<float> quotient(9);
  skepu::Map<2>(skepu::function<ports::both>)(product, quotient, a, b);
  CHECK(product(8) == 14);
  CHECK(quotient(8) == 1.5f);
  auto sorted = skepu::Call([](std::span<int> all, bool descending) {
    std::sort(all.begin(), all.end());
    if (descending) std::reverse(all.begin(), all.end());
  });
  sorted(product, true);
  CHECK(product(0) == 14);
  product.randomize(3, 5);
  CHECK(skepu::Reduce(ts::minimum())(product) >= 3);
  CHECK(skepu::Reduce(ts::maximum())(product) <= 5);
}

TEST_CASE("functions that take and return SkePU's types compile for GPUs") {
  if (!tessera::support::can_compile_for_cuda()) return;
  const on_three_devices here;
  const skepu::Vector<float> v(3, 1.f);
  const skepu::Vector<int> n(3, 1);
  const skepu::Matrix<float> m(4, 3);
  tessera::support::cuda_sources sources;
  const auto add = [&](const auto& function, const auto& inputs, int axes) {
    namespace algo = ts::algo;
    const algo::op made = algo::op_for(function, inputs, ts::call_site::current());
    const std::vector<algo::call_argument> given = algo::listed(inputs);
    const algo::call bound = algo::bind_call("map", made, given, ts::call_site::current());
    std::vector<algo::array_text> outputs;
    for (const algo::op_result& r : made.text->results)
      outputs.push_back({"y" + std::to_string(outputs.size()), r.type, axes == 0 ? 1 : axes, axes, false});
    sources.add(algo::map_text(*made.text, algo::call_text(bound, axes, "a"), outputs, axes).text, "map.cu");
  };
  add(skepu::function<ports::row_times>, ts::algo::inputs_of(m, v), 0);
  add(skepu::function<ports::entry>, ts::algo::inputs_of(m, m), 2);
  add(skepu::function<ports::both>, ts::algo::inputs_of(n, n), 0);
  CHECK(sources.size() == 6);
  for (const std::string& failure : sources.failures()) FAIL_CHECK(failure);
}
