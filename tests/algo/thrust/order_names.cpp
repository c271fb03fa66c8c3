#include "tests/algo/thrust/names.h"

using namespace thrust::placeholders;

namespace names {
namespace {

using pairs = std::vector<std::pair<int, int>>;

pairs beside(const ints& keys, const ints& values) {
  pairs result;
  for (std::size_t k = 0; k < keys.size(); ++k) result.emplace_back(keys[k], values[k]);
  return result;
}
const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
pairs sorted_pairs(const ints& keys, const ints& values) {
  pairs result = beside(keys, values);
  std::stable_sort(result.begin(), result.end(), by_key);
  return result;
}
const ints left = sorted(some);
const ints right = sorted(tessera::support::numbers_below(190, 12, 3));

/// Calls a set operation or a merge of `left` and `right`, and the one of the standard library.
template <class Ours, class Standard>
void check_set(Ours ours, Standard standard) {
  vector x(left), y(right);
  ints expected;
  standard(left.begin(), left.end(), right.begin(), right.end(), std::back_inserter(expected));
  CHECK(written_by(2 * size, [&](auto& out) { return ours(x.begin(), x.end(), y.begin(), y.end(), out.begin()); }) ==
        expected);
}
/// That with values beside the keys, which are their places.
template <class Ours, class Standard>
void check_set_by_key(Ours ours, Standard standard) {
  ints left_values(left.size()), right_values(right.size());
  std::iota(left_values.begin(), left_values.end(), 0);
  std::iota(right_values.begin(), right_values.end(), 1000);
  const pairs a = beside(left, left_values), b = beside(right, right_values);
  pairs expected;
  standard(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected), by_key);
  vector x(left), y(right), xv(left_values), yv(right_values), keys(2 * size), values(2 * size);
  const auto ends = ours(x, y, xv, yv, keys.begin(), values.begin());
  CHECK(beside(first_of(keys, ends.first - keys.begin()), first_of(values, ends.second - values.begin())) == expected);
}

}  // namespace

void sort() {
  vector x(some);
  thrust::sort(thrust::cuda::par.on(0), x.begin(), x.end());
  CHECK(x.to_host() == left);
  thrust::sort(x.begin(), x.end(), thrust::greater<int>());
  CHECK(x.to_host() == ints(left.rbegin(), left.rend()));
}
void stable_sort() {
  vector x(some);
  thrust::stable_sort(x.begin(), x.end(), _1 / 2 < _2 / 2);
  ints expected = some;
  std::stable_sort(expected.begin(), expected.end(), [](int a, int b) { return a / 2 < b / 2; });
  CHECK(x.to_host() == expected);
}
void sort_by_key() {
  vector k(some), x(other);
  thrust::sort_by_key(k.begin(), k.end(), x.begin());
  CHECK(beside(k.to_host(), x.to_host()) == sorted_pairs(some, other));
}
void stable_sort_by_key() {
  vector k(some), x(other);
  thrust::stable_sort_by_key(k.begin(), k.end(), x.begin(), thrust::less<int>());
  CHECK(beside(k.to_host(), x.to_host()) == sorted_pairs(some, other));
}
void merge() {
  check_set([](auto... a) { return thrust::merge(a...); }, [](auto... a) { return std::merge(a...); });
}
void set_union() {
  check_set([](auto... a) { return thrust::set_union(a...); }, [](auto... a) { return std::set_union(a...); });
}
void set_intersection() {
  check_set([](auto... a) { return thrust::set_intersection(a...); },
            [](auto... a) { return std::set_intersection(a...); });
}
void set_difference() {
  check_set([](auto... a) { return thrust::set_difference(a...); },
            [](auto... a) { return std::set_difference(a...); });
}
void set_symmetric_difference() {
  check_set([](auto... a) { return thrust::set_symmetric_difference(a...); },
            [](auto... a) { return std::set_symmetric_difference(a...); });
}
void merge_by_key() {
  check_set_by_key(
      [](auto& x, auto& y, auto& xv, auto& yv, auto keys, auto values) {
        return thrust::merge_by_key(x.begin(), x.end(), y.begin(), y.end(), xv.begin(), yv.begin(), keys, values);
      },
      [](auto... a) { return std::merge(a...); });
}
void set_union_by_key() {
  check_set_by_key(
      [](auto& x, auto& y, auto& xv, auto& yv, auto keys, auto values) {
        return thrust::set_union_by_key(x.begin(), x.end(), y.begin(), y.end(), xv.begin(), yv.begin(), keys, values);
      },
      [](auto... a) { return std::set_union(a...); });
}
void set_intersection_by_key() {
  check_set_by_key(
      [](auto& x, auto& y, auto& xv, auto&, auto keys, auto values) {
        return thrust::set_intersection_by_key(x.begin(), x.end(), y.begin(), y.end(), xv.begin(), keys, values);
      },
      [](auto... a) { return std::set_intersection(a...); });
}
void set_difference_by_key() {
  check_set_by_key(
      [](auto& x, auto& y, auto& xv, auto& yv, auto keys, auto values) {
        return thrust::set_difference_by_key(thrust::device, x.begin(), x.end(), y.begin(), y.end(), xv.begin(),
                                             yv.begin(), keys, values);
      },
      [](auto... a) { return std::set_difference(a...); });
}
void set_symmetric_difference_by_key() {
  check_set_by_key(
      [](auto& x, auto& y, auto& xv, auto& yv, auto keys, auto values) {
        return thrust::set_symmetric_difference_by_key(thrust::device, x.begin(), x.end(), y.begin(), y.end(),
                                                       xv.begin(), yv.begin(), keys, values, thrust::less<int>());
      },
      [](auto... a) { return std::set_symmetric_difference(a...); });
}

