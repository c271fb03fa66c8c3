// Transforms of arrays against sums in long double.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/array/on_ranks.h"
#include "tests/nd/plain_array.h"
#include "tests/numeric/fft/reference.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;
namespace ft = nd::fft;

namespace {

using number = std::complex<double>;

template <class Body>
void for_each_large_setting(Body body) {
  for_each_setting(body, 16 << 20);
}

template <class T>
plain_array<T> random_array(const extents& shape, unsigned seed = 1) {
  return {shape, noise<T>(nd::element_count(shape), seed)};
}

/// The transform of the first `n` elements along an axis, with zeros where there are fewer.
plain_array<number> transformed(const plain_array<number>& a, std::int64_t n, int axis, bool backward, double scale) {
  extents shape = a.shape;
  shape[axis] = n;
  plain_array<number> made{shape, std::vector<number>(ts::index(nd::element_count(shape)))};
  extents lines = shape;
  lines[axis] = 1;
  for_each_place(lines, [&](extents place) {
    std::vector<number> line(ts::index(n));
    for (place[axis] = 0; place[axis] < std::min(n, a.shape[axis]); ++place[axis])
      line[ts::index(place[axis])] = a.at(place);
    const auto found = plain_transform(line, backward);
    for (place[axis] = 0; place[axis] < n; ++place[axis])
      made.at(place) = number(found[ts::index(place[axis])]) * scale;
  });
  return made;
}

template <class T>
plain_array<number> as_numbers(const plain_array<T>& a) {
  return {a.shape, {a.elements.begin(), a.elements.end()}};
}

/// The first `count` elements along an axis.
plain_array<number> first_along(const plain_array<number>& a, int axis, std::int64_t count) {
  extents shape = a.shape;
  shape[axis] = count;
  return plain<number>(shape, [&](const extents& p) { return a.at(p); });
}

template <class T>
bool near(const nd::array& a, const plain_array<number>& wanted, double tolerance = 1e-14) {
  if (a.type() != ts::dtype_of<T>().kind || a.shape() != wanted.shape) return false;
  return relative_error(a.read<T>(), wanted.elements) <= tolerance;
}

}  // namespace

TEST_CASE("lines along any axis, cut or with zeros behind, in all norms") {
  for_each_large_setting([] {
    const plain_array<number> x = random_array<number>({4, 45, 6});
    const nd::array a = from_plain(x);
    for (int axis = -3; axis < 3; ++axis)
      for (const std::int64_t n : {1, 4, 6, 7, 60})
        for (const auto by : {ft::norm::backward, ft::norm::ortho, ft::norm::forward}) {
          CAPTURE(axis);
          CAPTURE(n);
          const auto size = static_cast<double>(n);
          const double both = 1 / std::sqrt(size);
          const double there = by == ft::norm::ortho ? both : by == ft::norm::forward ? 1 / size : 1;
          const double back = by == ft::norm::ortho ? both : by == ft::norm::backward ? 1 / size : 1;
          const int along = (axis + 3) % 3;
          CHECK(near<number>(ft::fft(a, n, axis, by), transformed(x, n, along, false, there)));
          CHECK(near<number>(ft::ifft(a, n, axis, by), transformed(x, n, along, true, back)));
        }
    CHECK(near<number>(ft::fft(a), transformed(x, 6, 2, false, 1)));
    CHECK(near<number>(ft::ifft(ft::fft(a, {}, 1), {}, 1), x));
  });
}

