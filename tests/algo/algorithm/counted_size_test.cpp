// On one device compactions return before it is known how many elements they keep; who asks for that waits.
#include <chrono>
#include <functional>
#include <future>
#include <numeric>
#include <utility>

#include "tests/algo/algorithm/support.h"

using namespace tessera::support;
namespace views = ts::views;

namespace {
using ints = std::vector<int>;

constexpr auto even = [](auto v) { return v % 2 == 0; };

ints up_to(std::int64_t n) {
  ints all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// What a call gives to be asked for: how many elements there are.
using size_question = std::function<std::int64_t()>;
template <class Result>
size_question question(Result result) {
  const auto kept = std::make_shared<Result>(std::move(result));
  return [kept] { return std::int64_t{kept->size()}; };
}
size_question question(const ts::counted_size& count) {
  return [count] { return count.get(); };
}
template <class A, class B>
size_question question(std::pair<A, B> both) {
  return [first = question(std::move(both.first)), second = question(std::move(both.second))] {
    return first() + second();
  };
}

struct compaction {
  const char* name;
  std::function<size_question(ts::vector<int>& ones)> call;
  std::int64_t size;  // for ten elements that are 1
};
std::vector<compaction> all_compactions() {
  const auto one = [](auto v) { return v == 1; };
  const auto empty = [](ts::vector<int>& x) { return ts::vector<int>(x.size(), 0, x.ctx()); };
  return {
      {"copy_if", [=](auto& x) { return question(ts::copy_if(x, one)); }, 10},
      {"remove_copy_if", [=](auto& x) { return question(ts::remove_copy_if(x, one)); }, 0},
      {"remove_copy", [=](auto& x) { return question(ts::remove_copy(x, 1)); }, 0},
      {"copy_where", [=](auto& x) { return question(ts::copy_where(ts::views::counting(0, 10), x, one)); }, 10},
      {"copy_if of a view", [=](auto& x) { return question(ts::copy_if(views::reverse(x), one)); }, 10},
      {"copy_if to a container",
       [=](auto& x) {
         ts::vector<int> out = empty(x);
         return question(ts::copy_if(x, out, one));
       },
       10},
      {"partition_copy", [=](auto& x) { return question(ts::partition_copy(x, one)); }, 10},
      {"partition_copy to containers",
       [=](auto& x) {
         ts::vector<int> a = empty(x), b = empty(x);
         return question(ts::partition_copy(x, a, b, one));
       },
       10},
      {"unique_copy", [=](auto& x) { return question(ts::unique_copy(x)); }, 1},
      {"unique_by_key_copy", [=](auto& x) { return question(ts::unique_by_key_copy(x, x)); }, 2},
      {"reduce_by_key", [=](auto& x) { return question(ts::reduce_by_key(x, x)); }, 2},
      {"reduce_by_key to containers",
       [=](auto& x) {
         ts::vector<int> a = empty(x), b = empty(x);
         return question(ts::reduce_by_key(x, x, a, b));
       },
       2},
      {"remove_if", [=](auto& x) { return question(ts::remove_if(x, one)); }, 10},
      {"remove", [=](auto& x) { return question(ts::remove(x, 1)); }, 10},
      {"unique", [=](auto& x) { return question(ts::unique(x)); }, 9},
  };
}

}  // namespace

TEST_CASE("compactions of one device return before what they read is computed, and their size waits for it" *
          doctest::skip(on_gpu())) {
  for (const compaction& each : all_compactions()) {
    CAPTURE(each.name);
    ts::context ctx(calm("cpu"));
    gate g;
    ts::vector<int> ones(10, 0, ctx);
    g.make_kernel(ctx).launch({.threads = {10}}, ones);
    const size_question size = each.call(ones);  // does not end if it waits: the gate is closed
    std::future<std::int64_t> asked = std::async(std::launch::async, size);
    CHECK(asked.wait_for(std::chrono::milliseconds(20)) == std::future_status::timeout);
    g.open();
    CHECK(asked.get() == each.size);
  }
}

TEST_CASE("a size is eight bytes that are read once, for all that share it") {
  ts::context ctx(calm("cpu"));
  const std::int64_t n = 100000;
  const ts::vector<int> x(up_to(n), ctx);
  ctx.wait();
  movement called(ctx);
  const auto some = ts::copy_if(views::zip(x, x), [](auto v, auto) { return v % 2 == 0; });
  const ts::statistics before = called.moved();
  CHECK(before.launches == 3);  // counts, their sums, elements
  CHECK(before.device_to_host_bytes == 0);
  movement asked(ctx);
  CHECK(std::get<0>(some).size() == n / 2);
  CHECK(std::get<1>(some).size() == n / 2);
  CHECK(std::get<0>(some).size() == n / 2);
  const ts::statistics after = asked.moved();
  CHECK(after.launches == 0);
  CHECK(after.device_to_host_bytes <= 8);
}

TEST_CASE("a vector whose size is still counted is one like any other") {
  ts::context ctx(calm("cpu"));
  const std::int64_t n = 3 * 4096 + 5;
  const ints a = up_to(n);
  const ts::vector<int> x(a, ctx);
  ints expected;
  for (const int v : a)
    if (v % 2 == 0) expected.push_back(v);
  const auto made = [&] { return ts::copy_if(x, even); };

  CHECK(made().to_host() == expected);
  CHECK(made().capacity() >= std::ssize(expected));
  CHECK(made().back() == expected.back());
  CHECK(made().end() - made().begin() >= 0);
  CHECK(made().host(ts::read)[1] == 2);
  const ts::vector<int> copied = made();
  const ts::vector<int> again(copied);
  CHECK(again.to_host() == expected);
  ts::vector<int> moved = made();
  ts::vector<int> other = std::move(moved);
  CHECK(moved.empty());  // NOLINT: what is moved from has no elements
  CHECK(other.to_host() == expected);
  ts::vector<int> swapped(3, 7, ctx), open = made();
  swap(swapped, open);
  CHECK(open.to_host() == ints(3, 7));
  CHECK(swapped.to_host() == expected);
  ts::vector<int> longer = made();
  longer.push_back(-1);
  CHECK(longer.size() == std::ssize(expected) + 1);
  CHECK(longer.back() == -1);
  ts::vector<int> resized = made();
  resized.resize(3);
  CHECK(resized.to_host() == ints{0, 2, 4});
  CHECK(ts::reduce(made()).get() == std::accumulate(expected.begin(), expected.end(), 0));
  CHECK(ts::copy_if(made(), [](auto v) { return v < 10; }).to_host() == ints{0, 2, 4, 6, 8});
  CHECK(ts::copy_if(x, [](auto v) { return v < 0; }).empty());
  CHECK(made() == copied);
  ts::vector<int> shorter(x);
  CHECK(ts::remove_if(shorter, even) == std::ssize(expected));
  CHECK(ts::remove_if(shorter, even) == 0);
  CHECK(shorter.size() == n - std::ssize(expected));
}

TEST_CASE("iterators from before a vector became shorter are refused, if it did") {
  ts::context ctx(calm("cpu", "guards"));
  ts::vector<int> x(up_to(100), ctx);
  const auto first = x.begin();
  CHECK(ts::remove_if(x, [](auto v) { return v > 1000; }) == 0);
  CHECK(x.size() == 100);
  CHECK(*first == 0);
  ts::remove_if(x, even);
  CHECK(x.size() == 50);
  CHECK_THROWS_AS(static_cast<void>(int{*first}), ts::argument_error);
}

TEST_CASE("outputs keep what lies behind what is written, changes of the host, too") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    CAPTURE(devices);
    ts::context ctx(calm(devices));
    const std::int64_t n = 2 * 4096 + 100;
    const ts::vector<int> x(up_to(n), ctx);
    ts::vector<int> out(n + 5, -1, ctx);
    out[n - 1] = -7, out[n + 4] = -9;
    const ts::counted_size count = ts::copy_if(x, out, even);
    CHECK(count == n / 2);
    CHECK(out[n / 2 - 1] == n - 2);
    CHECK(out[n / 2] == -1);
    CHECK(out[n - 1] == -7);
    CHECK(out[n + 4] == -9);
  }
}

