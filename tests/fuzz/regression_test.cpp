#include <doctest/doctest.h>
#include <tessera/tessera.h>

#include "tests/array/on_ranks.h"

// What random programs found, as small as they were shrunk.

namespace {

/// Adds 1 to each declared element of an array of rank 2, one row per point.
void add_one_on_diagonal(tessera::native_call& call) {
  const tessera::native_array& a = call.array(0);
  for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
    if (i < a.shape[0] && i < a.shape[1]) *reinterpret_cast<int*>(a.data + i * (a.strides[0] + a.strides[1])) += 1;
}

}  // namespace

TEST_CASE("a combining rule that declares nothing changes nothing") {
  tessera::options settings;
  settings.devices = "cpu*2";
  tessera::context ctx(settings);
  const auto a = ctx.full<int>({4}, 7);
  const auto add = ctx.native("add", "int* a", "global i => atomic(+) a[i]", {{"cpu", [](tessera::native_call&) {}}});
  add.launch({.threads = {3}}, a.slice({{4, 4}}));
  CHECK(a.read() == std::vector<int>(4, 7));
}

TEST_CASE("old contents of several boxes reach a combined array's home in one message per rank") {
  tessera::support::on_ranks(2, "cpu", [](tessera::context& ctx) {
    const auto a = ctx.zeros<int>({4, 4}, tessera::rows(2));
    const auto set = ctx.native("set", "int* a", "global i => write a[:, i]",
                                {{"cpu", [](tessera::native_call& call) {
                                    const tessera::native_array& t = call.array(0);
                                    for (std::int64_t i = call.points().lo[0]; i < call.points().hi[0]; ++i)
                                      for (std::int64_t k = 0; k < 4; ++k)
                                        *reinterpret_cast<int*>(t.data + k * t.strides[0] + i * t.strides[1]) = 10;
                                  }}});
    set.launch({.threads = {4}, .split = tessera::whole()}, a);  // all of it now lives on one rank
    const auto add = ctx.native("add", "int* a", "global i => atomic(+) a[i, i]", {{"cpu", add_one_on_diagonal}});
    add.launch({.threads = {4}, .split = tessera::blocks(1)}, a);
    std::vector<int> expected(16, 10);
    for (std::size_t i = 0; i < 4; ++i) expected[5 * i] = 11;
    CHECK(a.read() == expected);
  });
}

TEST_CASE("what no thread declares keeps its contents beside overlapping boxes of one superblock") {
  tessera::options on_two;
  on_two.devices = "cpu*2";
  tessera::context ctx(on_two);
  const auto a = ctx.full<int>({4, 2}, 7);
  // Thread 0 declares column 1 and rows 2 and 3, as many elements as the array has; thread 1 declares nothing.
  const auto set = ctx.native("set", "int* p, int* q", "global i => write p[:, i + 1], readwrite q[2:5, 3*i:3*i + 2]",
                              {{"cpu", [](tessera::native_call& call) {
                                  if (call.points().lo[0] > 0) return;
                                  const tessera::native_array& t = call.array(0);
                                  for (std::int64_t row = 0; row < 4; ++row)
                                    for (std::int64_t column = row < 2 ? 1 : 0; column < 2; ++column)
                                      *reinterpret_cast<int*>(t.data + row * t.strides[0] + column * t.strides[1]) = 1;
                                }}});
  set.launch({.threads = {2}, .block = {1}}, a, a);
  CHECK(a.read() == std::vector<int>{7, 1, 7, 1, 1, 1, 1, 1});
}
