#include <doctest/doctest.h>

#include <vector>

#include "tests/nd/support.h"

using namespace tessera::support;
using ts::extents;

TEST_CASE("running sums go along any axis, across chunks and rows") {
  for_each_setting(
      [] {
        for (const std::int64_t n : {1, 5, 4096, 4097, 30001}) {
          CAPTURE(n);
          const nd::array k = nd::arange(n);
          const std::vector<std::int64_t> sums = nd::cumulative_sum(k * 3 - 7).read<std::int64_t>();
          std::int64_t sum = 0;
          bool right = sums.size() == static_cast<std::size_t>(n);
          for (std::int64_t i = 0; i < n; ++i) right = right && sums[static_cast<std::size_t>(i)] == (sum += i * 3 - 7);
          CHECK(right);
        }
        const nd::array m = nd::arange(7 * 5000).reshape({7, 5000});
        const std::vector<std::int64_t> x = m.read<std::int64_t>();
        const std::vector<std::int64_t> rows = nd::cumulative_sum(m, 1).read<std::int64_t>();
        const std::vector<std::int64_t> columns = nd::cumulative_sum(m, 0).read<std::int64_t>();
        const std::vector<std::int64_t> turned = nd::cumulative_max(m.transpose() % 37, 0).read<std::int64_t>();
        bool right = true;
        for (std::size_t i = 0; i < 7; ++i) {
          std::int64_t sum = 0, most = 0;
          for (std::size_t j = 0; j < 5000; ++j) {
            sum += x[i * 5000 + j];
            most = std::max(most, x[i * 5000 + j] % 37);
            right = right && rows[i * 5000 + j] == sum && turned[j * 7 + i] == most;
            right = right && columns[i * 5000 + j] == x[i * 5000 + j] + (i > 0 ? columns[(i - 1) * 5000 + j] : 0);
          }
        }
        CHECK(right);
      },
      room_for_pieces);
}

TEST_CASE("running sums may begin with the identity, and sum small types in 64 bits") {
  for_each_setting([] {
    const nd::array a = nd::from<std::int8_t>(std::vector<std::int8_t>{100, 100, 100});
    CHECK(nd::cumulative_sum(a).read<std::int64_t>() == std::vector<std::int64_t>{100, 200, 300});
    CHECK(nd::cumulative_sum(a, 0, true).read<std::int64_t>() == std::vector<std::int64_t>{0, 100, 200, 300});
    CHECK(nd::cumulative_prod(nd::from<float>(std::vector<float>{2, 3, 4}), -1, true).read<float>() ==
          std::vector<float>{1, 2, 6, 24});
    CHECK(nd::cumulative_sum(nd::zeros<float>({0, 3}), 0).shape() == extents{0, 3});
    CHECK(message_of([&] { (void)nd::cumulative_sum(a, 1); }).find("axis 1") != std::string::npos);
  });
}

TEST_CASE("running sums of floats have the same bits on any devices") {
  std::vector<float> first;
  for (const char* devices : {"cpu", "cpu*2", "cpu*5"}) {
    ts::options chosen = quiet(devices);
    chosen.small = 0;
    const ts::context ctx(chosen);
    ts::set_default_context(ctx);
    const nd::array a = nd::sqrt(nd::as_type(nd::arange(50000), ts::scalar_kind::float32));
    const std::vector<float> sums = nd::cumulative_sum(a).read<float>();
    if (first.empty()) first = sums;
    CHECK(sums == first);
  }
}
