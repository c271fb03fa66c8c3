#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "tests/nd/support.h"

using namespace tessera::support;
using ts::extents;

namespace {

std::vector<double> numbers(std::size_t n, double scale = 0.25) {
  std::vector<double> values(n);
  for (std::size_t k = 0; k < n; ++k) values[k] = static_cast<double>((k * 7919) % 1013) * scale - 100;
  return values;
}

nd::array made(const extents& shape, double scale = 0.25) {
  const auto n = static_cast<std::size_t>(nd::element_count(shape));
  return nd::from<double>(shape, numbers(n, scale));
}

}  // namespace

TEST_CASE("operations on elements give what loops give") {
  for_each_setting([] {
    for (const std::size_t n : {0, 1, 5, 1000, 5003}) {
      const std::vector<double> x = numbers(n), y = numbers(n, 0.5);
      const nd::array a = nd::from(x), b = nd::from(y);
      const nd::array c = nd::sqrt(nd::abs(a * 2 - b)) / (1 + b * b) + nd::maximum(a, 3.5);
      std::vector<double> expected(n);
      for (std::size_t k = 0; k < n; ++k)
        expected[k] = std::sqrt(std::abs(x[k] * 2 - y[k])) / (1 + y[k] * y[k]) + std::max(x[k], 3.5);
      CHECK(c.read<double>() == expected);
      CHECK((a < b).read<bool>().size() == n);
    }
  });
}

TEST_CASE("a chain of operations is one launch that reads each array once") {
  ts::context ctx(quiet("cpu"));
  ts::set_default_context(ctx);
  const std::int64_t n = 100000;
  const nd::array S = nd::full<float>({n}, 100.0f), X = nd::full<float>({n}, 98.0f) + 0.5f,
                  T = nd::full<float>({n}, 2.0f);
  nd::eval({S, X, T});
  const float R = 0.02f, V = 0.3f;
  const nd::graph_stats before = nd::stats(S);
  auto h = V * nd::sqrt(T), d1 = (nd::log(S / X) + (R + 0.5f * V * V) * T) / h, e = X * nd::exp(-R * T);
  auto p = nd::normal_cdf(d1), q = nd::normal_cdf(d1 - h);
  const nd::array call = S * p - e * q, put = e * (1 - q) - S * (1 - p);
  nd::eval({call, put});
  const nd::graph_stats after = nd::stats(S);
  CHECK(after.launches - before.launches == 1);
  CHECK(after.declared_bytes - before.declared_bytes == 20 * n);
  const float value = call(17).item<float>();
  CHECK(value == doctest::Approx(19.67).epsilon(0.05));
  CHECK(put(5).item<float>() > 0);
}

TEST_CASE("views share elements: slices, transposes, flips, new axes") {
  for_each_setting([] {
    const nd::array a = made({6, 7});
    const std::vector<double> x = a.read<double>();
    const auto at = [&](std::size_t i, std::size_t j) { return x[i * 7 + j]; };
    const std::vector<double> turned = (a.transpose() + 0).read<double>();
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 7; ++j) CHECK(turned[j * 6 + i] == at(i, j));
    const std::vector<double> part = (a(nd::_(1, 5, 2), nd::_(-1, 1, -3)) * 2).read<double>();
    CHECK(part == std::vector<double>{2 * at(1, 6), 2 * at(1, 3), 2 * at(3, 6), 2 * at(3, 3)});
    const std::vector<double> sums = (a(nd::all, 2)(nd::all, nd::new_axis) + a(3)).read<double>();
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 7; ++j) CHECK(sums[i * 7 + j] == at(i, 2) + at(3, j));
    CHECK(a.reshape({2, 3, -1})(1, 0, 4).item<double>() == at(3, 4));
    CHECK((a.transpose().reshape({42}) - 1).read<double>()[8] == at(2, 1) - 1);
  });
}

