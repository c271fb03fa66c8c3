// The code of docs/guide/thrust.md, which this file holds block by block.
#include <tessera/thrust.h>

#include "tests/algo/container/support.h"
#include "tests/support/guide.h"

// clang-format off
namespace of_the_guide {
TS_DEVICE(
struct saxpy_functor : public thrust::binary_function<float, float, float> {
  const float a;
  saxpy_functor(float a) : a(a) {}
  __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};
struct collatz {
  __host__ __device__ int operator()(int n) const {
    int steps = 0;
    for (; n > 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return steps;
  }
};)
}  // namespace of_the_guide

using namespace of_the_guide;

TEST_CASE("the code of the guide for programs of Thrust runs") {
  const ts::context ctx(tessera::support::quiet("cpu*3"));
  ts::set_default_context(ctx);
thrust::host_vector<float> h(1000, 1.f);
thrust::device_vector<float> x = h, y(1000, 2.f);
thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy_functor(3));
thrust::sort(thrust::device, y.begin(), y.end(), thrust::greater<float>());
float sum = thrust::reduce(y.begin(), y.end(), 0.f, thrust::plus<float>());
thrust::copy(y.begin(), y.end(), h.begin());
CHECK(sum == 5000);
CHECK(h[999] == 5);
using namespace thrust::placeholders;
const float a = 3;
thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), a * _1 + _2);
auto zipped = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
auto products = thrust::make_transform_iterator(
    zipped, [](auto t) { return thrust::get<0>(t) * thrust::get<1>(t); });
float dot = thrust::reduce(products, products + 1000);
thrust::for_each(zipped, zipped + 1000, [](auto t) { thrust::get<1>(t) -= thrust::get<0>(t); });
CHECK(dot == 8000);
CHECK(y[999] == 7);
auto steps = thrust::make_transform_iterator(thrust::make_counting_iterator(1), collatz());
auto longest = thrust::max_element(steps, steps + 100000);
int start = 1 + static_cast<int>(longest - steps);
thrust::device_vector<int> count(1000);
auto ends = thrust::reduce_by_key(x.begin(), x.end(), thrust::make_constant_iterator(1),
                                  thrust::make_discard_iterator(), count.begin());
CHECK(start == 77031);
CHECK(ends.second - count.begin() == 1);
CHECK(count[0] == 1000);
}
// clang-format on

TEST_CASE("the guide for programs of Thrust holds no code but what is run here") {
  tessera::support::check_guide("thrust.md", "algo/thrust/guide_test.cpp", 4);
}
