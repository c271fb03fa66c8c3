#include "tests/linop/support.h"

using namespace tessera::support;
using ts::scalar_kind;

namespace {

lin::op expression(const ts::context& ctx) {
  const ts::array_base w = array_of(ctx, random_plain({6, 40}, scalar_kind::complex64, 2), scalar_kind::complex64),
                       v = array_of(ctx, random_plain({3, 6}, scalar_kind::complex64, 3), scalar_kind::complex64);
  const lin::op d = lin::dense(v, "K M, M N -> K N") * lin::diagonal(w, "M N");
  return d.N() + 0.5 * lin::identity() - lin::roll("M N", {2, 7}) * lin::flip("M N");
}

}  // namespace

TEST_CASE("operators give the same bits on any number of devices and ranks") {
  setenv("TESSERA_SMALL", "0", 1);
  const auto bits = [](const ts::context& ctx) {
    const ts::array_base x = array_of(ctx, random_plain({5, 6, 40}, scalar_kind::complex64), scalar_kind::complex64);
    const ts::array_base y = expression(ctx)(x);
    expression(ctx).apply(cd(2, 1), x, -1, y);
    return y.read_bytes();
  };
  const std::vector<std::byte> expected = bits(ts::context(quiet("cpu")));
  for (const char* devices : {"cpu*3", "cpu*7"}) CHECK(bits(ts::context(quiet(devices))) == expected);
  for (const int ranks : {2, 3})
    on_ranks(ranks, "cpu*2",
             [&](ts::context& ctx) { require(bits(ctx) == expected, "ranks give the bits of one device"); });
}

TEST_CASE("a launch of an operator is shared by all devices") {
  setenv("TESSERA_SMALL", "0", 1);
  ts::context ctx(quiet_with("cpu*4", 1 << 20));
  const lin::op d = lin::diagonal(ctx.ones<float>({64, 100}), "M N");
  const ts::array<float> x = ctx.ones<float>({64, 100});
  const ts::statistics before = ctx.stats();
  const ts::array<float> y(d(x));
  ctx.wait();
  CHECK(ctx.stats().superblocks - before.superblocks == 4);
}
