#include "tests/linop/support.h"

using namespace tessera::support;
using ts::scalar_kind;

TEST_CASE("diagonals multiply by all or some dimensions") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 3, 4}, scalar_kind::complex64),
                w = random_plain({3, 4}, scalar_kind::complex64, 2), v = random_plain({3}, scalar_kind::float32, 3);
    check_operator(
        ctx, lin::diagonal(array_of(ctx, w, scalar_kind::complex64), "M N"), x,
        [&](const index_list& i) {
          return x.at(i) * w.at({i[1], i[2]});
        },
        x.shape);
    check_operator(
        ctx, lin::diagonal(array_of(ctx, v, scalar_kind::float32), "M", "M N"), x,
        [&](const index_list& i) { return x.at(i) * v.at({i[1]}); }, x.shape);
  });
}

TEST_CASE("identity, zero and scalars") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({3, 4}, scalar_kind::complex64);
    check_operator(
        ctx, lin::identity(), x, [&](const index_list& i) { return x.at(i); }, x.shape);
    check_operator(
        ctx, lin::scalar(cd(1, 2), "N"), x, [&](const index_list& i) { return cd(1, 2) * x.at(i); }, x.shape);
    check_operator(ctx, lin::zero("M N -> K", {{"K", 5}, {"M", 3}, {"N", 4}}), x, [](const index_list&) { return 0; },
                   {5});
  });
}

TEST_CASE("real parts, imaginary parts and conjugates are linear for real numbers") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({3, 4}, scalar_kind::complex64);
    check_operator(
        ctx, lin::real(), x, [&](const index_list& i) { return x.at(i).real(); }, x.shape);
    check_operator(
        ctx, lin::imag("N"), x, [&](const index_list& i) { return x.at(i).imag(); }, x.shape);
    check_operator(
        ctx, lin::conj(), x, [&](const index_list& i) { return std::conj(x.at(i)); }, x.shape);
    check_operator(
        ctx, cf(0, 2) * lin::real(), x, [&](const index_list& i) { return cd(0, 2) * x.at(i).real(); }, x.shape);
    CHECK_FALSE(lin::real().is_complex_linear());
  });
}

TEST_CASE("dense operators are any sum of products") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 3, 4}, scalar_kind::complex64),
                maps = random_plain({2, 5, 3, 4}, scalar_kind::complex64, 2),
                w = random_plain({4, 6, 3}, scalar_kind::float32, 3);
    // Nothing is summed, as with coil maps.
    check_operator(ctx, lin::dense(array_of(ctx, maps, scalar_kind::complex64), "B C M N, B M N -> B C M N"), x,
                   [&](const index_list& i) {
                     return maps.at(i) * x.at({i[0], i[2], i[3]});
                   },
                   {2, 5, 3, 4});
    // Everything at once: a sum over both, one over the weight alone, and the order of axes changed.
    check_operator(ctx, lin::dense(array_of(ctx, w, scalar_kind::float32), "N Q M, M N -> N"), x,
                   [&](const index_list& i) {
                     cd sum = 0;
                     for (std::int64_t q = 0; q < 6; ++q)
                       for (std::int64_t m = 0; m < 3; ++m) sum += w.at({i[1], q, m}) * x.at({i[0], m, i[1]});
                     return sum;
                   },
                   {2, 4});
    check_operator(ctx, lin::dense(array_of(ctx, w, scalar_kind::float32), "N Q M, M N -> Q"), x,
                   [&](const index_list& i) {
                     cd sum = 0;
                     for (std::int64_t m = 0; m < 3; ++m)
                       for (std::int64_t n = 0; n < 4; ++n) sum += w.at({n, i[1], m}) * x.at({i[0], m, n});
                     return sum;
                   },
                   {2, 6});
  });
}

namespace {

/// Dense operators large enough to be products of matrices, in every order of axes that is one.
void check_product(const ts::context& ctx, const char* form, const ts::extents& w_shape, const ts::extents& x_shape,
                   const ts::extents& y_shape, bool stacked, bool weight_depth_last, bool columns_first) {
  const plain w = random_plain(w_shape, scalar_kind::complex64, 5),
              x = random_plain(x_shape, scalar_kind::complex64, 6);
  const lin::op a = lin::dense(array_of(ctx, w, scalar_kind::complex64), form);
  const std::int64_t depth = w_shape[w_shape.rank() - (weight_depth_last ? 1 : 2)];
  check_operator(ctx, a, x,
                 [&](const index_list& o) {
                   const std::int64_t front = o.size() == 3 ? o[0] : 0, p = o[o.size() - 2], q = o[o.size() - 1];
                   const std::int64_t row = columns_first ? q : p, column = columns_first ? p : q;
                   cd sum = 0;
                   for (std::int64_t k = 0; k < depth; ++k) {
                     index_list at_w = weight_depth_last ? index_list{row, k} : index_list{k, row};
                     index_list at_x = columns_first ? index_list{column, k} : index_list{k, column};
                     if (stacked) at_w.insert(at_w.begin(), front);
                     if (o.size() == 3) at_x.insert(at_x.begin(), front);
                     sum += w.at(at_w) * x.at(at_x);
                   }
                   return sum;
                 },
                 y_shape, {.tolerance = 2e-5});
}

}  // namespace

