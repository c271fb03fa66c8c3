#include "tests/algo/thrust/names.h"

using namespace thrust::placeholders;

namespace names {
namespace {

const auto is_odd = [](auto x) { return x % 2 == 1; };

/// The elements of `all` beside which `stencil` has odd numbers, or even ones.
ints chosen(const ints& all, const ints& stencil, bool odd) {
  ints result;
  for (std::size_t k = 0; k < all.size(); ++k)
    if ((stencil[k] % 2 == 1) == odd) result.push_back(all[k]);
  return result;
}
ints joined(ints a, const ints& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

void copy_if() {
  vector x(some), y(other);
  CHECK(written_by(size, [&](auto& out) { return thrust::copy_if(x.begin(), x.end(), out.begin(), is_odd); }) ==
        chosen(some, some, true));
  CHECK(written_by(size, [&](auto& out) {
          return thrust::copy_if(x.begin(), x.end(), y.begin(), out.begin(), is_odd);
        }) == chosen(some, other, true));
}
void remove() {
  vector x(some);
  ints expected = some;
  expected.erase(std::remove(expected.begin(), expected.end(), 3), expected.end());
  const auto end = thrust::remove(x.begin(), x.end(), 3);
  CHECK(first_of(x, end - x.begin()) == expected);
}
void remove_if() {
  vector x(some), y(other);
  auto end = thrust::remove_if(x.begin(), x.end(), is_odd);
  CHECK(first_of(x, end - x.begin()) == chosen(some, some, false));
  x = vector(some);
  end = thrust::remove_if(x.begin(), x.end(), y.begin(), is_odd);
  CHECK(first_of(x, end - x.begin()) == chosen(some, other, false));
}
void remove_copy() {
  vector x(some);
  ints expected;
  std::remove_copy(some.begin(), some.end(), std::back_inserter(expected), 3);
  CHECK(written_by(size, [&](auto& out) { return thrust::remove_copy(x.begin(), x.end(), out.begin(), 3); }) ==
        expected);
}
void remove_copy_if() {
  vector x(some), y(other);
  CHECK(written_by(size, [&](auto& out) { return thrust::remove_copy_if(x.begin(), x.end(), out.begin(), is_odd); }) ==
        chosen(some, some, false));
  CHECK(written_by(size, [&](auto& out) {
          return thrust::remove_copy_if(x.begin(), x.end(), y.begin(), out.begin(), is_odd);
        }) == chosen(some, other, false));
}
void partition() {
  vector x(some), y(other);
  auto middle = thrust::partition(x.begin(), x.end(), is_odd);
  CHECK(middle - x.begin() == std::ssize(chosen(some, some, true)));
  CHECK(x.to_host() == joined(chosen(some, some, true), chosen(some, some, false)));
  x = vector(some);
  middle = thrust::partition(x.begin(), x.end(), y.begin(), is_odd);
  CHECK(x.to_host() == joined(chosen(some, other, true), chosen(some, other, false)));
}
void partition_copy() {
  vector x(some), y(other), a(size), b(size);
  auto ends = thrust::partition_copy(x.begin(), x.end(), a.begin(), b.begin(), is_odd);
  CHECK(first_of(a, ends.first - a.begin()) == chosen(some, some, true));
  CHECK(first_of(b, ends.second - b.begin()) == chosen(some, some, false));
  ends = thrust::partition_copy(x.begin(), x.end(), y.begin(), a.begin(), b.begin(), is_odd);
  CHECK(first_of(a, ends.first - a.begin()) == chosen(some, other, true));
  CHECK(first_of(b, ends.second - b.begin()) == chosen(some, other, false));
}
void stable_partition() {
  vector x(some);
  thrust::stable_partition(x.begin(), x.end(), is_odd);
  ints expected = some;
  std::stable_partition(expected.begin(), expected.end(), is_odd);
  CHECK(x.to_host() == expected);
}
void stable_partition_copy() {
  vector x(some), a(size), b(size);
  const auto ends = thrust::stable_partition_copy(x.begin(), x.end(), a.begin(), b.begin(), is_odd);
  CHECK(first_of(a, ends.first - a.begin()) == chosen(some, some, true));
}
void unique() {
  ints expected = sorted(some);
  vector x(expected);
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  const auto end = thrust::unique(x.begin(), x.end());
  CHECK(first_of(x, end - x.begin()) == expected);
}
void unique_copy() {
  vector x(some);
  ints expected;
  std::unique_copy(some.begin(), some.end(), std::back_inserter(expected));
  CHECK(written_by(size, [&](auto& out) { return thrust::unique_copy(x.begin(), x.end(), out.begin()); }) == expected);
  expected.clear();
  std::unique_copy(some.begin(), some.end(), std::back_inserter(expected), [](int a, int b) { return a % 2 == b % 2; });
  CHECK(written_by(size, [&](auto& out) {
          return thrust::unique_copy(x.begin(), x.end(), out.begin(), _1 % 2 == _2 % 2);
        }) == expected);
}
void unique_count() {
  vector x(some);
  ints expected;
  std::unique_copy(some.begin(), some.end(), std::back_inserter(expected));
  CHECK(thrust::unique_count(x.begin(), x.end()) == std::ssize(expected));
}
namespace {

/// The first key of each segment of keys, and the first value beside it, or their sum.
std::pair<ints, ints> segments(const ints& keys, const ints& values, bool sum) {
  std::pair<ints, ints> result;
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (k == 0 || keys[k] != keys[k - 1])
      result.first.push_back(keys[k]), result.second.push_back(values[k]);
    else if (sum)
      result.second.back() += values[k];
  return result;
}

}  // namespace
void unique_by_key() {
  const ints keys = sorted(some);
  const auto expected = segments(keys, other, false);
  vector k(keys), x(other);
  const auto ends = thrust::unique_by_key(k.begin(), k.end(), x.begin());
  CHECK(first_of(k, ends.first - k.begin()) == expected.first);
  CHECK(first_of(x, ends.second - x.begin()) == expected.second);
}
void unique_by_key_copy() {
  const ints keys = sorted(some);
  const auto expected = segments(keys, other, false);
  vector k(keys), x(other), a(size), b(size);
  const auto ends = thrust::unique_by_key_copy(k.begin(), k.end(), x.begin(), a.begin(), b.begin());
  CHECK(first_of(a, ends.first - a.begin()) == expected.first);
  CHECK(first_of(b, ends.second - b.begin()) == expected.second);
}
void reduce_by_key() {
  const auto expected = segments(some, other, true);
  vector k(some), x(other), a(size), b(size);
  auto ends = thrust::reduce_by_key(k.begin(), k.end(), x.begin(), a.begin(), b.begin());
  CHECK(first_of(a, ends.first - a.begin()) == expected.first);
  CHECK(first_of(b, ends.second - b.begin()) == expected.second);
  ends = thrust::reduce_by_key(k.begin(), k.end(), x.begin(), a.begin(), b.begin(), thrust::equal_to<int>(),
                               thrust::plus<int>());
  CHECK(first_of(b, ends.second - b.begin()) == expected.second);
}

}  // namespace names
