// Scalar results that later launches consume without a host round trip.
#include <cmath>

#include "tests/array/on_ranks.h"
#include "tests/array/support.h"

using namespace tessera;
using support::message_of;
using support::on_ranks;
using support::quiet;
using support::require;
using support::says;

namespace {

constexpr const char* sum_source = R"(
//@tessera global i => read x[i], reduce(+) total[0]
__global__ void sum(int n, const double* x, double* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total[0], x[i]);
}
)";

constexpr const char* scale_source = R"(
//@tessera global i => readwrite x[i]
__global__ void scale(int n, const double factor, double* x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = factor * x[i];
}
)";

struct world {
  context ctx{quiet("cpu*3")};
  kernel sum = ctx.compile(sum_source, "sum");
  kernel scale = ctx.compile(scale_source, "scale");
  array<double> x = ctx.ones<double>({1000});
};

}  // namespace

TEST_CASE_FIXTURE(world, "a kernel takes a value that is still being computed") {
  auto total = ctx.zeros<double>({1});
  sum.launch({.threads = {1000}}, 1000, x, total);
  const value<double> n = total.value();
  scale.launch({.threads = {1000}}, 1000, n, x);
  CHECK(x.read() == std::vector<double>(1000, 1000.0));
  CHECK(n.get() == 1000.0);
  CHECK(n.get() == 1000.0);
}

TEST_CASE_FIXTURE(world, "a value stays what it was when it was taken") {
  auto total = ctx.full<double>({1}, 3.0);
  const auto constant = total.value();
  sum.launch({.threads = {1000}}, 1000, x, total);
  const auto computed = total.value();
  total.fill(-1.0);
  scale.launch({.threads = {1000}}, 1000, computed, x);
  CHECK(constant.get() == 3.0);
  CHECK(computed.get() == 1000.0);
  CHECK(x.slice({{999, 1000}}).read()[0] == 1000.0);
}

TEST_CASE_FIXTURE(world, "any element of an array of any shape gives a value") {
  const auto plane = ctx.from<int>({5, 7}, support::counted(35));
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 7; ++j)
      CHECK(plane.slice({{i, i + 1}, {j, j + 1}}).value().get() == static_cast<int>(7 * i + j));
  CHECK(says(message_of<argument_error>([&] { (void)plane.value(); }), "value() of an array of 35 elements",
             "one is expected"));
}

TEST_CASE_FIXTURE(world, "an array of rank 0 is passed by value as it is when the launch runs") {
  const auto factor = ctx.full<double>({}, 2.0);
  scale.launch({.threads = {1000}}, 1000, factor, x);
  factor.fill(5.0);
  scale.launch({.threads = {1000}}, 1000, factor, x);
  CHECK(x.read() == std::vector<double>(1000, 10.0));
}

TEST_CASE_FIXTURE(world, "values of structures and small types arrive whole") {
  struct pair {
    double a;
    float b;
  };
  const auto k = ctx.compile(R"(
struct pair { double a; float b; };
//@tessera global i => write y[i]
__global__ void put(pair p, signed char c, bool on, double* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = on ? p.a + p.b + c : 0;
})",
                             "put");
  const auto p = ctx.from<pair>({1}, std::vector<pair>{{0.5, 0.25f}});
  const auto c = ctx.full<signed char>({3}, -7);
  const auto on = ctx.full<bool>({1}, true);
  const auto y = ctx.empty<double>({512});
  k.launch({.threads = {512}}, p.value(), c.slice({{2, 3}}).value(), on.value(), y);
  CHECK(y.read() == std::vector<double>(512, 0.75 - 7));
}

TEST_CASE_FIXTURE(world, "a kernel that reduces takes a value, too, and its body may hide the parameter") {
  const auto k = ctx.compile(R"(
//@tessera global i => read x[i], reduce(+) total[0]
__global__ void weighted(int n, double weight, const double* x, double* total) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double twice = 2 * weight;
    if (i < n) { double weight = twice; atomicAdd(&total[0], weight * x[i]); }
})",
                             "weighted");
  auto total = ctx.zeros<double>({1});
  k.launch({.threads = {1000}}, 1000, ctx.full<double>({1}, 0.5).value(), x, total);
  CHECK(total.read()[0] == 1000.0);
}

TEST_CASE_FIXTURE(world, "a value that is not read costs no wait and may go before it was computed") {
  auto total = ctx.zeros<double>({1});
  for (int i = 0; i < 50; ++i) {
    sum.launch({.threads = {1000}}, 1000, x, total);
    (void)total.value();
  }
  CHECK(total.value().get() == 1000.0);
}

