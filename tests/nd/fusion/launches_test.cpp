// How many launches programs make, and how many bytes these read, write and move.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <functional>

#include "tests/array/on_ranks.h"
#include "tests/nd/support.h"

using namespace tessera::support;

namespace {

/// What `program` added to the counters of the default context.
struct work {
  std::int64_t launches = 0, bytes = 0, kernels = 0;
};
work work_of(const std::function<void()>& program) {
  const nd::graph_stats before = nd::stats();
  program();
  const nd::graph_stats after = nd::stats();
  return {after.launches - before.launches, after.declared_bytes - before.declared_bytes,
          after.kernels - before.kernels};
}

constexpr nd_setting nothing_small{"cpu", 0};

nd::array reals(const ts::extents& shape, const nd::array_options& options = {}) {
  return nd::as_type(nd::indices(shape, 0, options) % 1013, ts::scalar_kind::float32) * 0.5f + 1.0f;
}

void step_of_jacobi(const nd::array& u) {
  const auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
  u(in, in) = 0.25f * (u(up, in) + u(dn, in) + u(in, up) + u(in, dn));
}

/// A system whose matrix is a stencil on a plane, and the state of its solution.
struct conjugate_gradient {
  static constexpr std::int64_t n = 100;
  nd::array x = nd::zeros<double>({n, n}), r = nd::as_type(reals({n, n}), ts::scalar_kind::float64), p = nd::copy(r),
            q = nd::zeros<double>({n, n}), rr = nd::sum(r * r);

  void apply_matrix() {
    const auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
    q(in, in) = 4 * p(in, in) - p(up, in) - p(dn, in) - p(in, up) - p(in, dn);
  }
  void step() {
    apply_matrix();
    const nd::array alpha = rr / nd::sum(p * q);
    x += alpha * p;
    r -= alpha * q;
    const nd::array next = nd::sum(r * r);
    p = r + next / rr * p;
    rr = next;
    nd::eval({x, r, p, rr});
  }
  /// A step with numbers instead of quotients of sums, and the sums.
  void step_with_numbers() {
    apply_matrix();
    const nd::array pq = nd::sum(p * q);
    x += 0.25 * p;
    r -= 0.25 * q;
    const nd::array next = nd::sum(r * r);
    p = r + 0.5 * p;
    rr = next;
    nd::eval({x, r, p, rr, pq});
  }
};

}  // namespace

TEST_CASE("a loop that changes a number compiles once") {
  const ts::context ctx = make_context({"cpu*2", 0});
  set_default_context(ctx);
  const nd::array x = reals({5000});
  nd::array y = reals({5000});
  nd::eval({x, y});
  const auto loop = [&](double first) {
    for (int k = 0; k < 20; ++k) {
      y = y * (first + 0.01 * k) - x / (k + 2.5);
      nd::eval({y});
    }
  };
  const work done = work_of([&] { loop(1); }), again = work_of([&] { loop(-1); });
  CHECK(done.kernels == 1);
  CHECK(done.launches == 20);
  CHECK(again.kernels == 0);
  CHECK(again.launches == 20);
}

TEST_CASE("arithmetic of arrays without axes costs a step of conjugate gradients no launch") {
  const ts::context ctx = make_context(nothing_small, room_for_pieces);
  set_default_context(ctx);
  conjugate_gradient state;
  state.step();
  for (int k = 0; k < 3; ++k) {
    const work of_arrays = work_of([&] { state.step(); });
    CHECK(of_arrays.launches == work_of([&] { state.step_with_numbers(); }).launches);
    CHECK(of_arrays.launches == 7);
  }
}

TEST_CASE("a step of Jacobi's method is one launch that moves rows and columns at borders") {
  ts::context ctx = make_context({"cpu*4", 0});
  set_default_context(ctx);
  const std::int64_t n = 200, steps = 10;
  const nd::array u = nd::zeros<float>({n, n}, {.split = {0, 1}});
  u(0, nd::all) = 1;
  for (int k = 0; k < 3; ++k) step_of_jacobi(u), nd::eval({u});
  ctx.wait();
  const ts::statistics before = ctx.stats();
  const work done = work_of([&] {
    for (int k = 0; k < steps; ++k) step_of_jacobi(u), nd::eval({u});
  });
  ctx.wait();
  const ts::statistics engine = ctx.stats() - before;
  CHECK(done.launches == steps);
  CHECK(done.bytes == steps * 2 * n * n * 4);
  CHECK(engine.launches == steps);
  // A row or a column of a tile at each of four borders, both ways.
  CHECK(engine.device_to_device_bytes == steps * 4 * 2 * (n / 2) * 4);
}

TEST_CASE("four ranks send each other rows and columns at borders alone") {
  const std::int64_t n = 200, steps = 10;
  std::atomic<std::int64_t> sent = 0, received = 0;
  const auto settings = [](int) {
    ts::options chosen = quiet("cpu");
    chosen.small = 0;
    return chosen;
  };
  const auto body = [&](ts::context& ctx) {
    const nd::array u = nd::zeros<float>({n, n}, {.split = {0, 1}, .ctx = ctx});
    u(0, nd::all) = 1;
    for (int k = 0; k < 3; ++k) step_of_jacobi(u), nd::eval({u});
    ctx.wait();
    const ts::statistics before = ctx.stats();
    const nd::graph_stats recorded = nd::stats(u);
    for (int k = 0; k < steps; ++k) step_of_jacobi(u), nd::eval({u});
    ctx.wait();
    const ts::statistics engine = ctx.stats() - before;
    require(nd::stats(u).launches - recorded.launches == steps, "a step is one launch");
    sent += engine.sent_bytes;
    received += engine.received_bytes;
  };
  for (const std::string& e : errors_on_ranks(4, settings, body)) FAIL_CHECK(e);
  CHECK(sent.load() == steps * 4 * 2 * (n / 2) * 4);
  CHECK(received.load() == sent.load());
}

TEST_CASE("distances from means read an array twice and write once") {
  const ts::context ctx = make_context(nothing_small, room_for_pieces);
  set_default_context(ctx);
  const std::int64_t rows = 40'000, columns = 30, bytes = rows * columns * 4;
  const nd::array a = reals({rows, columns});
  nd::eval({a});
  const work done = work_of([&] { nd::eval({nd::sqrt(nd::pow(a - a.mean(0), 2))}); });
  CHECK(done.bytes >= 3 * bytes);
  CHECK(done.bytes <= 3 * bytes / 100 * 103);
}

TEST_CASE("mean, standard deviation and least element read an array once") {
  const ts::context ctx = make_context(nothing_small, room_for_pieces);
  set_default_context(ctx);
  const std::int64_t rows = 40'000, columns = 30, bytes = rows * columns * 4;
  const nd::array a = reals({rows, columns});
  nd::eval({a});
  const auto bytes_of = [](const std::function<void()>& program) { return work_of(program).bytes; };
  const std::int64_t along_columns = bytes_of([&] { nd::eval({a.mean(0), a.std(0), a.min(0)}); });
  CHECK(along_columns >= bytes);
  CHECK(along_columns <= bytes / 100 * 120);
  const std::int64_t of_all = bytes_of([&] { nd::eval({a.mean(), a.std(), a.min()}); });
  CHECK(of_all >= bytes);
  CHECK(of_all <= bytes / 100 * 101);
}
