#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "tests/nd/support.h"

using namespace tessera::support;
using ts::extents;
using ts::scalar_kind;

TEST_CASE("arrays without defined elements are written part by part") {
  for_each_setting([] {
    for (const extents& shape : {extents{4, 6}, extents{40, 600}, extents{2, 3, 4, 600}}) {
      const nd::array a = nd::empty<float>(shape, {.split = 1}), b = nd::empty_like(a);
      CHECK(b.shape() == shape);
      CHECK(b.type() == scalar_kind::float32);
      CHECK(b.split() == a.split());
      for (const nd::array& each : {a, b}) {
        each(nd::_(0, 1)) = 1;
        each(nd::_(1, nd::end)) = 2;
        const std::int64_t first = a.size() / shape[0];
        CHECK(each.sum().item<double>() == static_cast<double>(first + 2 * (a.size() - first)));
      }
    }
    CHECK(nd::empty<int>({}).size() == 1);
    CHECK(nd::empty({0, 5}, scalar_kind::int8).read<std::int8_t>().empty());
  });
}

TEST_CASE("a split is kept, however few elements there are") {
  for_each_setting([] {
    const std::vector<int> elements{1, 2, 3, 4, 5, 6};
    const std::vector<nd::array> all{
        nd::zeros<double>({3, 2}, {.split = 1}), nd::empty<int>({3, 2}, {.split = 1}), nd::arange(6, {.split = 0}),
        nd::from_bytes({3, 2}, scalar_kind::int32, std::as_bytes(std::span(elements)), {.split = 1})};
    for (const nd::array& each : all) {
      CHECK(each.split().kind() == nd::layout::form::axes);
      CHECK(!each.is_host());
    }
    CHECK(all[3].read<int>() == elements);
    CHECK(nd::full({3}, 2, scalar_kind::int32, {.split = nd::layout::replicated()}).sum().item<int>() == 6);
  });
}

TEST_CASE("evenly spaced numbers have the type that is asked for") {
  for_each_setting([] {
    for (const std::int64_t n : {0, 1, 7, 5000}) {
      const std::vector<double> real = nd::linspace(-3, 8, n).read<double>();
      std::vector<float> single(real.size());
      std::vector<int> whole(real.size());
      for (std::size_t k = 0; k < real.size(); ++k) {
        single[k] = static_cast<float>(real[k]);
        whole[k] = static_cast<int>(std::floor(real[k]));
      }
      CHECK(nd::linspace<float>(-3, 8, n).read<float>() == single);
      CHECK(nd::linspace<int>(-3, 8, n).read<int>() == whole);
      CHECK(nd::linspace(-3, 8, n, true, scalar_kind::int32).read<int>() == whole);
    }
    CHECK(nd::linspace<int>(0, 10, 4, false).read<int>() == std::vector<int>{0, 2, 5, 7});
  });
}

TEST_CASE("one bound is enough to clip") {
  for_each_setting([] {
    for (const std::int64_t n : {5, 5000}) {
      std::vector<float> x(static_cast<std::size_t>(n)), below = x, above = x;
      for (std::size_t k = 0; k < x.size(); ++k) {
        x[k] = static_cast<float>(k % 11) - 5;
        below[k] = std::min(x[k], 2.f);
        above[k] = std::max(x[k], -1.5f);
      }
      const nd::array a = nd::from(x);
      CHECK(nd::clip(a, std::nullopt, 2).read<float>() == below);
      CHECK(nd::clip(a, -1.5, std::nullopt).read<float>() == above);
      CHECK(nd::clip(a, nd::full({1}, -1.5f), std::nullopt).read<float>() == above);
      CHECK(nd::clip(a, -1.5, 2).read<float>() == nd::minimum(nd::from(above), 2).read<float>());
    }
    const nd::array bytes = nd::full({3}, 200, scalar_kind::uint8);
    CHECK(nd::clip(bytes, -5, std::nullopt).read<std::uint8_t>() == std::vector<std::uint8_t>(3, 200));
    CHECK(nd::clip(bytes, std::nullopt, 300).read<std::uint8_t>() == std::vector<std::uint8_t>(3, 200));
    CHECK(nd::clip(bytes, std::nullopt, -1 + 100).read<std::uint8_t>() == std::vector<std::uint8_t>(3, 99));
  });
}
