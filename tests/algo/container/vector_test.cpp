// ts::vector against std::vector.
#include <random>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"
#include "tests/support/temporary_directory.h"

using namespace tessera;
using support::quiet;
using support::require;
using support::says;

namespace {

/// A random program of `steps` calls, made on a ts::vector and on a std::vector; throws where they differ.
void compare_programs(const container_options& options, unsigned seed, int steps, std::int64_t size) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  std::vector<int> expected(static_cast<std::size_t>(size), 3);
  ts::vector<int> v(size, 3, options);
  for (int step = 0; step < steps; ++step) {
    const std::int64_t n = v.size(), at = n > 0 ? below(n) : 0;
    const int value = static_cast<int>(random() % 1000);
    const std::int64_t count = std::min<std::int64_t>(below(50), n - at);
    switch (random() % 18) {
      case 0:
        v.push_back(value), expected.push_back(value);
        break;
      case 1:
        if (n > 0) v.pop_back(), expected.pop_back();
        break;
      case 2:
        v.insert(v.begin() + at, count, value);
        expected.insert(expected.begin() + at, static_cast<std::size_t>(count), value);
        break;
      case 3:
        v.erase(v.begin() + at, v.begin() + at + count);
        expected.erase(expected.begin() + at, expected.begin() + at + count);
        break;
      case 4:
        v.resize(n + below(300) - 150 < 0 ? 0 : n + count, value);
        expected.resize(static_cast<std::size_t>(v.size()), value);
        break;
      case 5:
      case 6:
        if (n > 0) v[at] = value, expected[static_cast<std::size_t>(at)] = value;
        break;
      case 7:
        if (n > 0) v[at] += value, expected[static_cast<std::size_t>(at)] += value;
        break;
      case 8:
        for (std::int64_t k = at; k < at + count; k += 1 + value % 7) {
          require(v[k] == expected[static_cast<std::size_t>(k)], "an element differs");
          if (value % 3 == 0) v[k] = value, expected[static_cast<std::size_t>(k)] = value;
        }
        break;
      case 9:
      case 10:
      case 11:
        support::add_on_devices(v, value);
        for (int& e : expected) e += value;
        break;
      case 12: {
        const auto h = v.host(ts::write, at, at + count);
        std::fill(h.begin(), h.end(), value);
        std::fill_n(expected.begin() + at, count, value);
        break;
      }
      case 13: {
        const auto h = v.host(ts::readwrite, at, at + count);
        std::sort(h.begin(), h.end());
        std::sort(expected.begin() + at, expected.begin() + at + count);
        break;
      }
      case 14:
        if (count > 0) {
          support::add_on_devices(v.part(at, at + count), value);
          for (std::int64_t k = at; k < at + count; ++k) expected[static_cast<std::size_t>(k)] += value;
        }
        break;
      case 15: {
        ts::vector<int> copy = v;
        std::swap(v, copy);
        if (n > 0) copy[at] = -1;
        break;
      }
      case 16:
        random() % 2 ? v.flush() : v.invalidate_device();
        break;
      default:
        random() % 2 ? v.update_host() : v.shrink_to_fit();
    }
    require(v.size() == std::ssize(expected), "sizes differ");
    if (random() % 5 == 0) require(v.to_host() == expected, "elements differ after step " + std::to_string(step));
  }
  require(std::equal(expected.begin(), expected.end(), v.cbegin()), "elements differ in the end");
}

}  // namespace

TEST_CASE("random programs give a vector the elements of a std::vector") {
  for (const char* devices : {"cpu", "cpu*3"}) {
    context ctx(quiet(devices));
    for (unsigned seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      container_options options(ctx);
      if (seed % 3 == 0) options.portion = 8 + seed;  // windows of many portions
      CHECK_NOTHROW(compare_programs(options, seed, 60, seed % 4 == 0 ? 0 : 17 * seed % 1500));
    }
  }
}

TEST_CASE("random programs on several ranks give every rank the elements of a std::vector") {
  for (const int ranks : {2, 3, 4})
    support::on_ranks(ranks, ranks == 2 ? "cpu*2" : "cpu", [](context& ctx) {
      for (unsigned seed = 100; seed < 104; ++seed) {
        container_options options(ctx);
        if (seed % 2 == 0) options.portion = 16;
        compare_programs(options, seed, 40, 300 * (seed % 100));
      }
    });
}