void lower_bound() {
  vector x(left), queries(other), out(size);
  CHECK(thrust::lower_bound(x.begin(), x.end(), 5) - x.begin() ==
        std::lower_bound(left.begin(), left.end(), 5) - left.begin());
  CHECK(thrust::lower_bound(x.begin(), x.end(), 4.5) - x.begin() ==
        std::lower_bound(left.begin(), left.end(), 4.5) - left.begin());
  CHECK(thrust::lower_bound(x.begin(), x.end(), queries.begin(), queries.end(), out.begin()) == out.end());
  ints expected;
  for (const int wanted : other)
    expected.push_back(static_cast<int>(std::lower_bound(left.begin(), left.end(), wanted) - left.begin()));
  CHECK(out.to_host() == expected);
}
void upper_bound() {
  vector x(left), queries(other), out(size);
  CHECK(thrust::upper_bound(x.begin(), x.end(), 5, thrust::less<int>()) - x.begin() ==
        std::upper_bound(left.begin(), left.end(), 5) - left.begin());
  thrust::upper_bound(x.begin(), x.end(), queries.begin(), queries.end(), out.begin(), thrust::less<int>());
  ints expected;
  for (const int wanted : other)
    expected.push_back(static_cast<int>(std::upper_bound(left.begin(), left.end(), wanted) - left.begin()));
  CHECK(out.to_host() == expected);
}
void equal_range() {
  vector x(left);
  const auto found = thrust::equal_range(x.begin(), x.end(), 5);
  const auto expected = std::equal_range(left.begin(), left.end(), 5);
  CHECK(found.first - x.begin() == expected.first - left.begin());
  CHECK(found.second - x.begin() == expected.second - left.begin());
}
void binary_search() {
  const ints few{1, 3, 4, 7};
  vector x(few), queries(other);
  CHECK(thrust::binary_search(x.begin(), x.end(), 3));
  CHECK(!thrust::binary_search(x.begin(), x.end(), 5));
  thrust::device_vector<bool> found(size);
  thrust::binary_search(x.begin(), x.end(), queries.begin(), queries.end(), found.begin());
  for (std::size_t k = 0; k < other.size(); ++k)
    CHECK(found[static_cast<std::int64_t>(k)] == std::binary_search(few.begin(), few.end(), other[k]));
}

}  // namespace names
