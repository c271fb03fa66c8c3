#include "tests/algo/thrust/names.h"

#include <random>

using namespace thrust::placeholders;

// clang-format off
namespace names_of_tests {
TS_DEVICE(
/// As Thrust's programs are written: types of their own, functors with constructors and base classes.
struct scaled : public thrust::unary_function<int, int> {
  const int factor;
  scaled(int f) : factor(f) {}
  __host__ __device__ int operator()(const int& x) const { return factor * x; }
};
struct larger : public thrust::binary_function<int, int, int> {
  __host__ __device__ result_type operator()(const first_argument_type& a, const second_argument_type& b) const {
    return thrust::max(a, b);
  }
};
struct extremes {
  __host__ __device__ thrust::pair<int, int> operator()(thrust::pair<int, int> a, thrust::pair<int, int> b) const {
    return thrust::make_pair(thrust::min(a.first, b.first), thrust::max(a.second, b.second));
  }
};
struct doubled_pair {
  __host__ __device__ thrust::pair<int, int> operator()(int x) const { return thrust::pair<int, int>(x, x); }
};
struct sum_and_product {
  __host__ __device__ thrust::tuple<int, int> operator()(int a, int b) const { return thrust::make_tuple(a + b, a * b); }
};
struct dice {
  unsigned int seed;
  template <class Engine> __host__ __device__ int roll(Engine random, int i) const {
    thrust::uniform_int_distribution<int> sides(1, 6);
    random.discard((unsigned int)i);
    return sides(random);
  }
  __host__ __device__ int operator()(int i) const { return roll(thrust::default_random_engine(seed), i); }
};
struct uniform {
  __host__ __device__ float operator()(int i) const {
    thrust::minstd_rand random((unsigned int)i + 1);
    random.discard(5);
    return thrust::uniform_real_distribution<float>(2, 3)(random);
  }
};
struct normal {
  __host__ __device__ double operator()(int i) const {
    thrust::minstd_rand random;
    random.discard(2ull * (unsigned int)i);
    thrust::normal_distribution<double> bell(10, 2);
    return bell(random);
  }
};)
}  // namespace names_of_tests
// clang-format on

