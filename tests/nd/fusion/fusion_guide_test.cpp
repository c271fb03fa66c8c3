// The code of docs/guide/fusion.md, which this file holds block by block.
#include "tests/nd/support.h"
#include "tests/support/guide.h"

TEST_CASE("the code of the guide to fusion runs") {
  const ts::context ctx = tessera::support::make_context({"cpu*3", 256 << 10}, tessera::support::room_for_pieces);
  ts::set_default_context(ctx);
  // clang-format off
nd::array x = nd::linspace(0, 1, 100'000), y = nd::sqrt(x);
nd::eval({x, y});
nd::graph_stats before = nd::stats();
nd::array z = nd::exp(-x * x) / (1 + y);
nd::eval({z});
CHECK(nd::stats().launches == before.launches + 1);  // reads x and y, writes z
CHECK(nd::stats().declared_bytes == before.declared_bytes + 3 * 100'000 * 8);
CHECK(z(0).item<double>() == 1);
before = nd::stats();
nd::array mean = nd::mean(x * y), most = nd::max(x * y), least = nd::min(x - y);
nd::fetch({mean, most, least});
CHECK(nd::stats().declared_bytes - before.declared_bytes < 1'700'000);  // x and y are read once
CHECK(most.item<double>() == 1);
CHECK(mean.item<double>() == doctest::Approx(0.4).epsilon(0.001));
CHECK(least.item<double>() == doctest::Approx(-0.25));
nd::array rows = x.reshape({1000, 100});
before = nd::stats();
nd::array e = nd::exp(rows - nd::max(rows, 1, true));
nd::array softmax = e / nd::sum(e, 1, true);
nd::eval({softmax});
CHECK(nd::stats().launches == before.launches + 1);  // reads x, writes softmax
CHECK(softmax(7).sum().item<double>() == doctest::Approx(1));
nd::array u = nd::zeros<float>({200, 200});
u(0, nd::all) = 1;
const auto in = nd::_(1, -1), up = nd::_(0, -2), dn = nd::_(2, nd::end);
for (int k = 0; k < 20; ++k) u(in, in) = 0.25f * (u(up, in) + u(dn, in) + u(in, up) + u(in, dn));
nd::eval({u});  // 20 launches, each a step
CHECK(u(1, 100).item<float>() > 0.4f);
nd::array w = x + y;
std::string text = nd::explain(w);  // launch 1 of 1: ... __global__ void nd_pointwise(...)
nd::eval({w});
std::string reason = nd::stats().recent.back();  // ...guide_test.cpp:41: eval was called
CHECK(text.find("__global__ void nd_pointwise") != std::string::npos);
CHECK(reason.find("eval was called") != std::string::npos);
nd::array strict = x * x + 1.0, fast;
{
  const nd::fast_math on;
  fast = x * x + 1.0;
}
CHECK(nd::abs(fast - strict).max().item<double>() < 1e-12);
before = nd::stats();
nd::array small = nd::arange(5) * 2.0 + 1.0;
CHECK(small.sum().item<double>() == 25);
CHECK(nd::stats().launches == before.launches);
  // clang-format on
}

TEST_CASE("the guide to fusion has the code that is run here") {
  tessera::support::check_guide("fusion.md", "nd/fusion/fusion_guide_test.cpp", 7);
}
