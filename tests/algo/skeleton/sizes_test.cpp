// Containers without elements, with one, and with fewer than devices, in every skeleton.
#include "tests/algo/container/support.h"

using namespace tessera;
using support::cut_everywhere;

TS_DEVICE(inline int sum_of_whole(ts::index1, ts::vec<int> all, int factor) {
  int sum = 0;
  for (int k = 0; k < all.size(); ++k) sum += factor * all[k];
  return sum;
})

namespace {

std::vector<int> list(std::int64_t n, int value) { return std::vector<int>(static_cast<std::size_t>(n), value); }

template <class Body>
void for_each_size(Body body) {
  for (const char* devices : {"cpu", "cpu*5"}) {
    context ctx(cut_everywhere(devices));
    for (const std::int64_t n : {0, 1, 3}) {
      CAPTURE(devices);
      CAPTURE(n);
      body(ctx, n);
    }
  }
}

}  // namespace

TEST_CASE("maps of few elements and of none") {
  for_each_size([](context& ctx, std::int64_t n) {
    const ts::vector<int> v(n, 2, ctx);
    ts::vector<int> out(n, 0, ctx);
    const auto square = ts::map([](auto e) { return e * e; });
    CHECK(square(v).to_host() == list(n, 4));
    square.into(out, v);
    CHECK(out.to_host() == list(n, 4));
    auto [a, b] = ts::map([](auto e) { return ts::tuple(e, -e); })(v);
    CHECK(a.to_host() == list(n, 2));
    CHECK(b.to_host() == list(n, -2));
    ts::map<sum_of_whole>().into(out, v, 3);
    CHECK(out.to_host() == list(n, static_cast<int>(6 * n)));
    ts::vector<int> one(1, 0, ctx);
    ts::map<sum_of_whole>().into(one, v, 3);  // an empty container as a whole
    CHECK(one[0] == 6 * n);
    CHECK(ts::map(ts::host([](int e) { return e + 1; }))(v).to_host() == list(n, 3));
    const ts::matrix<int> wide(n, 4, 2, ctx), flat(4, n, 2, ctx);
    CHECK(square(wide).shape() == extents{n, 4});
    CHECK(square(flat).to_host() == list(4 * n, 4));
  });
}

TEST_CASE("reductions of few elements and of none") {
  for_each_size([](context& ctx, std::int64_t n) {
    const ts::vector<int> v(n, 2, ctx);
    CHECK(ts::reduce(v).get() == 2 * n);
    CHECK(ts::reduce(v, ts::multiplies()).get() == (n == 0 ? 1 : n == 1 ? 2 : 8));
    CHECK(ts::reduce(v.begin(), v.end()).get() == 2 * n);
    CHECK(ts::map_reduce(ts::multiplies(), ts::plus())(v, v).get() == 4 * n);
    const ts::matrix<int> wide(n, 4, 2, ctx), flat(4, n, 2, ctx), none(n, 0, ctx);
    CHECK(ts::reduce_rows(wide).to_host() == list(n, 8));
    CHECK(ts::reduce_rows(flat).to_host() == list(4, static_cast<int>(2 * n)));
    CHECK(ts::reduce_columns(wide).to_host() == list(4, static_cast<int>(2 * n)));
    CHECK(ts::reduce_columns(flat).to_host() == list(n, 8));
    CHECK(ts::reduce_rows(none).to_host() == list(n, 0));
    CHECK(ts::reduce_columns(none).size() == 0);
    CHECK(ts::reduce(wide).get() == 8 * n);
  });
}

TEST_CASE("scans of few elements and of none") {
  for_each_size([](context& ctx, std::int64_t n) {
    ts::vector<int> v(n, 2, ctx);
    const std::vector<int> all{2, 4, 6}, before{9, 11, 13};
    CHECK(ts::inclusive_scan(v).to_host() == std::vector<int>(all.begin(), all.begin() + n));
    CHECK(ts::exclusive_scan(v, 9).to_host() == std::vector<int>(before.begin(), before.begin() + n));
    ts::inclusive_scan_into(v, v);
    CHECK(v.to_host() == std::vector<int>(all.begin(), all.begin() + n));
  });
}

TEST_CASE("neighbourhoods and pairs of few elements and of none") {
  for_each_size([](context& ctx, std::int64_t n) {
    const ts::vector<int> v(n, 2, ctx), w(2, 5, ctx);
    ts::vector<int> out(n, 0, ctx);
    auto sum = ts::map_overlap<1>([](auto c) { return c(-2) + c(0) + c(2); }, {2});
    sum.edge(ts::duplicate).into(out, v);
    CHECK(out.to_host() == list(n, 6));
    sum.edge(ts::cyclic).into(out, v);
    CHECK(out.to_host() == list(n, 6));
    sum.edge(ts::pad(0)).into(out, v);
    CHECK(out.to_host() == (n == 3 ? std::vector<int>{4, 2, 4} : list(n, 2)));
    ts::vector<int> kept(n, 7, ctx);
    sum.edge(ts::none).into(kept, v);
    CHECK(kept.to_host() == list(n, 7));
    const auto add = ts::map_pairs([](auto a, auto b) { return a + b; });
    CHECK(add(v, w).to_host() == list(2 * n, 7));
    CHECK(add(w, v).shape() == extents{2, n});
    const auto total = ts::map_pairs_reduce([](auto a, auto b) { return a + b; }, ts::plus());
    CHECK(total(v, w).to_host() == list(n, 14));
    CHECK(total(w, v).to_host() == list(2, static_cast<int>(7 * n)));
  });
}

TEST_CASE("calls and farms of few elements and of none") {
  for_each_size([](context& ctx, std::int64_t n) {
    ts::vector<int> v(n, 2, ctx);
    ts::call(support::make_adder(ctx), {.threads = {n}}, n, v, 3);
    CHECK(v.to_host() == list(n, 5));
    const auto task = [&] { ts::map([](auto e) { return e + 1; }).into(v, v); };
    ts::farm({task, task}, ctx);
    CHECK(v.to_host() == list(n, 7));
  });
}
