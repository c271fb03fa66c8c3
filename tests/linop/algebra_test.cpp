#include "tests/linop/support.h"

using namespace tessera::support;
using ts::scalar_kind;

namespace {

struct sample {
  plain w, v, x;
  lin::op a, b;
};

/// Two operators from (K N) to (T N), and an x.
sample make_sample(const ts::context& ctx) {
  sample s{random_plain({4, 3}, scalar_kind::complex64, 1),
           random_plain({4, 3}, scalar_kind::complex64, 2),
           random_plain({3, 5}, scalar_kind::complex64, 3),
           {},
           {}};
  s.a = lin::dense(array_of(ctx, s.w, scalar_kind::complex64), "T K, K N -> T N");
  s.b = lin::dense(array_of(ctx, s.v, scalar_kind::complex64), "T K, K N -> T N");
  return s;
}

cd product(const plain& w, const plain& x, std::int64_t t, std::int64_t n) {
  cd sum = 0;
  for (std::int64_t k = 0; k < x.shape[0]; ++k) sum += w.at({t, k}) * x.at({k, n});
  return sum;
}

}  // namespace

TEST_CASE("sums, differences and multiples of operators are those of their results") {
  for_each_context([](const ts::context& ctx) {
    const sample s = make_sample(ctx);
    const cf i(0, 1);
    check_operator(ctx, s.a + s.b, s.x,
                   [&](const index_list& o) { return product(s.w, s.x, o[0], o[1]) + product(s.v, s.x, o[0], o[1]); },
                   {4, 5});
    check_operator(
        ctx, 2 * s.a - s.b / 4, s.x,
        [&](const index_list& o) { return 2.0 * product(s.w, s.x, o[0], o[1]) - 0.25 * product(s.v, s.x, o[0], o[1]); },
        {4, 5});
    check_operator(ctx, -(i * s.a), s.x, [&](const index_list& o) { return cd(0, -1) * product(s.w, s.x, o[0], o[1]); },
                   {4, 5});
  });
}

TEST_CASE("a chain is one operator behind the other") {
  for_each_context([](const ts::context& ctx) {
    const sample s = make_sample(ctx);
    check_operator(ctx, s.a.H() * s.b, s.x,
                   [&](const index_list& o) {
                     cd sum = 0;
                     for (std::int64_t t = 0; t < 4; ++t)
                       sum += std::conj(s.w.at({t, o[0]})) * product(s.v, s.x, t, o[1]);
                     return sum;
                   },
                   {3, 5});
  });
}

TEST_CASE("apply obeys its mode") {
  const ts::context ctx(quiet("cpu*3"));
  const sample s = make_sample(ctx);
  const ts::array_base x = array_of(ctx, s.x, scalar_kind::complex64);
  const ts::array_base y = s.a(x), z = s.a.N()(x);
  ts::array<cf> into = ts::context(ctx).zeros<cf>({3, 5});
  s.a.apply(1, y, 0, into, lin::adj);
  CHECK(distance(lin::values_of(into), lin::values_of(z)) < 1e-5);
  s.a.apply(2, x, -1, into, lin::normal);
  CHECK(distance(lin::values_of(into), lin::values_of(z)) < 1e-5);
}

TEST_CASE("identities vanish from chains and normal forms fold through what is unitary") {
  const ts::context ctx(quiet("cpu"));
  const sample s = make_sample(ctx);
  CHECK((lin::identity() * s.a).text() == s.a.text());
  CHECK((s.a * lin::identity("K N")).text() == s.a.text());
  const lin::op d = lin::diagonal(ts::context(ctx).ones<float>({5}), "N");
  CHECK(d.N().text() == "squared(N)");
  CHECK((lin::conj("N") * d).N().text() == "squared(N)");
  CHECK((2 * d).N().text() == "4 * squared(N)");
}

