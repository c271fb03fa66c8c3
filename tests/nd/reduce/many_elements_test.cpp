// Operations on arrays whose places need more than 32 bits. Expected values come from formulas.
#include "tests/nd/support.h"

using namespace tessera::support;

namespace {

void check_operations(std::int64_t n) {
  constexpr std::int64_t cycle = 250;
  const nd::array x = nd::as_type(nd::arange(n) % cycle, ts::scalar_kind::uint8);
  const nd::array y = nd::as_type(x, ts::scalar_kind::int32) * 2 + 1;
  const std::int64_t rest = n % cycle;
  const std::int64_t sum = n / cycle * (cycle * (cycle - 1) / 2) + rest * (rest - 1) / 2;
  CHECK(nd::sum(y).item<std::int64_t>() == 2 * sum + n);
  for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 6, n - 1}) {
    CAPTURE(at);
    CHECK(y(at).item<std::int32_t>() == 2 * (at % cycle) + 1);
  }
  nd::array marked = nd::zeros<std::uint8_t>({n});
  marked(n - 3) = 7;
  CHECK(nd::argmax(marked).item<std::int64_t>() == n - 3);
  const nd::array kept = x(x == 249).elements();
  CHECK(kept.size() == n / cycle);
  CHECK(nd::sum(kept).item<std::int64_t>() == 249 * (n / cycle));
  const nd::array last = nd::flatnonzero(marked);
  CHECK(last.read<std::int64_t>() == std::vector<std::int64_t>{n - 3});
}

}  // namespace

TEST_CASE("sums, masks and places of arrays are what formulas say") {
  for_each_setting([] { check_operations(100'003); }, room_for_pieces);
}

// For GPUs: on CPUs it takes minutes.
TEST_CASE("arrays of more elements than 32 bits count" * doctest::skip()) {
  for (const char* devices : {"cpu", "cpu*2"}) {
    CAPTURE(devices);
    const ts::context ctx = make_context({devices, 256 << 10});
    ts::set_default_context(ctx);
    check_operations((std::int64_t{1} << 32) + 5);
  }
}