namespace names {
using namespace names_of_tests;
namespace {

/// `f` of two numbers each, compared with `standard`.
template <class F, class G>
void check_two(F f, G standard) {
  vector x(some), y(other), out(size);
  thrust::transform(y.begin(), y.end(), y.begin(), _1 + 1);  // divisors
  thrust::transform(x.begin(), x.end(), y.begin(), out.begin(), f);
  for (std::size_t k = 0; k < some.size(); ++k)
    CHECK(out[static_cast<std::int64_t>(k)] == static_cast<int>(standard(some[k], other[k] + 1)));
  CHECK(f(7, 3) == standard(7, 3));
}
template <class F, class G>
void check_one(F f, G standard) {
  vector x(some), out(size);
  thrust::transform(x.begin(), x.end(), out.begin(), f);
  for (std::size_t k = 0; k < some.size(); ++k)
    CHECK(out[static_cast<std::int64_t>(k)] == static_cast<int>(standard(some[k])));
}

}  // namespace

// clang-format off
void plus() { check_two(thrust::plus<int>(), std::plus<>()); }
void minus() { check_two(thrust::minus<>(), std::minus<>()); }
void multiplies() { check_two(thrust::multiplies<int>(), std::multiplies<>()); }
void divides() { check_two(thrust::divides<int>(), std::divides<>()); }
void modulus() { check_two(thrust::modulus<int>(), std::modulus<>()); }
void equal_to() { check_two(thrust::equal_to<int>(), std::equal_to<>()); }
void not_equal_to() { check_two(thrust::not_equal_to<int>(), std::not_equal_to<>()); }
void less() { check_two(thrust::less<int>(), std::less<>()); }
void greater() { check_two(thrust::greater<int>(), std::greater<>()); }
void less_equal() { check_two(thrust::less_equal<int>(), std::less_equal<>()); }
void greater_equal() { check_two(thrust::greater_equal<int>(), std::greater_equal<>()); }
void logical_and() { check_two(thrust::logical_and<int>(), std::logical_and<>()); }
void logical_or() { check_two(thrust::logical_or<int>(), std::logical_or<>()); }
void bit_and() { check_two(thrust::bit_and<int>(), std::bit_and<>()); }
void bit_or() { check_two(thrust::bit_or<int>(), std::bit_or<>()); }
void bit_xor() { check_two(thrust::bit_xor<int>(), std::bit_xor<>()); }
void maximum() { check_two(thrust::maximum<int>(), [](int a, int b) { return std::max(a, b); }); }
void minimum() { check_two(thrust::minimum<int>(), [](int a, int b) { return std::min(a, b); }); }
void project1st() { check_two(thrust::project1st<int, int>(), [](int a, int) { return a; }); }
void project2nd() { check_two(thrust::project2nd<int, int>(), [](int, int b) { return b; }); }
void negate() { check_one(thrust::negate<int>(), std::negate<>()); }
void square() { check_one(thrust::square<int>(), [](int a) { return a * a; }); }
void logical_not() { check_one(thrust::logical_not<int>(), std::logical_not<>()); }
void identity() { check_one(thrust::identity<int>(), [](int a) { return a; }); }
void unary_function() { check_one(scaled(3), [](int a) { return 3 * a; }); }
void binary_function() { check_two(larger(), [](int a, int b) { return std::max(a, b); }); }
void not_fn() {
  check_one(thrust::not_fn(_1 > 4), [](int a) { return !(a > 4); });
  check_two(thrust::not_fn(thrust::less<int>()), std::greater_equal<>());
  check_two(thrust::not2(TS_FN([](int a, int b) { if (a == 3) return true; return a < b; })), [](int a, int b) { return !(a == 3 || a < b); });
}
// clang-format on
void placeholders() {
  check_two((_1 + 2 * _2 - 3) / 2 % 5, [](int a, int b) { return (a + 2 * b - 3) / 2 % 5; });
  check_two((_1 << 2 | _2) ^ (_1 & ~_2) >> 1, [](int a, int b) { return (a << 2 | b) ^ (a & ~b) >> 1; });
  check_two((_1 < _2 && _2 != 4) || !(_1 >= 3) || _1 == -_2,
            [](int a, int b) { return (a < b && b != 4) || !(a >= 3) || a == -b; });
  const int offset = 7;
  check_one(offset - _1, [=](int a) { return offset - a; });
}
void zip_function() {
  vector x(some), y(other), out(size);
  const auto first = thrust::make_zip_iterator(x.begin(), y.begin());
  thrust::transform(first, first + size, out.begin(), thrust::make_zip_function(larger()));
  for (std::size_t k = 0; k < some.size(); ++k) CHECK(out[static_cast<std::int64_t>(k)] == std::max(some[k], other[k]));
  CHECK(thrust::make_zip_function(larger())(thrust::make_tuple(3, 8)) == 8);
}
void tuple() {
  vector x(some), y(other), sums(size), products(size);
  const auto out = thrust::make_zip_iterator(sums.begin(), products.begin());
  thrust::transform(x.begin(), x.end(), y.begin(), out, sum_and_product());
  CHECK(sums[12] == some[12] + other[12]);
  CHECK(products[12] == some[12] * other[12]);
  const auto [sum, product] = sum_and_product()(3, 4);
  CHECK(sum == 7);
  CHECK(product == 12);
  CHECK(thrust::make_tuple(1, 2, 3) < thrust::make_tuple(1, 3, 0));
  CHECK(thrust::make_tuple(1, 2.5f) == thrust::tuple<int, double>(1, 2.5));
  CHECK(thrust::tuple_size<thrust::tuple<int, char, float>>::value == 3);
}
void make_tuple() {
  // Recorded functions return them, too.
  vector x(some), y(other), sums(size), products(size);
  thrust::transform(x.begin(), x.end(), y.begin(), thrust::make_zip_iterator(sums.begin(), products.begin()),
                    [](auto a, auto b) { return thrust::make_tuple(a + b, a * b); });
  CHECK(sums[12] == some[12] + other[12]);
  CHECK(products[12] == some[12] * other[12]);
  // A reduction of tuples: the sum and the greatest element.
  const auto first = thrust::make_zip_iterator(x.begin(), y.begin());
  const auto both = thrust::reduce(first, first + size, thrust::make_tuple(0, -1), [](auto a, auto b) {
    return thrust::make_tuple(thrust::get<0>(a) + thrust::get<0>(b), thrust::max(thrust::get<1>(a), thrust::get<1>(b)));
  });
  CHECK(thrust::get<0>(both) == std::reduce(some.begin(), some.end()));
  CHECK(thrust::get<1>(both) == 9);
}
void tie() {
  int a = 0;
  double b = 0;
  thrust::tie(a, b) = thrust::make_tuple(3, 4.5f);
  CHECK(a == 3);
  CHECK(b == 4.5);
  vector x(some), k(size), v(size);
  auto keys = k.begin(), values = v.begin();
  thrust::tie(keys, values) =
      thrust::reduce_by_key(x.begin(), x.end(), thrust::make_constant_iterator(1), k.begin(), v.begin());
  CHECK(keys - k.begin() == thrust::unique_count(x.begin(), x.end()));
}
void pair() {
  vector x(some);
  const auto both =
      thrust::transform_reduce(x.begin(), x.end(), doubled_pair(), thrust::pair<int, int>(100, -1), extremes());
  CHECK(both.first == 0);
  CHECK(both.second == 9);
  CHECK(thrust::make_pair(1, 2) < thrust::make_pair(1, 3));
}
void min() {
  check_two([](auto a, auto b) { return thrust::min(a, b); }, [](int a, int b) { return std::min(a, b); });
}
void max() {
  check_two([](auto a, auto b) { return thrust::max(a, b); }, [](int a, int b) { return std::max(a, b); });
}
void swap() {
  vector x(some), y(other);
  thrust::swap(x, y);
  CHECK(x.to_host() == other);
}
void minstd_rand() {
  thrust::minstd_rand ours;
  std::minstd_rand standard;
  for (int k = 0; k < 10; ++k) CHECK(ours() == standard());
  ours.discard(12345), standard.discard(12345);
  CHECK(ours() == standard());
}
void default_random_engine() {
  vector rolls(6000);
  thrust::tabulate(rolls.begin(), rolls.end(), dice{7});
  for (int side = 1; side <= 6; ++side) {
    const auto times = thrust::count(rolls.begin(), rolls.end(), side);
    CHECK(times > 850);
    CHECK(times < 1150);
  }
  CHECK(rolls[77] == dice{7}(77));
}
void uniform_int_distribution() {
  thrust::default_random_engine random;
  thrust::uniform_int_distribution<long long> wide(-5, 1ll << 60);
  for (int k = 0; k < 100; ++k) {
    const long long number = wide(random);
    CHECK(number >= -5);
    CHECK(number <= 1ll << 60);
  }
  CHECK(thrust::uniform_int_distribution<int>().most == 2147483647);
}
void uniform_real_distribution() {
  const auto numbers = thrust::make_transform_iterator(thrust::make_counting_iterator(0), uniform());
  const double mean = thrust::reduce(numbers, numbers + 10000, 0.0) / 10000;
  CHECK(mean > 2.45);
  CHECK(mean < 2.55);
  CHECK(thrust::all_of(numbers, numbers + 10000, [](auto v) { return v >= 2 && v < 3; }));
}
void normal_distribution() {
  const auto numbers = thrust::make_transform_iterator(thrust::make_counting_iterator(0), normal());
  const double mean = thrust::reduce(numbers, numbers + 10000, 0.0) / 10000;
  CHECK(mean > 9.9);
  CHECK(mean < 10.1);
  const double variance =
      thrust::transform_reduce(numbers, numbers + 10000, (_1 - 10) * (_1 - 10), 0.0, thrust::plus<double>()) / 10000;
  CHECK(variance > 3.7);
  CHECK(variance < 4.3);
}

}  // namespace names
