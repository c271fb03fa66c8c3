#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "tests/nd/support.h"

using namespace tessera::support;
using ts::extents;

TEST_CASE("elements are taken at places that an array tells") {
  for_each_setting(
      [] {
        for (const std::int64_t n : {7, 6000}) {
          const nd::array a = nd::arange(n) * 10;
          const nd::array places = (nd::arange(50) * 37) % n - 2;
          const std::vector<std::int64_t> taken = nd::take(a, places).read<std::int64_t>();
          for (std::int64_t k = 0; k < 50; ++k) {
            const std::int64_t place = (k * 37) % n - 2;
            CHECK(taken[static_cast<std::size_t>(k)] == 10 * (place < 0 ? place + n : place));
          }
        }
        const nd::array m = nd::arange(5 * 1200).reshape({5, 1200});
        const nd::array rows = nd::take(m, nd::from<int>({2, 2}, std::vector<int>{4, 0, -1, 2}), 0);
        CHECK(rows.shape() == extents{2, 2, 1200});
        CHECK(rows(1, 0, 7).item<std::int64_t>() == 4 * 1200 + 7);
        const nd::array columns = nd::take(m, nd::from<std::int64_t>({1199, 3}), 1);
        CHECK((columns + 1).read<std::int64_t>()[3] == 1200 + 3 + 1);
        const nd::array least = nd::take_along_axis(m, nd::argmax(m % 7, 1, true), 1);
        CHECK(least.shape() == extents{5, 1});
        CHECK(least(2, 0).item<std::int64_t>() == 2 * 1200);  // 2400 % 7 is 6
        CHECK(nd::take(m, nd::zeros<int>({0})).shape() == extents{0, 1200});
      },
      room_for_pieces);
}

TEST_CASE("a place beyond an axis is an error that names it") {
  for_each_setting([] {
    const nd::array a = nd::arange(6000);
    const nd::array places = nd::arange(5000) * 2 - 10;
    const std::string text = message_of([&] { (void)nd::take(a, places).read<std::int64_t>(); });
    CHECK(text.find("index 9988 is beyond axis 0, which has 6000 elements") != std::string::npos);
    CHECK(message_of([&] { (void)nd::take(a, nd::from<float>(std::vector<float>{1})); }).find("integers") !=
          std::string::npos);
  });
}

TEST_CASE("a mask chooses elements in their order") {
  for_each_setting(
      [] {
        for (const std::int64_t n : {1, 9, 4096, 30011}) {
          CAPTURE(n);
          const nd::array a = nd::arange(n) * 3;
          const nd::array chosen = nd::compress(a % 7 == 1, a * 2);
          std::vector<std::int64_t> expected;
          for (std::int64_t k = 0; k < n; ++k)
            if (3 * k % 7 == 1) expected.push_back(6 * k);
          CHECK(chosen.read<std::int64_t>() == expected);
          CHECK(nd::compress(a < 0, a).size() == 0);
          CHECK(nd::sum(nd::compress(a >= 0, a)).item<std::int64_t>() == 3 * n * (n - 1) / 2);
        }
        const nd::array m = nd::arange(60 * 70).reshape({60, 70});
        const nd::array part = m(nd::_(1, -1), nd::_(nd::end, nd::end, -2));
        const std::vector<std::int64_t> values = nd::compress(part % 1000 == 999, part).read<std::int64_t>();
        CHECK(values == std::vector<std::int64_t>{999, 1999, 2999, 3999});
        const std::vector<nd::array> places = nd::nonzero(m % 1111 == 5);
        CHECK(places[0].read<std::int64_t>() == std::vector<std::int64_t>{0, 15, 31, 47});
        CHECK(places[1].read<std::int64_t>() == std::vector<std::int64_t>{5, 66, 57, 48});
      },
      room_for_pieces);
}

TEST_CASE("elements are written where a mask is true") {
  for_each_setting([] {
    const nd::array a = nd::arange(5000);
    nd::put_mask(a, a % 2 == 0, -1);
    nd::put_mask(a, a > 4990, a * 10);
    const std::vector<std::int64_t> x = a.read<std::int64_t>();
    CHECK(x[6] == -1);
    CHECK(x[7] == 7);
    CHECK(x[4999] == 49990);
    CHECK(message_of([&] { nd::put_mask(a, a, 1); }).find("a mask") != std::string::npos);
  });
}

TEST_CASE("parentheses take masks and places") {
  for_each_setting([] {
    for (const std::int64_t n : {1, 9, 5000}) {
      std::vector<std::int64_t> x(static_cast<std::size_t>(n)), chosen, taken;
      for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<std::int64_t>(k * 37 % 101);
      const nd::array a = nd::from(x);
      for (const std::int64_t e : x)
        if (e > 50) chosen.push_back(e);
      CHECK(a(a > 50).read<std::int64_t>() == chosen);
      nd::array part = a(a > 50);
      part = a(a > 50);
      CHECK(part.read<std::int64_t>() == chosen);
      CHECK(nd::sum(a(a > 50) * 2).item<std::int64_t>() == 2 * std::accumulate(chosen.begin(), chosen.end(), 0));
      const nd::array places = nd::arange(n)(nd::_(nd::end, nd::end, -2));
      for (std::int64_t k = n - 1; k >= 0; k -= 2) taken.push_back(x[static_cast<std::size_t>(k)] + 1);
      CHECK((a(places) + 1).read<std::int64_t>() == taken);
      CHECK((1 + a(places)).read<std::int64_t>() == taken);
      CHECK(nd::square(a(nd::zeros<int>({2}))).read<std::int64_t>() == std::vector<std::int64_t>(2, x[0] * x[0]));

      a(a > 90) = -1;
      for (std::int64_t& e : x) e = e > 90 ? -1 : e;
      a(a % 2 == 0) += 1000;
      for (std::int64_t& e : x) e += e % 2 == 0 ? 1000 : 0;
      a(a > 1000) -= a;
      for (std::int64_t& e : x) e = e > 1000 ? 0 : e;
      a(a == 0) = nd::full({}, 7, ts::scalar_kind::int8);
      for (std::int64_t& e : x) e = e == 0 ? 7 : e;
      CHECK(a.read<std::int64_t>() == x);
    }
    const nd::array m = nd::arange(60 * 70).reshape({60, 70});
    const nd::array inside = m(nd::_(1, -1), nd::_(nd::end, nd::end, -2));
    inside(inside % 3 == 0) *= -1;
    const std::vector<std::int64_t> written = m.read<std::int64_t>();
    for (std::int64_t k = 0; k < 60 * 70; ++k) {
      const bool is_written = k >= 70 && k < 59 * 70 && k % 2 == 1 && k % 3 == 0;
      CHECK(written[static_cast<std::size_t>(k)] == (is_written ? -k : k));
    }
  });
}

TEST_CASE("an update under a mask is one launch") {
  const ts::context ctx = make_context({"cpu*3", 0});
  ts::set_default_context(ctx);
  const nd::array a = nd::arange(5000) * 1;
  nd::eval({a});
  const std::int64_t before = nd::stats().launches;
  a(a % 2 == 0) += 5;
  nd::eval({a});
  CHECK(nd::stats().launches == before + 1);
  CHECK(a(4).item<int>() == 9);
}
