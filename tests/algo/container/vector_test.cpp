// ts::vector against std::vector.
#include <random>

#include "tests/algo/container/support.h"
#include "tests/array/on_ranks.h"

using namespace tessera;
using support::quiet;
using support::require;
using support::says;

namespace {

/// A random program of `steps` calls, made on a ts::vector and on a std::vector; throws where they differ.
void compare_programs(context ctx, unsigned seed, int steps, std::int64_t size) {
  std::mt19937 random(seed);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  std::vector<int> expected(static_cast<std::size_t>(size), 3);
  ts::vector<int> v(size, 3, ctx);
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
        if (n > 0) require(v[at] == expected[static_cast<std::size_t>(at)], "an element differs");
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
    options settings = quiet(devices);
    settings.small = devices[3] == 0 ? settings.small : 0;
    context ctx(settings);
    for (unsigned seed = 0; seed < 20; ++seed) {
      CAPTURE(seed);
      CHECK_NOTHROW(compare_programs(ctx, seed, 60, seed % 4 == 0 ? 0 : 17 * seed));
    }
  }
}
