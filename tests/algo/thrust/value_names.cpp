#include "tests/algo/thrust/names.h"

using namespace thrust::placeholders;

namespace names {
namespace {

const auto is_odd = [](auto x) { return x % 2 == 1; };

}  // namespace

void reduce() {
  vector x(some);
  CHECK(thrust::reduce(x.begin(), x.end()) == std::reduce(some.begin(), some.end()));
  CHECK(thrust::reduce(x.begin(), x.end(), 5) == std::reduce(some.begin(), some.end(), 5));
  CHECK(thrust::reduce(x.begin(), x.end(), 0.5) == std::reduce(some.begin(), some.end(), 0.5));
  CHECK(thrust::reduce(x.begin(), x.end(), -1, thrust::maximum<int>()) == 9);
  CHECK(thrust::reduce(x.begin(), x.end(), -1, [](auto a, auto b) { return max(a, b); }) == 9);
  CHECK(thrust::reduce(x.begin(), x.end(), 12, [](auto a, auto b) { return max(a, b); }) == 12);
  CHECK(thrust::reduce(x.begin(), x.end(), 2, ts::host([](int a, int b) { return std::max(a, b); })) == 9);
  CHECK(thrust::reduce(x.begin(), x.begin(), -1, [](auto a, auto b) { return a + b; }) == -1);
}
void reduce_into() {
  vector x(some), out(1);
  thrust::reduce_into(x.begin(), x.end(), out.begin(), 5);
  CHECK(out[0] == std::reduce(some.begin(), some.end(), 5));
}
void transform_reduce() {
  vector x(some);
  CHECK(thrust::transform_reduce(x.begin(), x.end(), thrust::square<int>(), 0, thrust::plus<int>()) ==
        std::transform_reduce(some.begin(), some.end(), 0, std::plus<>(), [](int v) { return v * v; }));
}
void inner_product() {
  vector x(some), y(other);
  CHECK(thrust::inner_product(x.begin(), x.end(), y.begin(), 7) ==
        std::inner_product(some.begin(), some.end(), other.begin(), 7));
  CHECK(thrust::inner_product(x.begin(), x.end(), y.begin(), 0, thrust::maximum<int>(), thrust::minus<int>()) == 9);
}
void count_if() {
  vector x(some);
  CHECK(thrust::count_if(x.begin(), x.end(), is_odd) == std::count_if(some.begin(), some.end(), is_odd));
}
void count() {
  vector x(some);
  CHECK(thrust::count(x.begin(), x.end(), 3) == std::count(some.begin(), some.end(), 3));
}
void min_element() {
  vector x(some);
  CHECK(thrust::min_element(x.begin(), x.end()) - x.begin() ==
        std::min_element(some.begin(), some.end()) - some.begin());
  CHECK(thrust::min_element(x.begin(), x.begin()) == x.begin());
}
void max_element() {
  vector x(some);
  CHECK(thrust::max_element(x.begin(), x.end()) - x.begin() ==
        std::max_element(some.begin(), some.end()) - some.begin());
  CHECK(thrust::max_element(x.begin(), x.end(), thrust::greater<int>()) - x.begin() ==
        std::min_element(some.begin(), some.end()) - some.begin());
}
void minmax_element() {
  vector x(some);
  const auto found = thrust::minmax_element(x.begin(), x.end());
  CHECK(*found.first == 0);
  CHECK(*found.second == 9);
}
void all_of() {
  vector x(some);
  CHECK(thrust::all_of(x.begin(), x.end(), _1 < 10));
  CHECK(!thrust::all_of(x.begin(), x.end(), _1 < 9));
}
void any_of() {
  vector x(some);
  CHECK(thrust::any_of(x.begin(), x.end(), _1 == 9));
  CHECK(!thrust::any_of(x.begin(), x.end(), _1 == 10));
}
void none_of() {
  vector x(some);
  CHECK(thrust::none_of(x.begin(), x.end(), _1 == 10));
  CHECK(!thrust::none_of(x.begin(), x.end(), _1 == 9));
}
void find() {
  vector x(some);
  CHECK(thrust::find(x.begin(), x.end(), 9) - x.begin() == std::find(some.begin(), some.end(), 9) - some.begin());
  CHECK(thrust::find(x.begin(), x.end(), 10) == x.end());
}
void find_if() {
  vector x(some);
  CHECK(thrust::find_if(x.begin(), x.end(), is_odd) - x.begin() ==
        std::find_if(some.begin(), some.end(), is_odd) - some.begin());
}
void find_if_not() {
  vector x(some);
  CHECK(thrust::find_if_not(x.begin(), x.end(), is_odd) - x.begin() ==
        std::find_if_not(some.begin(), some.end(), is_odd) - some.begin());
}
void mismatch() {
  ints changed = some;
  changed[200] = 77;
  vector x(some), y(changed);
  const auto found = thrust::mismatch(x.begin(), x.end(), y.begin());
  CHECK(found.first - x.begin() == 200);
  CHECK(found.second - y.begin() == 200);
}
void equal() {
  vector x(some), y(some);
  CHECK(thrust::equal(x.begin(), x.end(), y.begin()));
  y[150] = 77;
  CHECK(!thrust::equal(x.begin(), x.end(), y.begin()));
  CHECK(!thrust::equal(x.begin(), x.end(), y.begin(), thrust::greater_equal<int>()));
}
void is_sorted() {
  vector x(some), y(sorted(some));
  CHECK(!thrust::is_sorted(x.begin(), x.end()));
  CHECK(thrust::is_sorted(y.begin(), y.end()));
  CHECK(!thrust::is_sorted(y.begin(), y.end(), thrust::greater<int>()));
}
void is_sorted_until() {
  vector x(some);
  CHECK(thrust::is_sorted_until(x.begin(), x.end()) - x.begin() ==
        std::is_sorted_until(some.begin(), some.end()) - some.begin());
}
void is_partitioned() {
  vector x(some), y(sorted(some));
  CHECK(!thrust::is_partitioned(x.begin(), x.end(), _1 < 5));
  CHECK(thrust::is_partitioned(y.begin(), y.end(), _1 < 5));
}
void partition_point() {
  const ints all = sorted(some);
  vector x(all);
  CHECK(thrust::partition_point(x.begin(), x.end(), _1 < 5) - x.begin() ==
        std::partition_point(all.begin(), all.end(), [](int v) { return v < 5; }) - all.begin());
}

void inclusive_scan() {
  vector x(some), out(size);
  ints expected(some.size());
  CHECK(thrust::inclusive_scan(x.begin(), x.end(), out.begin()) == out.end());
  std::inclusive_scan(some.begin(), some.end(), expected.begin());
  CHECK(out.to_host() == expected);
  thrust::inclusive_scan(x.begin(), x.end(), x.begin(), thrust::maximum<int>());
  std::inclusive_scan(some.begin(), some.end(), expected.begin(), [](int a, int b) { return std::max(a, b); });
  CHECK(x.to_host() == expected);
  vector y(some);
  thrust::inclusive_scan(y.begin(), y.end(), out.begin(), 100, thrust::plus<int>());
  std::inclusive_scan(some.begin(), some.end(), expected.begin(), std::plus<>(), 100);
  CHECK(out.to_host() == expected);
}
void exclusive_scan() {
  vector x(some), out(size);
  ints expected(some.size());
  thrust::exclusive_scan(x.begin(), x.end(), out.begin());
  std::exclusive_scan(some.begin(), some.end(), expected.begin(), 0);
  CHECK(out.to_host() == expected);
  thrust::exclusive_scan(x.begin(), x.end(), out.begin(), 4, thrust::maximum<int>());
  std::exclusive_scan(some.begin(), some.end(), expected.begin(), 4, [](int a, int b) { return std::max(a, b); });
  CHECK(out.to_host() == expected);
}
void transform_inclusive_scan() {
  vector x(some), out(size);
  ints expected(some.size());
  thrust::transform_inclusive_scan(x.begin(), x.end(), out.begin(), thrust::negate<int>(), thrust::plus<int>());
  std::transform_inclusive_scan(some.begin(), some.end(), expected.begin(), std::plus<>(), std::negate<>());
  CHECK(out.to_host() == expected);
}
void transform_exclusive_scan() {
  vector x(some), out(size);
  ints expected(some.size());
  thrust::transform_exclusive_scan(x.begin(), x.end(), out.begin(), -_1, 3, thrust::plus<int>());
  std::transform_exclusive_scan(some.begin(), some.end(), expected.begin(), 3, std::plus<>(), std::negate<>());
  CHECK(out.to_host() == expected);
}
namespace {

ints scanned_by_key(const ints& keys, const ints& values, bool inclusive, int start) {
  ints result;
  int sum = start;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k > 0 && keys[k] != keys[k - 1]) sum = start;
    if (!inclusive) result.push_back(sum);
    sum += values[k];
    if (inclusive) result.push_back(sum);
  }
  return result;
}

}  // namespace
void inclusive_scan_by_key() {
  const ints keys = sorted(some);
  vector k(keys), x(other), out(size);
  CHECK(thrust::inclusive_scan_by_key(k.begin(), k.end(), x.begin(), out.begin()) == out.end());
  CHECK(out.to_host() == scanned_by_key(keys, other, true, 0));
  thrust::inclusive_scan_by_key(k.begin(), k.end(), x.begin(), x.begin(), thrust::equal_to<int>(), thrust::plus<int>());
  CHECK(x.to_host() == scanned_by_key(keys, other, true, 0));
}
void exclusive_scan_by_key() {
  const ints keys = sorted(some);
  vector k(keys), x(other), out(size);
  thrust::exclusive_scan_by_key(k.begin(), k.end(), x.begin(), out.begin());
  CHECK(out.to_host() == scanned_by_key(keys, other, false, 0));
  thrust::exclusive_scan_by_key(k.begin(), k.end(), x.begin(), out.begin(), 5);
  CHECK(out.to_host() == scanned_by_key(keys, other, false, 5));
}

}  // namespace names