TEST_CASE_FIXTURE(world, "a value is refused where it cannot serve") {
  const auto v = ctx.full<double>({1}, 2.0).value();
  const auto threads = launch_options{.threads = {1000}};
  CHECK(says(message_of<argument_error>([&] { scale.launch(threads, v, 2.0, x); }), "parameter 'n' is int32",
             "the value is float64"));
  CHECK(says(message_of<argument_error>([&] { scale.launch(threads, 1000, 2.0, v); }), "parameter 'x' is a pointer",
             "not a value"));
  CHECK(says(message_of<argument_error>([&] {
               scale.launch(threads, 1000, x.slice({{0, 1}}), x);
             }),
             "parameter 'factor' is a scalar", "pass its value()"));
  CHECK(says(message_of<argument_error>([&] { scale.launch(threads, 1000, value<double>(), x); }),
             "parameter 'factor': the array or value was not created"));
  CHECK(says(message_of<argument_error>([&] { scale.launch(threads, 1000, 2.0, ctx.full<float>({1}, 2.0f).value()); }),
             "parameter 'x' is a pointer", "not a value"));
  CHECK(says(message_of<argument_error>([&] { array<double>(v.kept()).fill(1.0); }), "a value cannot be changed"));
  CHECK_THROWS_AS(array<double>(v.kept()).write(std::vector<double>{1.0}), argument_error);
  CHECK(v.get() == 2.0);
  CHECK(says(message_of<argument_error>([&] { (void)value<double>().get(); }), "was not taken from an array"));
  const auto shift = ctx.compile(R"(
//@tessera global i => read x[i+by], write y[i]
__global__ void shift(int by, const double* x, double* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i + by];
})",
                                 "shift");
  const auto by = ctx.full<int>({1}, 3).value();
  CHECK(says(message_of<argument_error>([&] { shift.launch({.threads = {500}}, by, x, ctx.empty<double>({500})); }),
             "parameter 'by' stands in the annotation", "get()"));
  const auto native =
      ctx.native("set", "int by, double* y", "global i => write y[i]", support::everywhere([](native_call&) {}));
  CHECK(says(message_of<argument_error>([&] { native.launch(threads, by, x); }), "parameter 'by'", "native kernel"));
}

TEST_CASE_FIXTURE(world, "an array that the launch changes is not taken by value, but its value is") {
  const auto k = ctx.compile(R"(
//@tessera single => readwrite y
__global__ void twice(double s, double* y) { if (threadIdx.x == 0) y[0] = 2 * s; })",
                             "twice");
  const auto a = ctx.full<double>({}, 3.0);
  CHECK(says(message_of<argument_error>([&] { k.launch({.threads = {1}}, a, a); }), "parameter 's'",
             "changes through 'y'", "value()"));
  k.launch({.threads = {1}}, a.value(), a);
  CHECK(a.value().get() == 6.0);
}

TEST_CASE_FIXTURE(world, "a launch that reads nothing but values runs on all devices") {
  const auto k = ctx.compile(R"(
//@tessera global i => reduce(+) total[0]
__global__ void count(int seed, double* total) { if (threadIdx.x == 0) total[0] = blockDim.x * seed; })",
                             "count");
  auto total = ctx.empty<double>({1});
  const auto seed = ctx.full<int>({1}, 2).value();
  CHECK(says(k.explain({.threads = {3 * 256}}, seed, total), "in 3 superblocks", "on device 0", "on device 1",
             "on device 2"));
  k.launch({.threads = {3 * 256}}, seed, total);
  CHECK(total.read()[0] == 2 * 3 * 256);
}

TEST_CASE("a value of what failed fails, and elements never written are reported in check mode") {
  context ctx(quiet("cpu*2", "uninitialised"));
  const auto bad = ctx.compile("//@tessera single\n__global__ void bad(double* y) { y[0] = no_such_name; }", "bad");
  auto y = ctx.zeros<double>({1});
  bad.launch({.threads = {1}}, y);
  CHECK_THROWS_AS((void)y.value().get(), compile_error);
  CHECK(
      says(message_of<argument_error>([&] { (void)ctx.empty<int>({1}).value().get(); }), "value() of", "nobody wrote"));
  ctx.wait();  // each failure is told once
}

TEST_CASE("every rank gets the same bits, and any rank may look or not") {
  for (const int ranks : {2, 3, 5})
    on_ranks(ranks, "cpu*2", [](context& ctx) {
      const auto sum = ctx.compile(sum_source, "sum"), scale = ctx.compile(scale_source, "scale");
      const auto x = ctx.full<double>({1000}, 0.1);
      auto total = ctx.zeros<double>({1});
      sum.launch({.threads = {1000}}, 1000, x, total);
      const auto v = total.value();
      scale.launch({.threads = {1000}}, 1000, v, x);
      if (ctx.rank() == 1) require(std::abs(v.get() - 100) < 1e-9, "one rank looks");
      const double mine = v.get();
      const auto all = ctx.empty<double>({ctx.ranks()}, rows(1));
      std::vector<double> own(static_cast<std::size_t>(0));
      for (const box& b : all.own_boxes()) own.insert(own.end(), static_cast<std::size_t>(b.volume()), mine);
      all.write_own(own);
      for (const double theirs : all.read()) require(theirs == mine, "the same bits");
      for (const double e : x.read()) require(e == mine * 0.1, "the kernel had the same");
    });
}