TEST_CASE("writing a view writes the array, and expressions made before keep what they saw") {
  for_each_setting([] {
    nd::array a = made({8, 9});
    std::vector<double> x = a.read<double>();
    const nd::array before = a + 1;
    a(2) = 5;
    a(nd::all, nd::_(1, nd::end, 3)) = -1;
    a(nd::_(4, 6), nd::_(2, 4)) += 10;
    a(nd::_(nd::end, nd::end, -1))(0) = a(1);
    const nd::array view = a(nd::_(0, 2));
    view *= 2;
    std::vector<double> old = x;
    for (std::size_t j = 0; j < 9; ++j) x[2 * 9 + j] = 5;
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 1; j < 9; j += 3) x[i * 9 + j] = -1;
    for (std::size_t i = 4; i < 6; ++i)
      for (std::size_t j = 2; j < 4; ++j) x[i * 9 + j] += 10;
    for (std::size_t j = 0; j < 9; ++j) x[7 * 9 + j] = x[9 + j];
    for (std::size_t k = 0; k < 18; ++k) x[k] *= 2;
    for (double& each : old) each += 1;
    CHECK(a.read<double>() == x);
    CHECK(before.read<double>() == old);
  });
}

TEST_CASE("a step of Jacobi's method is one launch beside the array") {
  for_each_setting([] {
    const std::int64_t n = 20;
    auto u = nd::zeros<float>({n, n}, {.split = {0, 1}});
    u(0, nd::all) = 1;
    auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
    std::vector<float> x(n * n, 0.0f);
    std::fill_n(x.begin(), n, 1.0f);
    for (int k = 0; k < 30; ++k) u(in, in) = 0.25f * (u(up, in) + u(dn, in) + u(in, up) + u(in, dn));
    for (int k = 0; k < 30; ++k) {
      std::vector<float> next = x;
      for (std::int64_t i = 1; i + 1 < n; ++i)
        for (std::int64_t j = 1; j + 1 < n; ++j) {
          const auto at = [&](std::int64_t r, std::int64_t c) { return x[static_cast<std::size_t>(r * n + c)]; };
          next[static_cast<std::size_t>(i * n + j)] =
              0.25f * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1));
        }
      x = next;
    }
    CHECK(u.read<float>() == x);
  });
}

TEST_CASE("in place operations reuse the array's memory and keep its type") {
  for_each_setting([] {
    nd::array a = made({3000});
    const std::vector<double> x = a.read<double>();
    for (int k = 0; k < 5; ++k) a += 1;
    nd::array b = nd::as_type(a, ts::scalar_kind::float32);
    b *= 0.5;
    CHECK(b.type() == ts::scalar_kind::float32);
    CHECK(b(7).item<float>() == static_cast<float>(x[7] + 5) * 0.5f);
    CHECK(a(2999).item<double>() == x[2999] + 5);
    nd::array whole = nd::as_type(a, ts::scalar_kind::int32);
    CHECK(message_of([&] { whole += 0.5; }).find("float64 for an array of int32") != std::string::npos);
  });
}

TEST_CASE("numbers take the type of the array beside them") {
  for_each_setting([] {
    const nd::array a = nd::from<float>(std::vector<float>{1, 2, 3});
    CHECK((a + 1).type() == ts::scalar_kind::float32);
    CHECK((a * 2.5).type() == ts::scalar_kind::float32);
    const nd::array k = nd::arange(10);
    CHECK((k + 1).type() == ts::scalar_kind::int64);
    CHECK((k / 2).type() == ts::scalar_kind::float64);
    CHECK((k * 0.5).read<double>()[3] == 1.5);
    CHECK(nd::arange(3, 20, 4).read<std::int64_t>() == std::vector<std::int64_t>{3, 7, 11, 15, 19});
    CHECK(nd::eye<int>(3, 4, 1).read<int>() == std::vector<int>{0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    CHECK(nd::linspace(0, 1, 5).read<double>() == std::vector<double>{0, 0.25, 0.5, 0.75, 1});
  });
}

TEST_CASE("an array without axes is written in place") {
  for_each_setting([] {
    const nd::array a = nd::full<double>({}, 2.5), big = nd::zeros<double>({5000});
    a += 1;
    a *= a;
    big += a;
    a(nd::new_axis) -= 1;
    a.assign(a * 2 + big(7));
    CHECK(a.item<double>() == 34.75);
    CHECK(big(4999).item<double>() == 12.25);
  });
}
