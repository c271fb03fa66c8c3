#include "tests/linop/support.h"

using namespace tessera::support;
using lin::boundary;
using ts::scalar_kind;

namespace {

/// Element i of an axis of n elements beyond its ends.
std::int64_t place(std::int64_t i, std::int64_t n, boundary edge) {
  if (edge == boundary::circular) return (i % n + n) % n;
  if (edge == boundary::reflect) return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
  return i >= 0 && i < n ? i : -1;
}

cd element(const plain& x, std::int64_t b, std::int64_t i, std::int64_t j, boundary edge) {
  return x.at({b, place(i, x.shape[1], edge), place(j, x.shape[2], edge)});
}

constexpr boundary edges[] = {boundary::zero, boundary::circular, boundary::reflect};

}  // namespace

TEST_CASE("convolutions and correlations, with each kind of edge") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 6, 7}, scalar_kind::complex64);
    for (const boundary edge : edges)
      for (const ts::extents& widths : {ts::extents{3, 4}, ts::extents{1, 5}, ts::extents{2, 1}})
        for (const bool correlates : {false, true}) {
          const plain k = random_plain(widths, scalar_kind::complex64, 4);
          CAPTURE(static_cast<int>(edge));
          const std::int64_t sign = correlates ? 1 : -1;
          check_operator(
              ctx,
              lin::convolution(array_of(ctx, k, scalar_kind::complex64), "M N",
                               {.edge = edge, .correlates = correlates}),
              x,
              [&](const index_list& i) {
                cd sum = 0;
                for (std::int64_t p = 0; p < widths[0]; ++p)
                  for (std::int64_t q = 0; q < widths[1]; ++q)
                    sum += k.at({p, q}) *
                           element(x, i[0], i[1] + sign * (p - widths[0] / 2), i[2] + sign * (q - widths[1] / 2), edge);
                return sum;
              },
              x.shape);
        }
  });
}

TEST_CASE("a kernel wider than the array reaches around it more than once") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({1, 2, 3}, scalar_kind::complex64), k = random_plain({1, 11}, scalar_kind::float32, 4);
    check_operator(
        ctx, lin::convolution(array_of(ctx, k, scalar_kind::float32), "M N", {.edge = boundary::circular}), x,
        [&](const index_list& i) {
          cd sum = 0;
          for (std::int64_t q = 0; q < 11; ++q)
            sum += k.at({0, q}) * element(x, i[0], i[1], i[2] + 5 - q, boundary::circular);
          return sum;
        },
        x.shape);
    CHECK(has(message_of([&] {
                return lin::convolution(array_of(ctx, k, scalar_kind::float32), "M N",
                                        {.edge = boundary::reflect})(array_of(ctx, x, scalar_kind::complex64));
              }),
              "mirrors 5 elements of N, which has 3"));
  });
}

TEST_CASE("first and second derivatives along any axis") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 5, 6}, scalar_kind::complex64);
    for (const boundary edge : edges) {
      const auto at = [&](const index_list& i, std::int64_t p, std::int64_t q) {
        return element(x, i[0], i[1] + p, i[2] + q, edge);
      };
      check_operator(
          ctx, lin::first_derivative("N", {.edge = edge, .spacing = 0.5}), x,
          [&](const index_list& i) { return at(i, 0, 1) - at(i, 0, -1); }, x.shape);
      check_operator(
          ctx, lin::first_derivative("M", {.kind = lin::difference::forward, .edge = edge, .within = "M N"}), x,
          [&](const index_list& i) { return at(i, 1, 0) - at(i, 0, 0); }, x.shape);
      check_operator(
          ctx, lin::first_derivative("M", {.kind = lin::difference::backward, .edge = edge, .within = "M N"}), x,
          [&](const index_list& i) { return at(i, 0, 0) - at(i, -1, 0); }, x.shape);
      check_operator(ctx, lin::second_derivative("M", {.edge = edge, .spacing = 0.5, .within = "M N"}), x,
                     [&](const index_list& i) { return 4.0 * (at(i, 1, 0) - 2.0 * at(i, 0, 0) + at(i, -1, 0)); },
                     x.shape, {.tolerance = 3e-5});
      check_operator(
          ctx, lin::laplacian("M N", {.edge = edge}), x,
          [&](const index_list& i) {
            return at(i, 1, 0) + at(i, -1, 0) + at(i, 0, 1) + at(i, 0, -1) - 4.0 * at(i, 0, 0);
          },
          x.shape);
      check_operator(ctx, lin::gradient("M N -> D M N", {.kind = lin::difference::forward, .edge = edge}), x,
                     [&](const index_list& i) {
                       const index_list j{i[0], i[2], i[3]};
                       return (i[1] == 0 ? at(j, 1, 0) : at(j, 0, 1)) - at(j, 0, 0);
                     },
                     {2, 2, 5, 6});
    }
    check_operator(
        ctx, lin::finite_difference("N"), x,
        [&](const index_list& i) {
          return x.at({i[0], i[1], (i[2] + 1) % 6}) - x.at(i);
        },
        x.shape);
  });
}

TEST_CASE("derivatives name their dimensions") {
  const lin::op l = lin::laplacian("M N"), g = lin::gradient("M N -> D M N");
  CHECK(lin::to_string(l.oshape()) == "M1 N1");
  CHECK(lin::to_string(g.oshape()) == "D M1 N1");
  CHECK(g.size("D") == 2);
  CHECK(lin::to_string(lin::first_derivative("M", {.within = "M N"}).oshape()) == "M1 N");
  CHECK(has(message_of([] { return lin::first_derivative("P", {.within = "M N"}); }), "there is no P"));
  CHECK(has(message_of([] { return lin::gradient("M N"); }), "name the axes, and one more in front of them"));
  CHECK(has(message_of([] { return lin::first_derivative("M", {.spacing = 0}); }), "is not positive"));
}

TEST_CASE("a stencil of several devices fetches halos alone") {
  setenv("TESSERA_SMALL", "0", 1);
  ts::context ctx(quiet_with("cpu*4", 4 << 20));
  const lin::op d = lin::second_derivative("M", {.edge = boundary::circular, .within = "M N"});
  const ts::array<float> x = ctx.ones<float>({64, 512});
  const lin::op scale = lin::diagonal(ctx.full<float>({64, 512}, 2), "M N");
  const ts::array<float> z(scale(x));  // each device has its rows
  static_cast<void>(d(z));             // taps are made
  ctx.wait();
  const ts::array<float> w(scale(x));
  ctx.wait();
  const ts::statistics before = ctx.stats();
  const ts::array<float> y(d(w));
  ctx.wait();
  const auto moved = ctx.stats().device_to_device_bytes - before.device_to_device_bytes;
  CHECK(moved >= 8 * 512 * 4);
  CHECK(moved <= 16 * 512 * 4);
}
