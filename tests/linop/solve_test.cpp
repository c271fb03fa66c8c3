#include <cmath>

#include "tests/linop/support.h"

using namespace tessera::support;
using lin::solve_status;
using ts::scalar_kind;

namespace {

/// W^H W + I, which is positive definite, on vectors of n elements.
lin::op definite(const ts::context& ctx, std::int64_t n, scalar_kind kind) {
  const lin::op w = lin::dense(array_of(ctx, random_plain({n + 3, n}, kind, 5), kind), "T K, K -> T");
  return w.N() + lin::identity();
}

double gap(const ts::array_base& a, const ts::array_base& b) { return distance(lin::values_of(a), lin::values_of(b)); }

}  // namespace

TEST_CASE("conjugate gradients solve definite systems, and say after how many iterations") {
  for_each_context(
      [](const ts::context& ctx) {
        for (const scalar_kind kind : {scalar_kind::float64, scalar_kind::complex128, scalar_kind::complex64}) {
          const lin::op a = definite(ctx, 12, kind);
          const ts::array_base expected = array_of(ctx, random_plain({12}, kind), kind), b = a(expected);
          const double tolerance = kind == scalar_kind::complex64 ? 1e-5 : 1e-10;
          const lin::solution found = lin::cg(a, b, {.tolerance = tolerance});
          CHECK(gap(found.x, expected) < 100 * tolerance);
          CHECK(found.status() == solve_status::converged);
          const lin::system_state state = found.systems().front();
          CHECK(state.iterations <= 20);
          CHECK(state.iterations >= 5);
          const lin::solution few = lin::cg(a, b, {.iterations = 3, .tolerance = tolerance});
          CHECK(few.status() == solve_status::limit);
          CHECK(few.systems().front().iterations == 3);
          // From where the few ended.
          CHECK(gap(lin::cg(a, b, {.tolerance = tolerance, .start = few.x}).x, expected) < 100 * tolerance);
        }
      },
      1 << 20);
}

TEST_CASE("systems of a batch stop one by one, and are as if each were alone") {
  for_each_context(
      [](const ts::context& ctx) {
        const lin::op a = definite(ctx, 8, scalar_kind::complex128);
        plain x = random_plain({3, 8}, scalar_kind::complex128);
        for (std::size_t k = 8; k < 16; ++k) x.values[k] = 0;  // is solved at once
        const ts::array_base b = a(array_of(ctx, x, scalar_kind::complex128));
        const lin::solution all = lin::cg(a, b, {.tolerance = 1e-9});
        const std::vector<lin::system_state> states = all.systems();
        REQUIRE(states.size() == 3);
        CHECK(states[1].iterations == 0);
        CHECK(states[0].iterations > 4);
        for (const std::int64_t k : {0, 2}) {
          const plain one{{8}, {x.values.begin() + 8 * k, x.values.begin() + 8 * (k + 1)}};
          const lin::solution alone = lin::cg(a, a(array_of(ctx, one, scalar_kind::complex128)), {.tolerance = 1e-9});
          CHECK(gap(alone.x, array_of(ctx, one, scalar_kind::complex128)) < 1e-7);
          CHECK(alone.systems().front().iterations == states[ts::index(k)].iterations);
        }
        CHECK(gap(all.x, array_of(ctx, x, scalar_kind::complex128)) < 1e-7);
      },
      1 << 20);
}

TEST_CASE("a preconditioner takes fewer iterations to the same solution") {
  for_each_context(
      [](const ts::context& ctx) {
        const plain d =
            plain_of({30}, [](const index_list& i) { return 1.0 + 100.0 * static_cast<double>(i[0] * i[0]); });
        const plain inverse = plain_of({30}, [&](const index_list& i) { return 1.0 / d.at(i); });
        const lin::op stencil = lin::second_derivative("N", {.sizes = {{"N", 30}}});
        const lin::op a = lin::diagonal(array_of(ctx, d, scalar_kind::float64), "N") - 0.2 * stencil;
        const lin::op m = lin::diagonal(array_of(ctx, inverse, scalar_kind::float64), "N");
        const ts::array_base expected = array_of(ctx, random_plain({30}, scalar_kind::float64), scalar_kind::float64);
        const ts::array_base b = a(expected);
        const lin::solution plain = lin::cg(a, b, {.iterations = 500, .tolerance = 1e-10}),
                            preconditioned =
                                lin::cg(a, b, {.iterations = 500, .tolerance = 1e-10, .preconditioner = m});
        CHECK(gap(preconditioned.x, expected) < 1e-6);
        CHECK(preconditioned.systems().front().iterations < 12);
        CHECK(plain.systems().front().iterations > 20);
      },
      1 << 20);
}

