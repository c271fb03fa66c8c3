// Operators made of data or functions of the program: sums along an axis, sparse matrices, samples, functions, kernels.
#include "tests/linop/support.h"

using namespace tessera::support;
using ts::scalar_kind;

TEST_CASE("running sums, of axes shorter and longer than chunks of chunks") {
  for_each_context(
      [](const ts::context& ctx) {
        for (const std::int64_t n : {1, 5, 32, 33, 100, 1100}) {
          const plain x = random_plain({2, n}, scalar_kind::complex64);
          CAPTURE(n);
          std::vector<cd> sums(ts::index(2 * n));
          for (std::int64_t b = 0; b < 2; ++b) {
            cd sum = 0;
            for (std::int64_t i = 0; i < n; ++i) sums[ts::index(b * n + i)] = sum += x.at({b, i});
          }
          check_operator(ctx, lin::cumsum("N"), x,
                         [&](const index_list& i) { return sums[ts::index(i[0] * n + i[1])]; }, x.shape,
                         {.tolerance = 2e-5});
        }
      },
      1 << 20);
}

TEST_CASE("sparse matrices with empty rows and columns, of real and complex numbers") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 3, 4}, scalar_kind::complex64);
    const std::vector<lin::coo_entry> entries{{4, 11, cd(1, 2)}, {0, 3, 2}, {4, 0, cd(0, 1)}, {0, 5, -1}, {0, 3, 0.5}};
    for (const scalar_kind kind : {scalar_kind::complex64, scalar_kind::float64}) {
      const lin::op a = lin::sparse(ctx, lin::csr_of(6, 12, entries), "M N -> K", {.kind = kind, .sizes = {{"M", 3}}});
      check_operator(ctx, a, x,
                     [&](const index_list& i) {
                       cd sum = 0;
                       for (const lin::coo_entry& e : entries)
                         if (e.row == i[1])
                           sum += (kind == scalar_kind::complex64 ? e.value : cd(e.value.real())) *
                                  x.at({i[0], e.column / 4, e.column % 4});
                       return sum;
                     },
                     {2, 6});
    }
  });
}

TEST_CASE("samples at places, which may be equal, and where a mask is true") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 4, 5}, scalar_kind::complex64);
    const std::vector<std::int64_t> places{3, 0, 3, 2};
    check_operator(ctx, lin::sampling(ctx, places, 5, "N -> K"), x,
                   [&](const index_list& i) {
                     return x.at({i[0], i[1], places[ts::index(i[2])]});
                   },
                   {2, 4, 4});
    std::vector<bool> mask(20);
    index_list kept;
    for (std::int64_t k = 0; k < 20; ++k)
      if ((mask[ts::index(k)] = k % 3 == 1)) kept.push_back(k);
    check_operator(ctx, lin::sampling(ctx, mask, {4, 5}, "M N -> K"), x,
                   [&](const index_list& i) {
                     return x.at({i[0], kept[ts::index(i[1])] / 5, kept[ts::index(i[1])] % 5});
                   },
                   {2, static_cast<std::int64_t>(kept.size())});
  });
}

TEST_CASE("matrices that are none are refused") {
  ts::context ctx(quiet("cpu"));
  const auto refused = [&](const lin::csr_matrix& m) {
    return message_of([&] { return lin::sparse(ctx, m, "N -> M"); });
  };
  CHECK(has(refused({2, 3, {0, 1, 2}, {0, 3}, {1, 1}}), "entry 1 is in column 3, but there are 3"));
  CHECK(has(refused({2, 3, {0, 1}, {0}, {1}}), "2 rows have 3 offsets"));
  CHECK(has(refused({2, 3, {0, 2, 1}, {0}, {1}}), "must not descend"));
  CHECK(has(refused({1, 3, {0, 2}, {0}, {1}}), "the offsets end at 2"));
  CHECK(has(message_of([] { return lin::csr_of(2, 2, {{2, 0, 1}}); }), "is in row 2"));
  CHECK(has(message_of([&] { return lin::sampling(ctx, std::vector<bool>(5), {2, 3}, "M N -> K"); }), "a mask of 5"));
}

TEST_CASE("functions of the program are operators") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 6}, scalar_kind::complex64), w = random_plain({6}, scalar_kind::complex64, 3);
    const lin::op d = lin::diagonal(array_of(ctx, w, scalar_kind::complex64), "N");
    const lin::op a =
        lin::from_functions([d](const auto& from, const auto& to) { d.apply(1, from, 0, to); },
                            [d](const auto& from, const auto& to) { d.apply(1, from, 0, to, lin::adj); }, "N -> N");
    CHECK(distance(lin::values_of((a + a)(array_of(ctx, x, scalar_kind::complex64))),
                   lin::values_of((2 * d)(array_of(ctx, x, scalar_kind::complex64)))) < 1e-6);
    const lin::check_report report = lin::check(a, {.sizes = {{"N", 6}}, .batch = {2}}, ctx);
    CAPTURE(report.text());
    CHECK(report.passed());
    const lin::op one_way = lin::from_functions([](const auto&, const auto&) {}, nullptr, "N -> N");
    CHECK(has(message_of([&] { return one_way.H()(array_of(ctx, x, scalar_kind::complex64)); }), "has no adjoint"));
  });
}