TEST_CASE("real lines and their halves") {
  for_each_large_setting([] {
    const plain_array<double> x = random_array<double>({5, 37, 8});
    const nd::array a = from_plain(x);
    for (const int axis : {0, 1, 2})
      for (const std::int64_t n : {1, 2, 5, 8, 37, 50}) {
        CAPTURE(axis);
        CAPTURE(n);
        const plain_array<number> whole = transformed(as_numbers(x), n, axis, false, 1);
        const nd::array half = ft::rfft(a, n, axis);
        CHECK(near<number>(half, first_along(whole, axis, n / 2 + 1)));
        const plain_array<number> again = transformed(whole, n, axis, true, 1 / static_cast<double>(n));
        CHECK(near<double>(ft::irfft(half, n, axis), again));
        CHECK(near<double>(ft::hfft(nd::conj(half), n, axis, ft::norm::forward), again));
        CHECK(near<number>(nd::conj(ft::ihfft(a, n, axis, ft::norm::forward)), first_along(whole, axis, n / 2 + 1)));
      }
    CHECK(ft::irfft(ft::rfft(a)).shape() == extents{5, 37, 8});
    CHECK(ft::hfft(ft::ihfft(a)).shape() == extents{5, 37, 8});
    CHECK(near<double>(ft::hfft(ft::ihfft(a)), as_numbers(x)));
  });
}

TEST_CASE("transforms along several axes are transforms along each") {
  for_each_large_setting([] {
    const plain_array<number> x = random_array<number>({3, 10, 12});
    const nd::array a = from_plain(x);
    plain_array<number> all = x;
    for (const int axis : {0, 1, 2}) all = transformed(all, all.shape[axis], axis, false, 1);
    CHECK(near<number>(ft::fftn(a), all));
    CHECK(near<number>(ft::ifftn(ft::fftn(a)), x));
    const plain_array<number> two = transformed(transformed(x, 16, 2, false, 1), 7, 1, false, 1);
    CHECK(near<number>(ft::fftn(a, {{7, 16}}), two));
    CHECK(near<number>(ft::fftn(a, {{16, 7}}, {-1, 1}), two));
    CHECK(near<number>(ft::fftn(a, {{7, -1}}, {1, 2}), transformed(transformed(x, 12, 2, false, 1), 7, 1, false, 1)));
    CHECK(near<number>(ft::ifftn(a, {}, 0), transformed(x, 3, 0, true, 1.0 / 3)));

    const plain_array<double> r = random_array<double>({6, 9, 11});
    plain_array<number> spectrum = first_along(transformed(as_numbers(r), 11, 2, false, 1), 2, 6);
    for (const int axis : {0, 1}) spectrum = transformed(spectrum, spectrum.shape[axis], axis, false, 1);
    const nd::array half = ft::rfftn(from_plain(r));
    CHECK(near<number>(half, spectrum));
    CHECK(near<double>(ft::irfftn(half, {{6, 9, 11}}), as_numbers(r)));
    CHECK(ft::irfftn(half).shape() == extents{6, 9, 10});
    CHECK(ft::rfftn(from_plain(r), {{4}}, 0).shape() == extents{3, 9, 11});
  });
}

TEST_CASE("types of transforms") {
  for_each_large_setting([] {
    CHECK(ft::fft(nd::ones<float>({4})).type() == scalar_kind::complex64);
    CHECK(ft::fft(nd::ones<int>({4})).type() == scalar_kind::complex128);
    CHECK(ft::fft(nd::full({4}, 1, scalar_kind::float16)).type() == scalar_kind::complex64);
    CHECK(ft::rfft(nd::ones<bool>({4})).type() == scalar_kind::complex128);
    CHECK(ft::irfft(nd::ones<std::complex<float>>({4})).type() == scalar_kind::float32);
    CHECK(ft::hfft(nd::ones<double>({4})).type() == scalar_kind::float64);
    const plain_array<float> x = random_array<float>({3, 1000});
    CHECK(near<std::complex<float>>(ft::fft(from_plain(x)), transformed(as_numbers(x), 1000, 1, false, 1), 1e-6));
  });
}

