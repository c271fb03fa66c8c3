// The code of docs/guide/containers.md, which this file holds block by block.
#include <tessera/skepu.h>

#include "tests/algo/container/support.h"
#include "tests/support/guide.h"

// clang-format off
namespace {
TS_DEVICE(
inline float mult(float a, float b) { return a * b; }
inline float blur(skepu::Region2D<float> r) { return (r(-1, 0) + r(0, -1) + r(0, 0) + r(0, 1) + r(1, 0)) / 5; }
inline float row_times(skepu::MatRow<float> row, skepu::Vec<float> v) {
  float sum = 0;
  for (int j = 0; j < v.size; ++j) sum += row(j) * v(j);
  return sum;
})
}  // namespace
// clang-format on

TEST_CASE("the code of the guide to containers runs") {
  const ts::context ctx(tessera::support::quiet("cpu*3"));
  ts::set_default_context(ctx);
  const ts::kernel twice = ts::default_context().compile(R"(
//@tessera global i => readwrite v[i]
__global__ void twice(long long n, int* v) {
  const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
})",
                                                         "twice");
  // clang-format off
ts::vector<int> v(1000, 5);           // default context: every device of every rank
twice.launch({.threads = {1000}}, 1000, v);  // any kernel takes it; returns at once
v[0] = 11;                            // write of one element
int first = v[0];                     // read
v[0] += 11;                           // both
CHECK(first == 11);
CHECK(v[0] == 22);
CHECK(v[1] == 10);
{
  auto h = v.host(ts::readwrite, 100, 200);  // a span, given back at the brace
  std::sort(h.begin(), h.end());
}
{
  auto h = v.host(ts::write, 0, 50);  // nothing is fetched: all 50 must be written
  std::fill(h.begin(), h.end(), 7);
}
CHECK(v[49] == 7);
CHECK(v[50] == 10);
ts::matrix<float> m(300, 200, 1.0f);
{
  auto h = m.host(ts::readwrite, ts::box({10, 20}, {12, 40}));
  h[1][0] = 2;  // element (11, 20)
}
float element = m(11, 20);
CHECK(element == 2);
CHECK(m(10, 20) == 1);
v.push_back(7);  // collected on the host
v.erase(v.begin() + 3, v.begin() + 9);
v.insert(v.begin(), {1, 2, 3});
v.resize(5000);
ts::vector<int> w = v;  // a copy by the devices; returns at once
std::swap(v, w);        // nothing moves
std::vector<int> all = v.to_host();
CHECK(all.size() == 5000);
CHECK(all[3] == 7);
CHECK(all[999] == 0);
CHECK(all[997] == 7);
twice.launch({.threads = {90}}, 90, v.part(10, 100));  // elements 10 to 99
ts::vector<float> row(m.row(11).to_host());            // moves 200 floats
auto corner = m.box(0, 10, 0, 10).to_host();           // rows 0 to 9 of columns 0 to 9
CHECK(v[0] == 1);
CHECK(v[10] == 14);
CHECK(row[20] == 2);
CHECK(corner.size() == 100);
v.update_host();
long sum = 0;
for (std::int64_t i = 0; i < v.size(); ++i) sum += v.unchecked(i);  // no check at all
CHECK(sum == std::accumulate(v.begin(), v.end(), 0L));
  // clang-format on
}

TEST_CASE("the code of the guide for programs that come from SkePU runs") {
  const ts::context ctx(tessera::support::quiet("cpu*3"));
  ts::set_default_context(ctx);
  // clang-format off
skepu::Vector<float> x(300, 2.f), y(300, 3.f), r(300);
skepu::Matrix<float> a(300, 300, 1.f), b(300, 300);
auto product = skepu::Map<2>(skepu::function<mult>);
product(r, x, y);                                  // outputs first
auto dot = skepu::MapReduce<2>(skepu::function<mult>, TS_FN([](float u, float v) { return u + v; }));
float sum = dot(x, y);                             // calls that return a number wait for it
auto blurred = skepu::MapOverlap(skepu::function<blur>);
blurred.setOverlap(1, 1);
blurred.setEdgeMode(skepu::Edge::Duplicate);
blurred(b, a);
skepu::Map<1>(skepu::function<row_times>)(r, a, x);
r(0) = 7;                                          // r[0] = 7
  // clang-format on
  CHECK(r(1) == 600);
  CHECK(r(0) == 7);
  CHECK(sum == 1800);
  CHECK(b(299, 0) == 1);
}

TEST_CASE("the guide to containers holds no code but what is run here") {
  tessera::support::check_guide("containers.md", "algo/container/guide_test.cpp", 8);
}
