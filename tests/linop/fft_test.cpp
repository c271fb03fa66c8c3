#include <numbers>

#include "tests/linop/support.h"

using namespace tessera::support;
using ts::scalar_kind;

namespace {

cd wave(std::int64_t j, std::int64_t k, std::int64_t n) {
  return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
}

/// Frequency (p, q) of an array [batch, m, n], whose places and frequencies begin at `from`.
cd frequency(const plain& x, std::int64_t b, std::int64_t p, std::int64_t q, bool centered) {
  const std::int64_t m = x.shape[1], n = x.shape[2], a = centered ? m / 2 : 0, c = centered ? n / 2 : 0;
  cd sum = 0;
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      sum += x.at({b, i, j}) * wave((i - a + m) % m, (p - a + m) % m, m) * wave((j - c + n) % n, (q - c + n) % n, n);
  return sum;
}

}  // namespace

TEST_CASE("Fourier transforms along the named axes, with the middle at the beginning or in the middle") {
  for_each_context([](const ts::context& ctx) {
    for (const bool centered : {false, true})
      for (const ts::extents& shape : {ts::extents{2, 4, 6}, ts::extents{2, 5, 7}, ts::extents{1, 1, 3}}) {
        const plain x = random_plain(shape, scalar_kind::complex64);
        const double root = std::sqrt(static_cast<double>(shape[1] * shape[2]));
        check_operator(
            ctx, lin::fft("Nx Ny -> Kx Ky", {.centered = centered}), x,
            [&](const index_list& i) { return frequency(x, i[0], i[1], i[2], centered) / root; }, shape);
        check_operator(
            ctx, lin::fft("Nx Ny -> Kx Ky", {.centered = centered, .norm = lin::fft_norm::none}), x,
            [&](const index_list& i) { return frequency(x, i[0], i[1], i[2], centered); }, shape);
      }
  });
}

TEST_CASE("a transform that is divided by the root of its elements is unitary, and vanishes from normal forms") {
  ts::context ctx(quiet("cpu"));
  const lin::op f = lin::fft("Nx -> Kx"), d = lin::diagonal(ctx.ones<float>({8}), "Nx");
  CHECK(f.N().text() == "identity(Nx)");
  CHECK((f * d).N().text() == "squared(Nx)");
  CHECK(lin::to_string(lin::fft("Nx", {.norm = lin::fft_norm::none}).N().oshape()) == "Nx1");
}

TEST_CASE("transforms of real numbers give half of the frequencies, and their adjoint gives real numbers") {
  for_each_context([](const ts::context& ctx) {
    for (const ts::extents& shape :
         {ts::extents{2, 4, 6}, ts::extents{2, 5, 7}, ts::extents{1, 3, 1}, ts::extents{1, 3, 2}}) {
      const plain x = random_plain(shape, scalar_kind::float32);
      const lin::op f = lin::rfft("Nx Ny -> Kx Ky", {.sizes = {{"Ny", shape[2]}}});
      const ts::array_base y = f(array_of(ctx, x, scalar_kind::float32));
      CHECK(y.type().kind == scalar_kind::complex64);
      const double root = std::sqrt(static_cast<double>(shape[1] * shape[2]));
      const plain expected = plain_of({shape[0], shape[1], shape[2] / 2 + 1}, [&](const index_list& i) {
        return frequency(x, i[0], i[1], i[2], false) / root;
      });
      CHECK(y.shape() == expected.shape);
      CHECK(distance(lin::values_of(y), expected.values) < 2e-6);
      for (const scalar_kind kind : {scalar_kind::float32, scalar_kind::float64}) {
        const lin::check_report report =
            lin::check(f, {.sizes = {{"Nx", shape[1]}}, .batch = {shape[0]}, .kind = kind}, ctx);
        CAPTURE(report.text());
        CHECK(report.passed());
      }
    }
  });
}

TEST_CASE("transforms that cannot be are refused") {
  ts::context ctx(quiet("cpu"));
  CHECK(has(message_of([] { return lin::fft("Nx Ny -> K"); }), "names 2 inputs and 1 outputs"));
  CHECK(has(message_of([&] { return lin::rfft("Nx -> K")(ctx.ones<cf>({4})); }), "takes real numbers"));
  CHECK(has(message_of([] { return lin::rfft("Nx -> K", {.centered = true}); }), "cannot be centred"));
}
