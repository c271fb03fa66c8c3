#include "tests/algo/thrust/names.h"

#include <list>
#include <sstream>

using namespace thrust::placeholders;

namespace names {

void device_vector() {
  thrust::device_vector<float> zeros(4);
  CHECK(zeros.to_host() == std::vector<float>(4, 0.f));
  const std::list<int> listed{5, 6, 7};
  vector x(listed.begin(), listed.end()), y = x;
  CHECK(y.to_host() == ints{5, 6, 7});
  y[1] = 60;
  CHECK(y[1] == 60);
  CHECK(x[1] == 6);
  y.push_back(8);
  y.erase(y.begin());
  CHECK(y.to_host() == ints{60, 7, 8});
  x = ints{1, 2};
  x.swap(y);
  CHECK(x.size() == 3);
  const thrust::device_vector<double> converted = y;
  CHECK(converted.to_host() == std::vector<double>{1, 2});
  const vector made(thrust::make_counting_iterator(3), thrust::make_counting_iterator(6));
  CHECK(made.to_host() == ints{3, 4, 5});
  const vector part(x.begin() + 1, x.end());
  CHECK(part.to_host() == ints{7, 8});
}
void host_vector() {
  vector x(some);
  thrust::host_vector<int> h = x;
  CHECK(h == some);
  CHECK(x == h);
  thrust::sort(h.begin(), h.end());
  CHECK(h == sorted(some));
  x = h;
  CHECK(x.to_host() == h);
  thrust::host_vector<float> f(x.begin(), x.begin() + 2);
  CHECK(f == std::vector<float>{0, 0});
  f = x;
  CHECK(f.size() == h.size());
}
void universal_vector() {
  thrust::universal_vector<int> x(3, 7);
  x[0] = 1;
  CHECK(thrust::reduce(x.begin(), x.end()) == 15);
}
void device_ptr() {
  vector x(some);
  const thrust::device_ptr<int> p = x.data();
  CHECK(p[3] == some[3]);
  CHECK(thrust::reduce(p, p + 5) == std::reduce(some.begin(), some.begin() + 5));
}
void counting_iterator() {
  const thrust::counting_iterator<int> first(10), last = first + 5;
  CHECK(last - first == 5);
  CHECK(first[3] == 13);
  CHECK(thrust::reduce(first, last) == 60);
  vector x(some), places(size);
  const auto end = thrust::copy_if(thrust::make_counting_iterator(0), thrust::make_counting_iterator<int>(size),
                                   x.begin(), places.begin(), _1 == 3);
  ints expected;
  for (std::size_t k = 0; k < some.size(); ++k)
    if (some[k] == 3) expected.push_back(static_cast<int>(k));
  CHECK(first_of(places, end - places.begin()) == expected);
}
void constant_iterator() {
  const auto ones = thrust::make_constant_iterator(1);
  CHECK(thrust::reduce(ones, ones + 1000) == 1000);
  CHECK(*ones == 1);
  vector x(some);
  thrust::transform(x.begin(), x.end(), thrust::make_constant_iterator(5), x.begin(), thrust::multiplies<int>());
  CHECK(x[7] == 5 * some[7]);
}
void transform_iterator() {
  vector x(some);
  const auto squares = thrust::make_transform_iterator(x.begin(), _1 * _1);
  CHECK(squares[5] == some[5] * some[5]);
  CHECK(thrust::reduce(squares, squares + size) == std::inner_product(some.begin(), some.end(), some.begin(), 0));
  const thrust::transform_iterator<thrust::negate<int>, thrust::counting_iterator<int>> down(
      thrust::counting_iterator<int>(0), thrust::negate<int>());
  CHECK(thrust::reduce(down, down + 4) == -6);
}
void zip_iterator() {
  vector x(some), y(other);
  thrust::device_vector<float> sum(size);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
  CHECK(thrust::get<1>(*(first + 3)) == other[3]);
  thrust::transform(first, first + size, sum.begin(),
                    [](auto t) { return 0.5f * thrust::get<0>(t) + thrust::get<1>(t); });
  CHECK(sum[9] == 0.5f * static_cast<float>(some[9]) + static_cast<float>(other[9]));
  // Both keys decide, and what is sorted goes back to both vectors.
  thrust::sort(first, first + size);
  std::vector<std::pair<int, int>> expected;
  for (std::size_t k = 0; k < some.size(); ++k) expected.emplace_back(some[k], other[k]);
  std::sort(expected.begin(), expected.end());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(x[static_cast<std::int64_t>(k)] == expected[k].first);
    CHECK(y[static_cast<std::int64_t>(k)] == expected[k].second);
  }
  const auto end = thrust::unique(first, first + size);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  CHECK(end - first == std::ssize(expected));
}
void permutation_iterator() {
  vector x(some), map(other), out(size);
  const auto picked = thrust::make_permutation_iterator(x.begin(), map.begin());
  CHECK(picked[4] == some[static_cast<std::size_t>(other[4])]);
  int sum = 0;
  for (const int place : other) sum += some[static_cast<std::size_t>(place)];
  CHECK(thrust::reduce(picked, picked + size) == sum);
  // What is computed is computed at other places.
  const auto twice = thrust::make_transform_iterator(x.begin(), 2 * _1);
  const auto picked_twice = thrust::make_permutation_iterator(twice, map.begin());
  CHECK(thrust::reduce(picked_twice, picked_twice + size) == 2 * sum);
  const auto odd = thrust::make_transform_iterator(thrust::make_counting_iterator(0), 2 * _1 + 1);
  thrust::fill(out.begin(), out.end(), 0);
  thrust::copy_n(x.begin(), 100, thrust::make_permutation_iterator(out.begin(), odd));
  CHECK(out[2 * 17 + 1] == some[17]);
  CHECK(out[2 * 17] == 0);
}
void reverse_iterator() {
  vector x(some), out(size);
  thrust::copy(x.rbegin(), x.rend(), out.begin());
  CHECK(out.to_host() == ints(some.rbegin(), some.rend()));
  thrust::copy(x.begin(), x.end(), thrust::make_reverse_iterator(out.end()));
  CHECK(out.to_host() == ints(some.rbegin(), some.rend()));
  thrust::sort(x.rbegin(), x.rend());
  CHECK(thrust::is_sorted(x.begin(), x.end(), thrust::greater<int>()));
  CHECK(thrust::find(x.rbegin(), x.rend(), 9) == std::prev(x.rend(), std::count(some.begin(), some.end(), 9)));
}
void discard_iterator() {
  vector k(sorted(some)), x(other), sums(size);
  const auto ends = thrust::reduce_by_key(k.begin(), k.end(), x.begin(), thrust::make_discard_iterator(), sums.begin());
  CHECK(ends.second - sums.begin() == 10);
  CHECK(ends.first == thrust::make_discard_iterator(10));
  CHECK(thrust::reduce(sums.begin(), ends.second) == std::reduce(other.begin(), other.end()));
}
void transform_output_iterator() {
  vector x(some), out(size);
  thrust::inclusive_scan(x.begin(), x.end(), thrust::make_transform_output_iterator(out.begin(), -_1));
  ints expected(some.size());
  std::transform_inclusive_scan(some.begin(), some.end(), expected.begin(), std::plus<>(), std::negate<>());
  CHECK(out.to_host() == expected);
}
void advance() {
  vector x(some);
  auto i = x.begin();
  thrust::advance(i, 7);
  CHECK(*i == some[7]);
  CHECK(thrust::next(i) - i == 1);
  CHECK(i - thrust::prev(i, 3) == 3);
}
void distance() {
  vector x(some);
  CHECK(thrust::distance(x.begin(), x.end()) == size);
}
void device() {
  vector x(some);
  CHECK(thrust::reduce(thrust::device, x.begin(), x.end()) == std::reduce(some.begin(), some.end()));
}
void host() {
  // Elements of the host, and what is written to a stream.
  CHECK(thrust::reduce(thrust::host, some.begin(), some.end()) == std::reduce(some.begin(), some.end()));
  std::ostringstream text;
  const vector x{1, 2, 3};
  thrust::copy(x.begin(), x.end(), std::ostream_iterator<int>(text, " "));
  CHECK(text.str() == "1 2 3 ");
}
void seq() {
  vector x(some);
  CHECK(thrust::reduce(thrust::seq, x.begin(), x.end()) == std::reduce(some.begin(), some.end()));
}
void par() {
  vector x(some);
  const int stream = 0, allocator = 0;
  CHECK(thrust::reduce(thrust::cuda::par.on(stream), x.begin(), x.end()) == std::reduce(some.begin(), some.end()));
  CHECK(thrust::reduce(thrust::cuda::par(allocator).on(stream), x.begin(), x.end()) ==
        std::reduce(some.begin(), some.end()));
  CHECK(thrust::count(thrust::omp::par, x.begin(), x.end(), 3) == std::count(some.begin(), some.end(), 3));
}

}  // namespace names