TEST_CASE("outputs that may be too small wait for the count, and are refused if they are") {
  ts::context ctx(calm("cpu"));
  const ts::vector<int> x(up_to(100), ctx);
  ts::vector<int> half(50, -1, ctx), less(49, -1, ctx);
  CHECK(ts::copy_if(x, half, even) == 50);
  CHECK(half.back() == 98);
  CHECK_THROWS_WITH_AS(ts::copy_if(x, less, even),
                       doctest::Contains("copy_if: 50 elements are kept, but the output has 49"), ts::argument_error);
}

TEST_CASE("where memory has no room for all elements, counts are read and outputs have their size") {
  ts::options settings = calm("cpu");
  settings.device_memory = (1 << 20) * page_factor();
  ts::context ctx(settings);
  const std::int64_t n = (1 << 18) * page_factor();
  const ts::vector<int> x(up_to(n), ctx);
  const ts::vector<int> some = ts::copy_if(x, [](auto v) { return v % 64 == 0; });
  CHECK(some.capacity() == n / 64);
  CHECK(some[100] == 6400);
}

TEST_CASE("a launch that fails is told by who asks for the size") {
  ts::context ctx(calm("cpu"));
  ts::vector<int> x(100, 0, ctx);
  ctx.native("failing", "int* y", "global i => write y[i]",
             everywhere([](ts::native_call&) { throw std::runtime_error("no numbers today"); }))
      .launch({.threads = {100}}, x);
  const ts::vector<int> some = ts::copy_if(x, even);
  CHECK_THROWS_WITH(static_cast<void>(some.size()), doctest::Contains("no numbers today"));
}