TEST_CASE("sizes that clash are refused where the chain is made, with both operators") {
  const ts::context ctx(quiet("cpu"));
  const lin::op a = lin::diagonal(ts::context(ctx).ones<float>({5}), "N"),
                b = lin::diagonal(ts::context(ctx).ones<float>({6}), "N");
  const std::string said = message_of([&] { static_cast<void>(a * b); });
  CHECK(has(said, "is 6 in diagonal(N), but 5 in diagonal(N)"));
  CHECK(has(message_of([&] { static_cast<void>(a + b); }), "but"));
}

TEST_CASE("arrays that do not fit are refused, with the place of the call") {
  const ts::context ctx(quiet("cpu")), other(quiet("cpu"));
  ts::context mutable_ctx = ctx;
  const lin::op a = lin::diagonal(mutable_ctx.ones<float>({4, 5}), "M N");
  CHECK(
      has(message_of([&] { static_cast<void>(a(mutable_ctx.ones<float>({5}))); }), "takes arrays with the axes (M N)"));
  const std::string size = message_of([&] { static_cast<void>(a(mutable_ctx.ones<float>({5, 5}))); });
  CHECK(has(size, "algebra_test.cpp"));
  CHECK(has(size, "4 in diagonal(M N)"));
  CHECK(has(message_of([&] { static_cast<void>(a(mutable_ctx.ones<int>({4, 5}))); }), "holds int32"));
  CHECK(has(message_of([&] { static_cast<void>(a(ts::array_base{})); }), "was not created"));
  CHECK(has(message_of([&] { static_cast<void>(a(ts::context(other).ones<float>({4, 5}))); }), "different contexts"));
  const ts::array<float> x = mutable_ctx.ones<float>({4, 5});
  CHECK(has(message_of([&] { a.apply(1, x, 0, x); }), "overlap"));
  CHECK(has(message_of([&] { a.apply(1, x, 0, mutable_ctx.ones<float>({4, 6})); }), "has the shape"));
  CHECK(has(message_of([&] { a.apply(cd(0, 1), x, 0, mutable_ctx.ones<float>({4, 5})); }), "complex64"));
  CHECK(has(message_of([&] { static_cast<void>(lin::op{}(x)); }), "was not made"));
}

TEST_CASE("results go to slices with gaps, and come from them") {
  for_each_context([](const ts::context& ctx) {
    ts::context c = ctx;
    const plain x = random_plain({2, 3, 4, 5, 6}, scalar_kind::complex64),
                w = random_plain({6}, scalar_kind::float32, 2);
    const ts::array_base whole = array_of(ctx, x, scalar_kind::complex64);
    const ts::array<cf> to = c.zeros<cf>({3, 4, 5, 6, 7});
    const auto part = to.slice({{1, 3}, {0, 3}, {1, 5}, {1, 6}, {1, 7}});
    const lin::op d = lin::diagonal(array_of(ctx, w, scalar_kind::float32), "N");
    d.apply(3, whole, 0, part);
    const auto element = [&](const index_list& i) { return 3.0 * x.at(i) * w.at({i[4]}); };
    CHECK(distance(lin::values_of(part), plain_of(x.shape, element).values) < 1e-5);
    CHECK(distance(lin::values_of((3 * d)(whole.slice({{0, 2}, {1, 3}, {1, 2}, {2, 4}}))),
                   plain_of({2, 2, 1, 2, 6}, [&](const index_list& i) {
                     return element({i[0], i[1] + 1, i[2] + 1, i[3] + 2, i[4]});
                   }).values) < 1e-5);
    double around = 0;
    for (const cd z : lin::values_of(to)) around += std::norm(z);
    double inside = 0;
    for (const cd z : lin::values_of(part)) inside += std::norm(z);
    CHECK(std::abs(around - inside) < 1e-3);
  });
}

TEST_CASE("operators take and give arrays without elements") {
  ts::context ctx(quiet("cpu*3"));
  const lin::op d = lin::diagonal(ctx.ones<float>({4}), "N"), s = lin::sum_reduce("M N -> N");
  CHECK(d(ctx.ones<float>({0, 4})).shape() == ts::extents{0, 4});
  const ts::array<float> sums(s(ctx.empty<float>({0, 4})));
  CHECK(sums.read() == std::vector<float>(4, 0));
}
