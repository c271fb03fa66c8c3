// The code of docs/guide/functions.md, which this file holds block by block.
#include <map>

#include "tests/algo/container/support.h"
#include "tests/support/guide.h"

// clang-format off
TS_DEVICE(
struct particle { float position, speed; };
inline particle moved(ts::index1 i, particle p, ts::vec<float> force, float dt) {
  p.speed += dt * force[i];
  p.position += dt * p.speed;
  return p;
}
struct scale { float factor; float operator()(float v) const { return factor * v; } };)
namespace sea {
#include "waves.h"         // struct wave { float height, speed; }; inline float energy(wave w) { ... }
TS_DEVICE_FILE("waves.h")  // what it has is device code, too
}
// clang-format on

TEST_CASE("the code of the guide to functions runs") {
  if (tessera::support::on_gpu()) return;  // it names CPU devices
  const ts::context ctx(tessera::support::quiet("cpu*3"));
  ts::set_default_context(ctx);
  // clang-format off
ts::vector<float> x(1000, 1.f), y(1000, 2.f);
float a = 3;
auto axpy = ts::map([a](auto u, auto v) { return a * u + v; });
axpy.into(y, x, y);                     // y becomes 3 * x + y; returns at once
ts::vector<float> z = axpy(x, y);       // a new vector
float dot = ts::map_reduce(ts::multiplies(), ts::plus())(x, y).get();  // get() is the only wait
CHECK(z[7] == 8);
CHECK(dot == 5000);
auto [root, sign] = ts::map([](auto u) { return ts::tuple(sqrt(abs(u)), ts::select(u < 0, -1, 1)); })(x);
CHECK(root[3] == 1);
CHECK(sign[3] == 1);
int limit = 50;
auto steps = TS_FN((limit), [=](float c) {
  float v = 0;
  int k = 0;
  while (k < limit && v < 2) { v = v * v + c; ++k; }
  return k;
});
ts::vector<int> counts = ts::map(steps)(x);
int here = steps(0.5f);                 // it is host code, too
CHECK(counts[0] == steps(1.f));
CHECK(here == steps(0.5f));
ts::vector<particle> p(1000);
ts::map<moved>().into(p, p, x, 0.1f);
ts::vector<float> scaled = ts::map(scale{2})(x);
CHECK(particle(p[5]).speed == 0.1f);
CHECK(scaled[5] == 2);
float sum = ts::reduce(x).get();
double exact = ts::reduce<double>(x).get();                     // added in double
float largest = ts::reduce(x, ts::maximum()).get();
ts::matrix<float> m(30, 40, 1.f);
ts::vector<float> rows = ts::reduce_rows(m), columns = ts::reduce_columns(m, ts::plus());
ts::vector<float> running = ts::inclusive_scan(x), before = ts::exclusive_scan(x, 0.f);
CHECK(sum == 1000);
CHECK(exact == 1000);
CHECK(largest == 1);
CHECK(rows[29] == 40);
CHECK(columns[39] == 30);
CHECK(running[999] == 1000);
CHECK(before[999] == 999);
auto peak = ts::reduce(ts::maximum()).on(ts::cpu).name("peak");
float highest = peak(x).get();
std::string plan = peak.explain(x);     // the launches that it would take; nothing runs
ts::inclusive_scan().on(ts::cpu).into(running, x);
CHECK(highest == 1);
CHECK(plan.find("'peak'") != std::string::npos);
CHECK(ts::map<sea::energy>()(ts::vector<sea::wave>(5, {3, 4}))[4] == 12.5f);
ts::matrix<float> t(100, 80, 1.f), u(100, 80);
auto heat = ts::map_overlap<2>([](auto c) { return 0.25f * (c(-1, 0) + c(1, 0) + c(0, -1) + c(0, 1)); }, {1, 1});
heat.edge(ts::duplicate).into(u, t);    // or ts::cyclic, ts::pad(0.f), ts::none
ts::matrix<float> gaps = ts::map_pairs([](auto v, auto w) { return abs(v - w); })(rows, columns);
ts::vector<float> nearest = ts::map_pairs_reduce([](auto v, auto w) { return abs(v - w); }, ts::minimum())(rows, columns);
CHECK(u(99, 79) == 1);
CHECK(gaps(3, 4) == 10);
CHECK(nearest[29] == 10);
std::map<int, float> price{{1, 0.5f}, {2, 0.75f}};
auto look_up = ts::host([&price](int article) { return price.at(article); });
ts::vector<int> articles(1000, 2);
ts::vector<float> prices = ts::map(look_up)(articles);
float bill = ts::map_reduce(look_up, ts::plus())(articles).get();
CHECK(prices[999] == 0.75f);
CHECK(bill == 750);
axpy.on(ts::cpu).into(y, x, y);         // on CPU devices; ts::cuda: on GPUs
axpy.on({0, 2}).into(y, x, y);          // these devices, numbered through all ranks
axpy.on(ts::all).into(y, x, y);         // all of them, each with a share that follows its speed
{
  ts::placement_scope place(ts::cpu);   // the calls of this thread, until the brace
  float total = ts::reduce(y).get();
  CHECK(total > 0);
}
ts::tune(axpy, {256, 4096, 65536});     // measures it on each kind of devices, for later choices
CHECK(y[5] == 14);
  // clang-format on
}

TEST_CASE("the guide to functions holds no code but what is run here") {
  tessera::support::check_guide("functions.md", "algo/function/guide_test.cpp", 11);
}