TEST_CASE("sizes that operators are told are those of their dimensions, and not negative") {
  const auto nothing = [](const auto&, const auto&) {};
  const auto of_functions = [&](const char* name, std::int64_t size) {
    static_cast<void>(lin::from_functions(nothing, nothing, "N -> N", {.sizes = {{name, size}}}));
  };
  CHECK(has(message_of([&] { of_functions("M", 3); }), "has no dimension M"));
  CHECK(has(message_of([&] { of_functions("N", -3); }), "the size of N is negative: -3"));
  CHECK(has(message_of([] { static_cast<void>(lin::cumsum("N", {{"N", -1}})); }), "the size of N is negative: -1"));
  CHECK(has(message_of([] { static_cast<void>(lin::zero("N", {{"N", -1}})); }), "the size of N is negative: -1"));
  CHECK(has(message_of([] { static_cast<void>(lin::sum_reduce("N -> ", {{"N", -1}})); }), "is negative: -1"));
}

TEST_CASE("annotated kernels of the program are operators") {
  setenv("TESSERA_SMALL", "0", 1);
  for (const char* devices : {"cpu", "cpu*3"}) {
    ts::context ctx(quiet_with(devices, 1 << 20));
    const auto shifted = [&](const char* name, int by) {
      return ctx.native(
          name, "long long n, float* y, const float* x",
          by < 0 ? "global i => write y[i], read x[i - 1]" : "global i => write y[i], read x[i + 1]",
          everywhere([by](ts::native_call& call) {
            const auto n = call.scalar<long long>(0);
            for (std::int64_t i = call.points().lo[0]; i < std::min<std::int64_t>(call.points().hi[0], n); ++i)
              call.data<float>(1)[i] = i + by >= 0 && i + by < n ? call.data<const float>(2)[i + by] : 0.0f;
          }));
    };
    const lin::op a = lin::from_kernels(shifted("back", -1), shifted("on", 1), "N -> N1",
                                        {.threads = "N", .block = {4}, .args = {lin::size("N"), lin::out, lin::in}},
                                        {.sizes = {{"N", 50}, {"N1", 50}}});
    const plain x = random_plain({3, 50}, scalar_kind::float32);
    const lin::host_values got = lin::values_of(a(array_of(ctx, x, scalar_kind::float32)));
    CHECK(distance(got, plain_of({3, 50}, [&](const index_list& i) { return x.at({i[0], i[1] - 1}); }).values) == 0);
    const lin::check_report report = lin::check(a, {.batch = {2}, .kind = scalar_kind::float32}, ctx);
    CAPTURE(report.text());
    CHECK(report.passed());
  }
  CHECK(has(message_of([] { return lin::from_kernels({}, {}, "N -> M", {.threads = "K"}); }), ".threads names K"));
}

TEST_CASE("the check names what an operator is not") {
  for_each_context([](const ts::context& ctx) {
    const plain w = random_plain({5}, scalar_kind::complex64, 3);
    const lin::op d = lin::diagonal(array_of(ctx, w, scalar_kind::complex64), "N");
    const auto report_of = [&](const lin::operator_function& forward, const lin::operator_function& adjoint) {
      return lin::check(lin::from_functions(forward, adjoint, "N -> N"), {}, ctx).text();
    };
    const lin::operator_function right = [d](const auto& x, const auto& y) { d.apply(1, x, 0, y); };
    CHECK(has(report_of(right, right), "<A x, y> = <x, A^H y> does not hold"));
    const lin::operator_function square = [](const auto& x, const auto& y) { lin::diagonal(x, "N").apply(1, x, 0, y); };
    CHECK(has(report_of(square, right), "A (p x + q z) = p A x + q A z does not hold"));
    const lin::operator_function greedy = [](const auto& x, const auto& y) {
      lin::identity().apply(1, x, 0, y);
      x.fill_bytes(ts::bytes_of(cf(0)));
    };
    CHECK(has(report_of(greedy, greedy), "the input is left as it is does not hold"));
    CHECK(report_of(right, [d](const auto& x, const auto& y) { d.apply(1, x, 0, y, lin::adj); }).empty());
  });
}
