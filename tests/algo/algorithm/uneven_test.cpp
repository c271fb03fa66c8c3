// Algorithms on vectors whose parts are uneven, of which some devices have none, or one has all.
#include "tests/algo/algorithm/support.h"

#include <algorithm>
#include <numeric>

using namespace tessera::support;
namespace views = ts::views;

namespace {

using ints = std::vector<int>;

/// Vectors of `n` numbers below `below` in parts of the given thousandths.
struct uneven_vectors {
  ts::context ctx;
  std::int64_t n;

  [[nodiscard]] ts::vector<int> make(const ints& values, const std::vector<std::int64_t>& thousandths) const {
    std::vector<std::int64_t> sizes;
    std::int64_t left = n;
    for (const std::int64_t share : thousandths) {
      sizes.push_back(std::min(left, (n * share + 999) / 1000));
      left -= sizes.back();
    }
    sizes.back() += left;
    return ts::from_parts(values, sizes, ctx);
  }
};

const std::vector<std::vector<std::int64_t>> shares = {{1, 998, 1}, {0, 500, 500}, {0, 0, 1000}, {1000, 0, 0}};

template <class Body>
void for_each_pair(Body body) {
  ts::context ctx(with_room(cut_everywhere("cpu*3"), 256 << 10));
  for (const std::int64_t n : {1, 2, 6000})
    for (std::size_t k = 0; k < shares.size(); ++k) {
      CAPTURE(n);
      CAPTURE(k);
      body(uneven_vectors{ctx, n}, shares[k], shares[(k + 1) % shares.size()]);
    }
}

}  // namespace

TEST_CASE("scans and segments of uneven parts") {
  for_each_pair([](const uneven_vectors& all, const auto& one, const auto& other) {
    const ints a = numbers_below(all.n, 1000), k = numbers_below(all.n, 2, 3);
    const ts::vector<int> x = all.make(a, one), keys = all.make(k, other);
    ts::vector<int> out = all.make(a, other);
    ints sums(a.size()), by_key(a.size());
    std::inclusive_scan(a.begin(), a.end(), sums.begin());
    ts::inclusive_scan(x, out);
    CHECK(out.to_host() == sums);
    for (std::size_t i = 0; i < a.size(); ++i) by_key[i] = a[i] + (i > 0 && k[i] == k[i - 1] ? by_key[i - 1] : 0);
    ts::inclusive_scan_by_key(keys, x, out);
    CHECK(out.to_host() == by_key);
    std::vector<std::int64_t> offsets{0, all.n / 3, all.n / 3, all.n};
    const auto sum = [&](std::size_t s) {
      return std::accumulate(a.begin() + offsets[s], a.begin() + offsets[s + 1], 1);
    };
    CHECK(ts::segmented_reduce(x, offsets, 1).to_host() == ints{sum(0), sum(1), sum(2)});
  });
}

TEST_CASE("gathers, scatters, searches and reversals of uneven parts") {
  for_each_pair([](const uneven_vectors& all, const auto& one, const auto& other) {
    const auto n = static_cast<int>(all.n);
    ints a = numbers_below(all.n, 1000), taken(a.size()), m(a.size());
    for (int i = 0; i < n; ++i) m[static_cast<std::size_t>(i)] = static_cast<int>(std::int64_t{i} * 7 % n);
    const ts::vector<int> source = all.make(a, one), map = all.make(m, other);
    ts::vector<int> out = all.make(a, other);
    std::transform(m.begin(), m.end(), taken.begin(), [&](int at) { return a[static_cast<std::size_t>(at)]; });
    ts::gather(map, source, out);
    CHECK(out.to_host() == taken);
    const ints few(m.begin(), m.begin() + (n + 9) / 10);
    const ts::vector<int> some = ts::gather(ts::vector<int>(few, all.ctx), source);
    CHECK(some.to_host() == ints(taken.begin(), taken.begin() + (n + 9) / 10));
    ts::scatter(source, views::reverse(views::counting(0, n)), out);
    CHECK(out.to_host() == ints(a.rbegin(), a.rend()));
    ts::rotate(out, n / 3);
    ts::reverse(out);
    ints turned(a.rbegin(), a.rend());
    std::rotate(turned.begin(), turned.begin() + n / 3, turned.end());
    CHECK(out.to_host() == ints(turned.rbegin(), turned.rend()));
    std::sort(a.begin(), a.end());
    const ts::vector<int> sorted = all.make(a, one);
    std::vector<std::int64_t> lower;
    for (const int q : few) lower.push_back(std::lower_bound(a.begin(), a.end(), q) - a.begin());
    CHECK(ts::lower_bound(sorted, ts::vector<int>(few, all.ctx)).to_host() == lower);
  });
}