TEST_CASE("least squares of tall, wide and damped systems") {
  for_each_context(
      [](const ts::context& ctx) {
        const ts::array_base w =
            array_of(ctx, random_plain({12, 5}, scalar_kind::complex128, 5), scalar_kind::complex128);
        const lin::op tall = lin::dense(w, "T K, K -> T"), wide = tall.H();
        const ts::array_base b = array_of(ctx, random_plain({12}, scalar_kind::complex128), scalar_kind::complex128),
                             c = array_of(ctx, random_plain({5}, scalar_kind::complex128), scalar_kind::complex128);
        const auto norm_of = [](const ts::array_base& a) {
          double most = 0;
          for (const cd z : lin::values_of(a)) most = std::max(most, std::abs(z));
          return most;
        };
        // What is left is orthogonal to what the operator gives.
        const lin::solution found = lin::cgls(tall, b, {.tolerance = 1e-12});
        CHECK(found.status() == solve_status::converged);
        const ts::array_base left = tall(found.x);
        lin::identity().apply(1, b, -1, left);
        CHECK(norm_of(left) > 0.1);
        CHECK(norm_of(wide(left)) < 1e-9);
        // Of a wide system the solution is exact, and is of the form A^H z.
        CHECK(gap(wide(lin::cgls(wide, c, {.tolerance = 1e-12}).x), c) < 1e-9);
        const lin::solution damped = lin::cgls(tall, b, {.tolerance = 1e-12, .damping = 0.5});
        CHECK(gap((tall.N() + 0.25 * lin::identity())(damped.x), wide(b)) < 1e-9);
      },
      1 << 20);
}

TEST_CASE("an operator that is not definite, and numbers that are none, are a status") {
  for_each_context([](const ts::context& ctx) {
    ts::context c = ctx;
    const auto b = c.ones<float>({4});
    const lin::solution indefinite = lin::cg(-1 * lin::identity("N"), b);
    CHECK(indefinite.status() == solve_status::breakdown);
    CHECK(indefinite.systems().front().iterations == 0);
    CHECK(ts::array<float>(indefinite.x).read() == std::vector<float>(4, 0));
    CHECK(lin::cg(lin::identity("N"), c.full<float>({4}, std::nanf(""))).status() == solve_status::breakdown);
    CHECK(lin::to_string(solve_status::breakdown) == "breakdown");
  });
}

TEST_CASE("the power method finds the largest eigenvalue") {
  for_each_context(
      [](const ts::context& ctx) {
        const plain d = plain_of({6}, [](const index_list& i) { return i[0] == 3 ? -7.0 : static_cast<double>(i[0]); });
        const lin::op a = lin::diagonal(array_of(ctx, d, scalar_kind::float64), "N");
        const lin::eigen_pair found = lin::power_method(a, ts::context(ctx).ones<double>({6}), 120);
        CHECK(std::abs(found.value + 7) < 1e-9);
        CHECK(std::abs(std::abs(lin::values_of(found.vector)[3]) - 1) < 1e-9);
      },
      1 << 20);
}

TEST_CASE("what solvers cannot take is refused") {
  ts::context ctx(quiet("cpu"));
  const lin::op a = lin::dense(ctx.ones<float>({3, 3}), "T K, K -> T");
  const auto b = ctx.ones<float>({3});
  CHECK(has(message_of([&] { return lin::cg(a, b).x; }), "cg needs a square operator, but dense(K -> T) is (K -> T)"));
  CHECK(has(message_of([&] { return lin::cg(a.N(), b, {.iterations = -1}).x; }), "-1 iterations"));
  CHECK(has(message_of([&] { return lin::cg(a.N(), b, {.start = ctx.ones<float>({4})}).x; }), "the start of cg"));
  CHECK(has(message_of([&] { return lin::power_method(a.N(), ctx.ones<float>({2, 3})).value; }), "without a batch"));
}

TEST_CASE("solutions have the same bits on any devices and ranks") {
  setenv("TESSERA_SMALL", "0", 1);
  const auto bits = [](const ts::context& ctx) {
    const lin::op f = lin::fft("M N -> P Q");
    const lin::op maps =
        lin::dense(array_of(ctx, random_plain({3, 8, 10}, scalar_kind::complex64, 5), scalar_kind::complex64),
                   "C M N, M N -> C M N");
    const lin::op weight =
        lin::diagonal(array_of(ctx, random_plain({8, 10}, scalar_kind::float32, 6), scalar_kind::float32), "P Q");
    const lin::op e = weight * f * maps;
    const ts::array_base y = e(array_of(ctx, random_plain({8, 10}, scalar_kind::complex64), scalar_kind::complex64));
    return lin::cg(e.N() + 0.1 * lin::identity(), e.H()(y), {.iterations = 20, .tolerance = 1e-4}).x.read_bytes();
  };
  const std::vector<std::byte> expected = bits(ts::context(quiet_with("cpu", 1 << 20)));
  for (const char* devices : {"cpu*3", "cpu*5"}) CHECK(bits(ts::context(quiet_with(devices, 1 << 20))) == expected);
  const auto settings = [](int) { return quiet_with("cpu*2", 1 << 20); };
  for (const int ranks : {2, 3})
    for (const std::string& e : errors_on_ranks(ranks, settings, [&](ts::context& ctx) {
           require(bits(ctx) == expected, "ranks give the bits of one device");
         }))
      FAIL_CHECK(e);
}
