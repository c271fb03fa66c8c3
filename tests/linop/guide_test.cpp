// The code of docs/guide/operators.md, which this file holds block by block.
#include "tests/support/guide.h"
#include "tests/linop/support.h"

using tessera::support::cf;

TEST_CASE("the code of the guide to operators runs") {
  ts::context ctx(tessera::support::quiet_with("cpu*3", 1 << 20));
  ts::set_default_context(ctx);
  const auto w = ctx.full<float>({3, 4}, 0.5f);
  const auto phi = ctx.full<cf>({6, 3}, cf(1, 2));
  const auto x = ctx.ones<cf>({3, 3, 4});
  const auto shifting = [&](const char* name, int by) {
    return ctx.native(name, "long long n, float* y, const float* x",
                      by < 0 ? "global i => write y[i], read x[i - 1]" : "global i => write y[i], read x[i + 1]",
                      tessera::support::everywhere([by](ts::native_call& call) {
                        const auto n = call.scalar<long long>(0);
                        for (std::int64_t i = call.points().lo[0]; i < std::min<std::int64_t>(call.points().hi[0], n);
                             ++i)
                          call.data<float>(1)[i] = i + by >= 0 && i + by < n ? call.data<const float>(2)[i + by] : 0.0f;
                      }));
  };
  const ts::kernel forth = shifting("forth", -1), back = shifting("back", 1);
  // clang-format off
lin::op d = lin::diagonal(w, "Nx Ny");                 // elements times w
lin::op m = lin::dense(phi, "T K, K Nx Ny -> T Nx Ny");  // the axes of phi, of x and of y
lin::op a = m * d;                                     // first d, then m: (K Nx Ny) to (T Nx Ny)
ts::array<cf> y(a(x)), z(a.H()(y)), g(a.N()(x));       // A x, A^H y, A^H A x
a.apply(2, y, -1, x, lin::adj);                        // x = 2 A^H y - x, without another array
CHECK(y.read().front() == cf(1.5f, 3));
CHECK(z.read() == g.read());
CHECK(x.read().front() == cf(44, 0));
lin::op s = lin::roll("Nx Ny", {1, 0}) * d;
CHECK(lin::to_string(s.oshape()) == "Nx1 Ny1");
CHECK(s.size("Ny") == 4);
lin::op wrong = lin::sum_reduce("C Nx -> Nx");
CHECK_THROWS_WITH_AS(static_cast<void>(wrong.H()(y)), doctest::Contains("the size of C"), ts::argument_error);
lin::op part = lin::split(d, {{"Nx", {0, 2}}});         // takes and gives (2, 4)
lin::split_grid grid = lin::split_linop(d, {{"Nx", {2}}, {"Ny", {3}}});
CHECK(part.size("Nx") == 2);
CHECK(grid.counts == std::vector<std::int64_t>{2, 2});  // the last tiles are smaller
lin::op parts = lin::create_batched_linop(a, {{.batch_sizes = {{"T", {4}}}, .device_matrix = {"device:0", "device:2"}},
                                              {.batch_sizes = {{"K", {1}}}}}, ctx);
CHECK(ts::array<cf>(parts(x)).read() == ts::array<cf>(a(x)).read());
lin::op normal = a.N() + 0.5 * lin::identity();
lin::solution found = lin::cg(normal, a.H()(y), {.iterations = 50, .tolerance = 1e-5});
CHECK(found.status() == lin::solve_status::converged);  // or limit, or breakdown; systems() has iterations and residuals
lin::solution least = lin::cgls(a, y, {.tolerance = 1e-5, .damping = 0.5});
double largest = lin::power_method(a.N(), x).value;
CHECK(largest > 1);
lin::op shift = lin::from_kernels(forth, back, "N -> N1",
                                  {.threads = "N", .args = {lin::size("N"), lin::out, lin::in}},
                                  {.sizes = {{"N", 100}, {"N1", 100}}});
lin::op twice = lin::from_functions([](const auto& u, const auto& v) { lin::scalar(2).apply(1, u, 0, v); },
                                    [](const auto& u, const auto& v) { lin::scalar(2).apply(1, u, 0, v); }, "N");
CHECK(lin::check(shift + twice, {.kind = ts::scalar_kind::float32}).passed());
lin::check_report report = lin::check(a, {.sizes = {{"K", 3}}});
CHECK(report.passed());  // report.text() says what does not hold
CHECK(least.status() == lin::solve_status::converged);
  // clang-format on
}

TEST_CASE("every block of the guide to operators is tested") {
  tessera::support::check_guide("operators.md", "linop/guide_test.cpp", 6);
}