TEST_CASE("arrays without elements are transformed, lines without elements are not") {
  for_each_large_setting([] {
    CHECK(ft::fft(nd::ones<float>({0, 4})).shape() == extents{0, 4});
    CHECK(ft::rfft(nd::ones<float>({0, 4})).shape() == extents{0, 3});
    CHECK(ft::irfft(nd::ones<float>({0, 4})).shape() == extents{0, 6});
    CHECK(ft::fft(nd::ones<float>({3, 0}), 2).read<std::complex<float>>() == std::vector<std::complex<float>>(6));
    CHECK(ft::fftn(nd::ones<float>({2, 0}), {}, 0).shape() == extents{2, 0});
    const auto refused = [](auto call) { return message_of(call).find("fft_test.cpp:") != std::string::npos; };
    CHECK(refused([] { static_cast<void>(ft::fft(nd::ones<float>({2, 0}))); }));
    CHECK(refused([] { static_cast<void>(ft::fft(nd::ones<float>({2}), -1)); }));
    CHECK(refused([] { static_cast<void>(ft::fft(nd::ones<float>({2}), {}, 1)); }));
    CHECK(refused([] { static_cast<void>(ft::fft(nd::ones<float>({}))); }));
    CHECK(refused([] { static_cast<void>(ft::irfft(nd::ones<float>({1}))); }));
    CHECK(refused([] { static_cast<void>(ft::rfft(nd::ones<std::complex<float>>({4}))); }));
    CHECK(refused([] { static_cast<void>(ft::fftn(nd::ones<float>({4, 4}), {{2}}, {0, 1})); }));
    CHECK(refused([] { static_cast<void>(ft::fftn(nd::ones<float>({4}), {{2, 2}})); }));
    CHECK(refused([] { static_cast<void>(ft::fftn(nd::ones<float>({4, 4}), {}, {0, 0})); }));
  });
}

TEST_CASE("frequencies, and frequency 0 in the middle") {
  for_each_large_setting([] {
    CHECK(ft::fftfreq(5, 0.2).read<double>() == std::vector<double>{0, 1, 2, -2, -1});
    CHECK(ft::fftfreq(4).read<double>() == std::vector<double>{0, 0.25, -0.5, -0.25});
    CHECK(ft::rfftfreq(5, 0.2).read<double>() == std::vector<double>{0, 1, 2});
    CHECK(ft::rfftfreq(4, 0.25, scalar_kind::float32).read<float>() == std::vector<float>{0, 1, 2});
    CHECK(ft::fftshift(ft::fftfreq(5, 0.2)).read<double>() == std::vector<double>{-2, -1, 0, 1, 2});
    const nd::array a = nd::arange(12).reshape({3, 4});
    CHECK(ft::ifftshift(ft::fftshift(a)).read<std::int64_t>() == a.read<std::int64_t>());
    CHECK(ft::fftshift(a, 1)(0).read<std::int64_t>() == std::vector<std::int64_t>{2, 3, 0, 1});
    CHECK(ft::ifftshift(a, 0)(nd::all, 0).read<std::int64_t>() == std::vector<std::int64_t>{4, 8, 0});
  });
}

TEST_CASE("transforms have the same bits on any devices and ranks") {
  const plain_array<std::complex<float>> x = random_array<std::complex<float>>({24, 90, 10});
  const auto result_on = [&](const ts::context& ctx) {
    const nd::array a = from_plain(x, {.ctx = ctx});
    return (ft::fftn(a) + ft::irfft(a, 10, 2)).read<std::complex<float>>();
  };
  std::vector<std::complex<float>> first;
  for (const auto& setting : nd_settings) {
    const auto found = result_on(make_context(setting, 16 << 20));
    if (first.empty()) first = found;
    CHECK(std::memcmp(found.data(), first.data(), first.size() * sizeof(first[0])) == 0);
  }
  const auto settings = [](int rank) {
    ts::options chosen = quiet_with(rank == 0 ? "cpu*2" : "cpu", 16 << 20);
    chosen.small = 0;
    return chosen;
  };
  for (const std::string& e : errors_on_ranks(3, settings, [&](ts::context& ctx) {
         require(std::memcmp(result_on(ctx).data(), first.data(), first.size() * sizeof(first[0])) == 0, "other bits");
       }))
    FAIL_CHECK(e);
}