TEST_CASE("random programs on a tenth of the memory they use give the same elements") {
  options settings = quiet("cpu*2");
  settings.device_memory = settings.host_memory = support::on_gpu() ? "1MiB" : "16KiB";
  context ctx(settings);
  for (unsigned seed = 200; seed < 206; ++seed) {
    CAPTURE(seed);
    CHECK_NOTHROW(compare_programs(ctx, seed, 60, 40'000));
  }
  if (!support::on_gpu()) CHECK(ctx.stats().evictions > 0);
}

TEST_CASE("vectors are made of sizes, values, lists, ranges and spans") {
  context ctx(quiet("cpu*3"));
  const std::vector<int> numbers{3, 1, 4, 1, 5};
  CHECK(ts::vector<int>(4, ctx).to_host() == std::vector<int>(4, 0));
  CHECK(ts::vector<int>(4, 7, ctx).to_host() == std::vector<int>(4, 7));
  CHECK(ts::vector<int>({3, 1, 4, 1, 5}, ctx).to_host() == numbers);
  CHECK(ts::vector<int>(numbers, ctx).to_host() == numbers);
  CHECK(ts::vector<int>(std::span<const int>(numbers), ctx).to_host() == numbers);
  CHECK(ts::vector<int>(numbers.begin(), numbers.end(), {ctx, ts::pageable}).to_host() == numbers);
  ts::vector<int> v(ctx);
  CHECK(v.empty());
  v = {9, 8};
  CHECK(v.to_host() == std::vector{9, 8});
  v.assign(3, 6);
  CHECK(v.to_host() == std::vector{6, 6, 6});
  v.assign(numbers.begin(), numbers.begin() + 2);
  CHECK(v.to_host() == std::vector{3, 1});
  v.emplace_back(7) = 8;
  CHECK(v.back() == 8);
  CHECK(v.front() == 3);
  v.clear();
  CHECK(v.empty());
  CHECK(v.capacity() >= 3);
  CHECK(v == ts::vector<int>(ctx));
}

TEST_CASE("vectors use the default context, also when they were moved from") {
  const context ctx(quiet("cpu*3"));
  set_default_context(ctx);
  ts::vector<int> v{1, 2, 3};
  const ts::vector<int> w = std::move(v);
  v.push_back(4);  // NOLINT: a container that was moved from is empty
  support::add_on_devices(v, 1);
  CHECK(v.to_host() == std::vector{5});
  CHECK(w.to_host() == std::vector{1, 2, 3});
}

TEST_CASE("algorithms of the standard library work through iterators") {
  static_assert(std::random_access_iterator<ts::vector<int>::iterator>);
  static_assert(std::random_access_iterator<ts::vector<int>::const_iterator>);
  context ctx(quiet("cpu*3"));
  ts::vector<int> v(support::counted(1000), ctx);
  support::add_on_devices(v, 1);
  std::reverse(v.begin(), v.end());
  CHECK(v[0] == 1000);
  std::sort(v.begin(), v.end());
  CHECK(v[999] == 1000);
  CHECK(std::accumulate(v.cbegin(), v.cend(), 0) == 500'500);
  CHECK(*v.rbegin() == 1000);
  CHECK(std::find(v.begin(), v.end(), 30) - v.begin() == 29);
  std::rotate(v.begin(), v.begin() + 500, v.end());
  swap(v[0], v[1]);
  v[2]++, --v[3];
  CHECK(std::vector<int>{v[0], v[1], v[2], v[3]} == std::vector{502, 501, 504, 503});
  CHECK(v[0] == 502L);
  CHECK(short{501} == v[1]);
  CHECK(v[0] != 1.5);
  CHECK(v[0] != v[1]);
  CHECK(v[0] + 1 > v[1]);
  const ts::vector<int>& unchanged = v;
  CHECK(unchanged[0] == 502);
  CHECK(unchanged.at(1) == 501);
}

TEST_CASE("elements of any size are copied and moved") {
  context ctx(quiet("cpu*3"));
  struct three {
    unsigned char a, b, c;
    bool operator==(const three&) const = default;
  };
  struct wide {
    double a, b;
    float c, d;
    bool operator==(const wide&) const = default;
  };
  const auto check = [&](auto value) {
    using type = decltype(value);
    ts::vector<type> v(20'000, type{}, ctx);
    v[19'999] = value;
    v.update_device();
    v.invalidate_device(), v.update_device();
    ts::vector<type> w = v;
    v.insert(v.begin() + 100, value);
    w.erase(w.begin() + 3);
    CHECK(v.size() == 20'001);
    CHECK(v[100] == value);
    CHECK(v[100] == v[20'000]);
    CHECK(v[100] != v[99]);
    CHECK(v[20'000].get() == value);
    CHECK(w[19'998].get() == value);
    CHECK(w[0].get() == type{});
  };
  check(three{1, 2, 3});
  check(wide{1, 2, 3, 4});
  check(true);
  check(std::uint16_t{7});
  check(std::int64_t{-7});
  check(2.5F);
}

TEST_CASE("ranks give and get their own elements") {
  for (const int ranks : {1, 2, 3})
    support::on_ranks(ranks, "cpu*2", [&](context& ctx) {
      constexpr int n = 100'000;
      ts::vector<int> v(n, ctx);
      std::vector<int> own;
      for (const box& b : v.own_boxes())
        for (std::int64_t i = b.lo[0]; i < b.hi[0]; ++i) own.push_back(static_cast<int>(i));
      v.from_own(own);
      require(v.to_host() == support::counted(n), "from_own misplaced elements");
      v[5] = -5;
      {
        const auto mine = v.local(ts::readwrite);
        require(mine.size() == own.size(), "a rank has another number of elements");
        for (int& e : mine) e += 1;
      }
      require(v[5] == -4 && v[n - 1] == n, "local lost a change");
      v.from_root(ranks - 1, support::counted(ctx.rank() == ranks - 1 ? n : 0));
      const std::vector<int> all = v.to_root(0);
      require(all == support::counted(ctx.rank() == 0 ? n : 0), "from_root or to_root misplaced elements");
      std::int64_t placed = 0;
      for (const plan::placed_box& p : v.layout()) placed += p.bounds.volume();
      require(placed == n, "layout leaves elements out");
    });
}

TEST_CASE("element reads broadcast blocks, and element writes send no messages") {
  support::on_ranks(2, "cpu", [](context& ctx) {
    ts::vector<int> v(100'000, 1, ctx);
    support::add_on_devices(v, 1);
    support::movement here(ctx);
    for (int i = 0; i < 100'000; i += 100) require(v[i] == 2, "an element differs");
    const std::int64_t received = here.moved().received_bytes;
    require(received > 0 && received < 250'000, "a portion is received once");
    for (int i = 0; i < 100'000; ++i) v[i] = i;
    support::add_on_devices(v, 1);
    require(here.moved().received_bytes < received + 10'000, "writes need no messages");
    require(v[99'999] == 100'000, "an element differs");
  });
}

TEST_CASE("vectors are cut at multiples of 4096 elements, and small ones are on one device") {
  const auto cuts = [](const char* small, std::int64_t n) {
    const support::scoped_variable limit("TESSERA_SMALL", small);
    std::vector<std::int64_t> result;
    for (const plan::placed_box& p : ts::vector<int>(n, context(quiet("cpu*3"))).layout())
      result.push_back(p.bounds.hi[0]);
    return result;
  };
  CHECK(cuts("256KiB", 100'000) == std::vector<std::int64_t>{36'864, 73'728, 100'000});
  CHECK(cuts("256KiB", 16'000) == std::vector<std::int64_t>{16'000});
  CHECK(cuts("0", 30) == std::vector<std::int64_t>{10, 20, 30});
}

TEST_CASE("capacity grows by half, and shrink_to_fit gives back the rest") {
  context ctx(quiet("cpu*3"));
  ts::vector<int> v(1000, 1, ctx);
  support::add_on_devices(v, 1);
  v.push_back(5);
  CHECK(v.capacity() == 1500);
  v.shrink_to_fit();
  CHECK(v.capacity() == 1001);
  CHECK(v.front() == 2);
  CHECK(v.back() == 5);
}

TEST_CASE("vectors without elements, with one, and with fewer than devices are legal") {
  context ctx(quiet("cpu*3"));
  for (int n = 0; n < 5; ++n) {
    ts::vector<int> v(n, 3, ctx);
    support::add_on_devices(v, 1);
    const ts::vector<int> copy = v;
    CHECK(copy.to_host() == std::vector<int>(static_cast<std::size_t>(n), 4));
    CHECK(v.part(0, n).to_host().size() == static_cast<std::size_t>(n));
    v.flush(), v.update_device(), v.invalidate_device(), v.update_host();
    v.insert(v.end(), {1, 2});
    v.erase(v.begin(), v.end());
    CHECK(v.empty());
    CHECK(v.local(ts::read).empty());
    v.from_own({});
    v.resize(n);
    CHECK(v == ts::vector<int>(n, ctx));
  }
}
