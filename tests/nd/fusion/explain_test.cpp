#include <doctest/doctest.h>

#include <string>

#include "tests/nd/support.h"

using namespace tessera::support;

/// What `nd::explain` tells of launches: results with their lines and reasons, kernels and tiers.

namespace {

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  MESSAGE("'" << part << "' is not in:\n" << text);
  return false;
}

std::string line(ts::call_site here = ts::call_site::current()) {
  return here.file + (":" + std::to_string(here.line));
}

/// In a context where everything goes through the engine.
void use_engine() { ts::set_default_context(make_context({"cpu*2", 0})); }

}  // namespace

TEST_CASE("results are told with their lines and the reason why they are stored") {
  use_engine();
  const nd::array x = nd::ones<float>({5000});
  nd::eval({x});
  const nd::array y = nd::cumulative_sum(nd::sqrt(x) + 1);
  nd::array z;
  std::string last;
  z = y * 2, last = line();
  const std::string text = nd::explain(z);
  CHECK(has(text, "launch 1 of 2: 1 result(s) of shape {5000}\n  running sum along axis 0 of "));
  CHECK(has(text, ", stored: results of this kind are not computed on the way to others"));
  CHECK(has(text, "multiply of " + last + ", stored: it was asked for"));
  CHECK(has(text, "behind the totals of 2 chunks of each sequence"));
  CHECK(has(text, "//@tessera "));
  CHECK(has(text, "__global__ void nd_scan"));
  CHECK(has(text, "on CPU devices as ") != on_gpu());
  CHECK(nd::explain(x) == "its elements are stored\n");
  CHECK(z(4999).item<float>() == 20000);
}

TEST_CASE("a value that several launches need is told as such") {
  use_engine();
  const nd::array x = nd::ones<float>({60, 100});
  nd::eval({x});
  nd::array heavy = x;
  for (int k = 0; k < 40; ++k) heavy = nd::sqrt(heavy) + 1;
  const nd::array whole = heavy + 1, half = heavy(nd::_(0, 30)) * 2;
  whole(0) = 5;
  half(0) = 5;
  CHECK(has(nd::explain(whole(nd::_(0, 30)) + half), "stored: several launches need it, and it takes many operations"));
  nd::array chain = x;
  for (int k = 0; k < 120; ++k) chain = nd::sqrt(chain) + 1;
  CHECK(has(nd::explain(chain), "stored: what is made of it would take too many operations"));
}

TEST_CASE("updates are told to be in place or beside") {
  use_engine();
  nd::array x = nd::ones<float>({50, 100});
  nd::eval({x});
  x(0) = 5;
  CHECK(has(nd::explain(x), "a written part of the shape {100} of "));
  CHECK(has(nd::explain(x), "in place: nothing else needs the elements before"));
  nd::eval({x});
  const nd::array before = x + 1;
  x(nd::_(1, 3)) = 7;
  CHECK(has(nd::explain(x), "beside the elements before"));
  CHECK(before(1, 0).item<float>() == 2);
  CHECK(x(1, 0).item<float>() == 7);
}

TEST_CASE("gathers and reductions are told") {
  use_engine();
  const nd::array x = nd::arange(5000) * 1;
  nd::eval({x});
  const std::string text = nd::explain(nd::sum(x(nd::arange(100) * 2)));
  CHECK(has(text, "elements at places of axis 0 of "));
  CHECK(has(text, "sum of "));
  const nd::array mean = x.mean(), apart = x - mean;
  CHECK(has(nd::explain((apart * apart).sum()), "mean of "));
}
