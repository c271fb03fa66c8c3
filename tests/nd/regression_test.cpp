#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdlib>
#include <string>
#include <vector>

#include "tessera/base/index.h"
#include "tests/nd/support.h"

using namespace tessera::support;

// What the fuzzer of arrays has found.

TEST_CASE("zeros and ones exist for booleans") {
  for_each_setting([] {
    CHECK(nd::zeros<bool>({3}).read<bool>() == std::vector<bool>{false, false, false});
    const nd::array a = nd::ones<bool>({2});
    CHECK(a.read<bool>() == std::vector<bool>{true, true});
    CHECK(nd::imag(a).read<bool>() == nd::zeros_like(a).read<bool>());
  });
}

TEST_CASE("numbers that are chosen from have a common type") {
  for_each_setting([] {
    const nd::array a = nd::from(std::vector<int>{1, 0});
    CHECK(nd::where(a, 2.5, 3).read<double>() == std::vector<double>{2.5, 3});
    CHECK(nd::where(a, 3, 2.5).read<double>() == std::vector<double>{3, 2.5});
  });
}

TEST_CASE("an array without axes is changed in place") {
  for_each_setting([] {
    nd::array a = nd::full<int>({}, 3);
    nd::eval({a});
    for (int k = 0; k < 3; ++k) a += a;
    CHECK(a.item<int>() == 24);
  });
}

TEST_CASE("the greatest of no booleans is no boolean") {
  for_each_setting([] {
    const nd::array a = nd::zeros<bool>({0, 4});
    CHECK(nd::max(a, 1).read<bool>().empty());
    CHECK(nd::max(a, 1).type() == ts::scalar_kind::boolean);
  });
}

TEST_CASE("reductions and running sums of axes that do not follow each other in memory") {
  for_each_setting(
      [] {
        const std::int64_t n = 30, m = 50, k = 7;
        const nd::array a = nd::arange(n * m * k).reshape({n, m, k}) % 101;
        nd::eval({a});
        const std::array<int, 3> axes{1, 0, 2};
        const nd::array turned = a.seen_through(nd::permutation_map(a.shape(), axes));
        const std::vector<std::int64_t> x = a.read<std::int64_t>();
        const auto at = [&](std::int64_t i, std::int64_t j, std::int64_t l) {
          return x[ts::index((i * m + j) * k + l)];
        };
        std::vector<std::int64_t> sums(ts::index(n * m)), columns(ts::index(k)), running(x.size());
        for (std::int64_t j = 0; j < m; ++j)
          for (std::int64_t i = 0; i < n; ++i) {
            std::int64_t sum = 0;
            for (std::int64_t l = 0; l < k; ++l) {
              sum += at(i, j, l);
              sums[ts::index(j * n + i)] += at(i, j, l);
              columns[ts::index(l)] += at(i, j, l);
              running[ts::index((j * n + i) * k + l)] = sum;
            }
          }
        CHECK(nd::sum(turned, 2).read<std::int64_t>() == sums);
        CHECK(nd::sum(turned, {0, 1}).read<std::int64_t>() == columns);
        CHECK(nd::cumulative_sum(turned, 2).read<std::int64_t>() == running);
      },
      room_for_pieces);
}

TEST_CASE("the diagonal of an array that is cut along both axes is cut along one") {
  for_each_setting([] {
    const nd::array a = nd::indices({60, 70}, 0, {.split = {0, 1}});
    const nd::array diagonal = a.seen_through(nd::diagonal_map(a.shape(), 0, 0, 1));
    CHECK(nd::zeros_like(diagonal).shape() == ts::extents{60});
    CHECK(nd::cumulative_sum(diagonal, 0, true).read<std::int64_t>().back() == 59 * 60 / 2);
  });
}