TEST_CASE("large dense operators are products of matrices") {
  for_each_context([](const ts::context& ctx) {
    check_product(ctx, "T K, K N -> T N", {40, 32}, {32, 48}, {40, 48}, false, true, false);
    check_product(ctx, "K T, K N -> T N", {32, 40}, {32, 48}, {40, 48}, false, false, false);
    check_product(ctx, "T K, N K -> N T", {40, 32}, {48, 32}, {48, 40}, false, true, true);
    check_product(ctx, "K T, N K -> N T", {32, 40}, {48, 32}, {48, 40}, false, false, true);
    check_product(ctx, "T K, K N -> T N", {40, 32}, {3, 32, 24}, {3, 40, 24}, false, true, false);
    check_product(ctx, "S T K, S K N -> S T N", {3, 40, 32}, {3, 32, 24}, {3, 40, 24}, true, true, false);
    check_product(ctx, "S T K, S N K -> S N T", {3, 40, 32}, {3, 24, 32}, {3, 24, 40}, true, true, true);
  });
}

TEST_CASE("the devices share the rows of a matrix that multiplies one vector") {
  setenv("TESSERA_SMALL", "0", 1);
  ts::context ctx(quiet_with("cpu*4", 4 << 20));
  const plain w = random_plain({400, 256}, scalar_kind::float32, 2), x = random_plain({256}, scalar_kind::float32);
  const lin::op a = lin::dense(array_of(ctx, w, scalar_kind::float32), "T K, K -> T");
  const ts::array_base at = array_of(ctx, x, scalar_kind::float32);
  const std::int64_t before = ctx.stats().superblocks;
  const ts::array_base y = a(at);
  ctx.wait();
  CHECK(ctx.stats().superblocks - before == 4);
  const auto element = [&](const index_list& i) {
    cd sum = 0;
    for (std::int64_t k = 0; k < 256; ++k) sum += w.at({i[0], k}) * x.at({k});
    return sum;
  };
  CHECK(distance(lin::values_of(y), plain_of({400}, element).values) < 1e-4);
  const lin::check_report report = lin::check(a, {.kind = scalar_kind::float32}, ctx);
  CAPTURE(report.text());
  CHECK(report.passed());
}

TEST_CASE("the Gram form of a dense operator is its normal") {
  for_each_context([](const ts::context& ctx) {
    const plain w = random_plain({2, 7, 5}, scalar_kind::complex64, 2),
                x = random_plain({2, 5, 3}, scalar_kind::complex64);
    const ts::array_base weight = array_of(ctx, w, scalar_kind::complex64),
                         at = array_of(ctx, x, scalar_kind::complex64);
    const lin::op pair = lin::dense(weight, "S T K, S K N -> S T N"),
                  gram = lin::dense(weight, "S T K, S K N -> S T N", {.normal = lin::normal_form::gram});
    CHECK(has(gram.N().text(), "gram("));
    CHECK(lin::to_string(gram.N().oshape()) == "S K1 N");
    CHECK(distance(lin::values_of(gram.N()(at)), lin::values_of(pair.N()(at))) < 2e-5);
    const lin::check_report report = lin::check(gram, {.sizes = {{"N", 3}}}, ctx);
    CAPTURE(report.text());
    CHECK(report.passed());
  });
}

TEST_CASE("sums, copies and other orders of dimensions") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 3, 4}, scalar_kind::complex64);
    check_operator(ctx, lin::sum_reduce("M N -> N", {{"M", 3}}), x,
                   [&](const index_list& i) {
                     cd sum = 0;
                     for (std::int64_t m = 0; m < 3; ++m) sum += x.at({i[0], m, i[1]});
                     return sum;
                   },
                   {2, 4});
    check_operator(ctx, lin::repeat("M N -> M C N", {{"C", 5}}), x,
                   [&](const index_list& i) {
                     return x.at({i[0], i[1], i[3]});
                   },
                   {2, 3, 5, 4});
    check_operator(ctx, lin::rearrange("M N -> N M"), x,
                   [&](const index_list& i) {
                     return x.at({i[0], i[2], i[1]});
                   },
                   {2, 4, 3});
  });
}

TEST_CASE("sums of many elements to few results are made in chunks") {
  for_each_context(
      [](const ts::context& ctx) {
        const plain x = random_plain({2, 20'000}, scalar_kind::complex64);
        const lin::op s = lin::sum_reduce("M N -> M", {{"N", 20'000}});
        const lin::host_values got = lin::values_of((cf(0, 2) * s)(array_of(ctx, x, scalar_kind::complex64)));
        const plain expected = plain_of({2}, [&](const index_list& i) {
          cd sum = 0;
          for (std::int64_t n = 0; n < 20'000; ++n) sum += x.at({i[0], n});
          return cd(0, 2) * sum;
        });
        CHECK(distance(got, expected.values) < 1e-2);
      },
      1 << 20);
}

TEST_CASE("the adjoint of a sum needs the size that is gone") {
  ts::context ctx(quiet("cpu"));
  const std::string said =
      message_of([&] { static_cast<void>(lin::sum_reduce("M N -> N").H()(ctx.ones<float>({4}))); });
  CHECK(has(said, "the size of M of sum_reduce(M N -> N).H does not follow"));
}
