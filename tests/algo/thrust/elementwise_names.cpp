#include "tests/algo/thrust/names.h"

using namespace thrust::placeholders;

// clang-format off
namespace names_of_tests {
TS_DEVICE(
struct doubled { int operator()(int x) const { return 2 * x; } };
struct is_even { bool operator()(int x) const { return x % 2 == 0; } };
struct double_odd { void operator()(int& x) const { if (x % 2 == 1) x *= 2; } };
struct add_first { void operator()(thrust::tuple<const int&, int&> t) const { thrust::get<1>(t) += thrust::get<0>(t); } };)
}  // namespace names_of_tests
// clang-format on

namespace names {
using namespace names_of_tests;

void transform() {
  vector x(some), y(other), out(size);
  ints expected(some.size());
  CHECK(thrust::transform(x.begin(), x.end(), out.begin(), doubled()) == out.end());
  std::transform(some.begin(), some.end(), expected.begin(), doubled());
  CHECK(out.to_host() == expected);
  thrust::transform(thrust::device, x.begin(), x.end(), y.begin(), out.begin(), thrust::plus<int>());
  std::transform(some.begin(), some.end(), other.begin(), expected.begin(), std::plus<>());
  CHECK(out.to_host() == expected);
}
void transform_if() {
  vector x(some), y(other), out(size, -1);
  ints expected(some.size(), -1);
  thrust::transform_if(x.begin(), x.end(), out.begin(), doubled(), is_even());
  for (std::size_t k = 0; k < some.size(); ++k)
    if (some[k] % 2 == 0) expected[k] = 2 * some[k];
  CHECK(out.to_host() == expected);
  thrust::transform_if(x.begin(), x.end(), y.begin(), out.begin(), -_1, is_even());
  for (std::size_t k = 0; k < some.size(); ++k)
    if (other[k] % 2 == 0) expected[k] = -some[k];
  CHECK(out.to_host() == expected);
  thrust::transform_if(x.begin(), x.end(), y.begin(), x.begin(), out.begin(), _1 * 10 + _2, _1 > 5);
  for (std::size_t k = 0; k < some.size(); ++k)
    if (some[k] > 5) expected[k] = some[k] * 10 + other[k];
  CHECK(out.to_host() == expected);
}
void for_each() {
  vector x(some), y(other);
  ints expected = some;
  CHECK(thrust::for_each(x.begin(), x.end(), double_odd()) == x.end());
  std::for_each(expected.begin(), expected.end(), double_odd());
  CHECK(x.to_host() == expected);
  thrust::for_each(x.begin(), x.end(), [](auto& e) { e += 3; });
  std::for_each(expected.begin(), expected.end(), [](auto& e) { e += 3; });
  CHECK(x.to_host() == expected);
  thrust::for_each(thrust::make_zip_iterator(x.begin(), y.begin()), thrust::make_zip_iterator(x.end(), y.end()),
                   add_first());
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(y[static_cast<std::int64_t>(k)] == other[k] + expected[k]);
}
void for_each_n() {
  vector x(some);
  CHECK(thrust::for_each_n(x.begin(), 100, ts::host([](int& e) { e = -e; })) == x.begin() + 100);
  ints expected = some;
  std::for_each_n(expected.begin(), 100, [](int& e) { e = -e; });
  CHECK(x.to_host() == expected);
}
void copy() {
  vector out(size);
  CHECK(thrust::copy(some.begin(), some.end(), out.begin()) == out.end());
  ints back(some.size());
  CHECK(thrust::copy(out.begin(), out.end(), back.begin()) == back.end());
  CHECK(back == some);
  vector again(size);
  thrust::copy(out.begin(), out.end(), again.begin());
  CHECK(again.to_host() == some);
}
void copy_n() {
  vector x(some), out(size, -1);
  CHECK(thrust::copy_n(x.begin() + 7, 5, out.begin()) == out.begin() + 5);
  CHECK(first_of(out, 5) == ints(some.begin() + 7, some.begin() + 12));
  CHECK(out[5] == -1);
}
void uninitialized_copy() {
  vector x(some), out(size);
  thrust::uninitialized_copy(x.begin(), x.end(), out.begin());
  CHECK(out.to_host() == some);
}
void uninitialized_copy_n() {
  vector x(some), out(size);
  thrust::uninitialized_copy_n(x.begin(), size, out.begin());
  CHECK(out.to_host() == some);
}
void fill() {
  vector x(some);
  thrust::fill(x.begin() + 1, x.end(), 5);
  ints expected = some;
  std::fill(expected.begin() + 1, expected.end(), 5);
  CHECK(x.to_host() == expected);
}
void fill_n() {
  vector x(some);
  CHECK(thrust::fill_n(x.begin(), 20, 5) == x.begin() + 20);
  ints expected = some;
  std::fill_n(expected.begin(), 20, 5);
  CHECK(x.to_host() == expected);
}
void uninitialized_fill() {
  vector x(size);
  thrust::uninitialized_fill(x.begin(), x.end(), 5);
  CHECK(x.to_host() == ints(size, 5));
}
void uninitialized_fill_n() {
  vector x(size);
  thrust::uninitialized_fill_n(x.begin(), size, 5);
  CHECK(x.to_host() == ints(size, 5));
}
void generate() {
  vector x(size);
  int next = 0;
  thrust::generate(x.begin(), x.end(), [&next] { return next++; });
  ints expected(size);
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(x.to_host() == expected);
}
void generate_n() {
  vector x(some);
  CHECK(thrust::generate_n(x.begin(), 3, [] { return 9; }) == x.begin() + 3);
  CHECK(first_of(x, 4) == ints{9, 9, 9, some[3]});
}
void sequence() {
  vector x(size);
  ints expected(size);
  thrust::sequence(x.begin(), x.end());
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(x.to_host() == expected);
  thrust::sequence(thrust::host, x.begin(), x.end(), 5, 3);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = 5 + 3 * static_cast<int>(k);
  CHECK(x.to_host() == expected);
}
void tabulate() {
  vector x(size);
  thrust::tabulate(x.begin(), x.end(), doubled());
  ints expected(size);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = 2 * static_cast<int>(k);
  CHECK(x.to_host() == expected);
}
void replace() {
  vector x(some);
  thrust::replace(x.begin(), x.end(), 3, 30);
  ints expected = some;
  std::replace(expected.begin(), expected.end(), 3, 30);
  CHECK(x.to_host() == expected);
}
void replace_if() {
  vector x(some), y(other);
  ints expected = some;
  thrust::replace_if(x.begin(), x.end(), is_even(), 1);
  std::replace_if(expected.begin(), expected.end(), is_even(), 1);
  CHECK(x.to_host() == expected);
  thrust::replace_if(x.begin(), x.end(), y.begin(), is_even(), 7);
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (other[k] % 2 == 0) expected[k] = 7;
  CHECK(x.to_host() == expected);
}
void replace_copy() {
  vector x(some);
  ints expected(some.size());
  std::replace_copy(some.begin(), some.end(), expected.begin(), 3, 30);
  CHECK(written_by(size, [&](auto& out) { return thrust::replace_copy(x.begin(), x.end(), out.begin(), 3, 30); }) ==
        expected);
}
void replace_copy_if() {
  vector x(some), y(other), out(size);
  ints expected(some.size());
  thrust::replace_copy_if(x.begin(), x.end(), out.begin(), is_even(), -3);
  std::replace_copy_if(some.begin(), some.end(), expected.begin(), is_even(), -3);
  CHECK(out.to_host() == expected);
  thrust::replace_copy_if(x.begin(), x.end(), y.begin(), out.begin(), is_even(), -3);
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = other[k] % 2 == 0 ? -3 : some[k];
  CHECK(out.to_host() == expected);
}
void swap_ranges() {
  vector x(some), y(other);
  CHECK(thrust::swap_ranges(x.begin(), x.end(), y.begin()) == y.end());
  CHECK(x.to_host() == other);
  CHECK(y.to_host() == some);
}
void adjacent_difference() {
  vector x(some), out(size);
  ints expected(some.size());
  CHECK(thrust::adjacent_difference(x.begin(), x.end(), out.begin()) == out.end());
  std::adjacent_difference(some.begin(), some.end(), expected.begin());
  CHECK(out.to_host() == expected);
  thrust::adjacent_difference(x.begin(), x.end(), x.begin(), thrust::plus<int>());
  std::adjacent_difference(some.begin(), some.end(), expected.begin(), std::plus<>());
  CHECK(x.to_host() == expected);
}

void gather() {
  vector x(some), map(other);
  ints expected;
  for (const int place : other) expected.push_back(some[static_cast<std::size_t>(place)]);
  CHECK(written_by(size, [&](auto& out) { return thrust::gather(map.begin(), map.end(), x.begin(), out.begin()); }) ==
        expected);
}
void gather_if() {
  vector x(some), map(other), out(size, -1);
  ints expected;
  for (std::size_t k = 0; k < some.size(); ++k)
    expected.push_back(some[k] % 2 == 0 ? some[static_cast<std::size_t>(other[k])] : -1);
  CHECK(thrust::gather_if(map.begin(), map.end(), x.begin(), x.begin(), out.begin(), is_even()) == out.end());
  CHECK(out.to_host() == expected);
}
void scatter() {
  vector map(size), out(size), x(some);
  thrust::sequence(map.begin(), map.end(), static_cast<int>(size) - 1, -1);
  thrust::scatter(x.begin(), x.end(), map.begin(), out.begin());
  CHECK(out.to_host() == ints(some.rbegin(), some.rend()));
}
void scatter_if() {
  vector map(size), out(size, -1), x(some);
  thrust::sequence(map.begin(), map.end(), static_cast<int>(size) - 1, -1);
  thrust::scatter_if(x.begin(), x.end(), map.begin(), x.begin(), out.begin(), is_even());
  ints expected;
  std::replace_copy_if(some.rbegin(), some.rend(), std::back_inserter(expected), std::not_fn(is_even()), -1);
  CHECK(out.to_host() == expected);
}
void reverse() {
  vector x(some);
  thrust::reverse(x.begin(), x.end());
  CHECK(x.to_host() == ints(some.rbegin(), some.rend()));
}
void reverse_copy() {
  vector x(some);
  CHECK(written_by(size, [&](auto& out) { return thrust::reverse_copy(x.begin(), x.end(), out.begin()); }) ==
        ints(some.rbegin(), some.rend()));
}
void shuffle() {
  vector x(some), y(some);
  thrust::default_random_engine random(3);
  thrust::shuffle(x.begin(), x.end(), random);
  const ints once = x.to_host();
  CHECK(once != some);
  CHECK(sorted(once) == sorted(some));
  thrust::shuffle(y.begin(), y.end(), random);
  CHECK(y.to_host() != once);  // the engine has moved on
}
void shuffle_copy() {
  vector x(some);
  const ints made = written_by(size, [&](auto& out) {
    return thrust::shuffle_copy(x.begin(), x.end(), out.begin(), thrust::default_random_engine(3));
  });
  CHECK(made != some);
  CHECK(sorted(made) == sorted(some));
}

}  // namespace names