TEST_CASE("a loop whose arrays are changed in place does the same work in every step") {
  const ts::context ctx = make_context({"cpu", 0});
  set_default_context(ctx);
  nd::array r = nd::full<double>({300}, 1.0), p = nd::full<double>({300}, 2.0);
  nd::array total = nd::sum(r * r);
  std::int64_t launches = 0, bytes = 0;
  for (int step = 0; step < 12; ++step) {
    const nd::graph_stats before = nd::stats();
    r -= 0.5 / total * p;
    total = nd::sum(r * r);
    p(nd::_(1, -1)) = r(nd::_(1, -1)) + p(nd::_(0, -2));
    nd::eval({p});
    const nd::graph_stats after = nd::stats();
    if (step > 2) {
      CHECK(after.launches - before.launches == launches);
      CHECK(after.declared_bytes - before.declared_bytes == bytes);
    }
    launches = after.launches - before.launches;
    bytes = after.declared_bytes - before.declared_bytes;
  }
}

TEST_CASE("running sums of no elements are an array of their own") {
  for_each_setting([] {
    const nd::array a = nd::zeros<int>({1, 10, 0});
    CHECK(nd::cumulative_max(a.reshape({1, 0}), 0).engine_array().shape() == ts::extents{1, 0});
  });
}

TEST_CASE("running sums across several axes read no elements that were never written") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    const ts::context ctx(quiet(devices, "uninitialised"));
    ts::set_default_context(ctx);
    const nd::array a = nd::arange(30 * 50 * 7).reshape({30, 50, 7});
    const std::vector<std::int64_t> sums = nd::cumulative_sum(a, 1).read<std::int64_t>();
    CHECK(sums[ts::index((3 * 50 + 2) * 7 + 4)] == 3 * (3 * 50 * 7 + 4) + 7 + 14);
  }
}

TEST_CASE("versions of one array that are carried out together do not share its memory") {
  for_each_setting([] {
    const nd::array whole = nd::from<int>({5000}, std::vector<int>(5000, -3));
    const nd::array a = nd::from<double>({5000}, std::vector<double>(5000, 7.0));
    a.assign(whole);
    a.assign(a * 2.5);
    a.assign(whole);
    const nd::array other = nd::zeros<double>({6000}) + 1;
    (void)other.engine_array();  // carries out everything recorded
    CHECK(a.read<double>() == std::vector<double>(5000, -3.0));
  });
}

TEST_CASE("numbers of a function that is evaluated lie where complex ones before them end") {
  const char* const compiler = std::getenv("TESSERA_CXX");
  const std::string before = compiler != nullptr ? compiler : "";
  setenv("TESSERA_CXX", "none", 1);
  for_each_setting(
      [] {
        using number = std::complex<double>;
        const std::vector<number> x{{7, -10.25}};
        const nd::array a = nd::from<number>({1}, x), b = nd::full<number>({5000}, number(1, 2));
        CHECK(nd::compress(nd::as_type(a, ts::scalar_kind::boolean), a).read<number>() == x);
        const nd::array chosen = nd::compress(nd::full<bool>({5000}, true), b);
        CHECK(chosen.size() == 5000);
        CHECK(chosen(4999).item<number>() == number(1, 2));
      },
      room_for_pieces);
  if (compiler != nullptr)
    setenv("TESSERA_CXX", before.c_str(), 1);
  else
    unsetenv("TESSERA_CXX");
}

TEST_CASE("an array is written with its own elements in another order") {
  for_each_setting([] {
    const nd::array a = nd::arange(8).reshape({2, 4});
    const nd::array turned = nd::flip(a, 1);
    turned.assign(a);
    CHECK(a.read<std::int64_t>() == std::vector<std::int64_t>{3, 2, 1, 0, 7, 6, 5, 4});
    a.transpose()(nd::_(0, 2)).assign(a.transpose()(nd::_(1, 3)));
    CHECK(a.read<std::int64_t>() == std::vector<std::int64_t>{2, 1, 1, 0, 6, 5, 5, 4});
  });
}
