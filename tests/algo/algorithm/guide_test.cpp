// The code of docs/guide/algorithms.md, which this file holds block by block.
#include "tests/support/guide.h"

#include "tests/algo/algorithm/support.h"

TEST_CASE("the code of the guide to algorithms runs") {
  const ts::context ctx(tessera::support::quiet("cpu*3"));
  ts::set_default_context(ctx);
  // clang-format off
ts::vector<float> x(1000, 1.f), y(1000, 2.f);
ts::transform(x, y, [](auto v) { return 3 * v; });                        // y[i] = 3 * x[i]
ts::transform(x.begin(), x.begin() + 500, y.begin(), y.begin(), ts::plus());
ts::fill(y.begin() + 990, y.end(), -1.f);
float least = y[ts::min_element(y)];
CHECK(least == -1);
CHECK(y[499] == 4);
CHECK(y[500] == 3);
auto difference = ts::views::zip(x, y) | ts::views::transform([](auto u, auto v) { return u - v; });
float sum = ts::reduce(difference).get();                                 // nothing is stored
ts::vector<float> backwards = ts::views::reverse(difference);             // stored here
CHECK(sum == 500 * -3 + 490 * -2 + 10 * 2);
CHECK(backwards[0] == 2);
ts::vector<int> ones(10, 1), total(10);
ts::inclusive_scan(ones.begin(), ones.end(), total.begin());              // 1, 2, ..., 10
ts::vector<int> before = ts::exclusive_scan(ones, 100);                   // 100, 101, ...
ts::vector<int> keys{0, 0, 1, 1, 1, 2, 2, 2, 2, 3};
ts::vector<int> rank = ts::inclusive_scan_by_key(keys, ones);             // begins anew at each key
ts::vector<int> length = ts::segmented_reduce(ones, std::vector<int>{0, 2, 5, 9, 10});
CHECK(total[9] == 10);
CHECK(before[9] == 109);
CHECK(rank.to_host() == std::vector<int>{1, 2, 1, 2, 3, 1, 2, 3, 4, 1});
CHECK(length.to_host() == std::vector<int>{2, 3, 4, 1});
ts::vector<int> odd = ts::copy_if(total, [](auto v) { return v % 2 == 1; });
std::int64_t gone = ts::remove_if(total, [](auto v) { return v > 6; });   // total is shorter, as by std::erase_if
auto [id, count] = ts::reduce_by_key(keys, ones);                         // 0, 1, 2, 3 and 2, 3, 4, 1
std::int64_t different = ts::unique(keys);                                // how many went
ts::rebalance(odd);                                                       // even parts again
CHECK(odd.to_host() == std::vector<int>{1, 3, 5, 7, 9});
CHECK(gone == 4);
CHECK(id.to_host() == std::vector<int>{0, 1, 2, 3});
CHECK(count.to_host() == length.to_host());
CHECK(different == 6);
ts::vector<int> price{5, 3, 9, 3, 7}, article{0, 1, 2, 3, 4};
ts::sort_by_key(price, article);                                          // stable, as all sorts are
ts::sort(price, ts::greater());
ts::vector<int> best = ts::top_k(price, 2);                               // 9, 7
ts::vector<std::int64_t> place = ts::lower_bound(ts::counting(0, 100), price);
ts::vector<int> merged = ts::merge(ts::counting(0, 3), ts::counting(1, 4));
CHECK(article.to_host() == std::vector<int>{1, 3, 0, 4, 2});
CHECK(best.to_host() == std::vector<int>{9, 7});
CHECK(place.to_host() == std::vector<std::int64_t>{9, 7, 5, 3, 3});
CHECK(merged.to_host() == std::vector<int>{0, 1, 1, 2, 2, 3});
ts::vector<int> from{4, 0, 0, 2};
ts::vector<int> picked = ts::gather(from, article);
ts::scatter(picked, from, price);                                         // price[from[i]] = picked[i]
ts::rotate(price.begin(), price.begin() + 2, price.end());
ts::shuffle(price, 7);                                                    // the same on any devices
CHECK(picked.to_host() == std::vector<int>{2, 1, 1, 0});
CHECK(ts::reduce(price).get() == 13);
  // clang-format on
}

TEST_CASE("the guide to algorithms holds no code but what is run here") {
  tessera::support::check_guide("algorithms.md", "algo/algorithm/guide_test.cpp", 6);
}
