#include "tests/linop/support.h"

using namespace tessera::support;
using ts::scalar_kind;

TEST_CASE("pads, crops, slices and embeddings") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 5, 7}, scalar_kind::complex64);
    check_operator(ctx, lin::pad("M N -> P Q", {{1, 2}, {0, 3}}), x,
                   [&](const index_list& i) {
                     return x.at({i[0], i[1] - 1, i[2]});
                   },
                   {2, 8, 10});
    check_operator(ctx, lin::crop("M N -> P Q", {{1, 2}, {0, 3}}), x,
                   [&](const index_list& i) {
                     return x.at({i[0], i[1] + 1, i[2]});
                   },
                   {2, 2, 4});
    check_operator(ctx, lin::slice("M N -> P Q", {{1, 5, 2}, {2, 7, 3}}, {{"M", 5}, {"N", 7}}), x,
                   [&](const index_list& i) {
                     return x.at({i[0], 1 + 2 * i[1], 2 + 3 * i[2]});
                   },
                   {2, 2, 2});
    check_operator(ctx, lin::embed("M N -> P Q", {{1, 11, 2}, {2, 9, 1}}, {{"P", 12}, {"Q", 10}}), x,
                   [&](const index_list& i) {
                     return i[1] % 2 == 1 ? x.at({i[0], (i[1] - 1) / 2, i[2] - 2}) : cd(0);
                   },
                   {2, 12, 10});
    check_operator(ctx, lin::truncate("N -> Q", 4, {{"N", 7}}), x, [&](const index_list& i) { return x.at(i); },
                   {2, 5, 4});
    check_operator(ctx, lin::pad_dim("N -> Q", 9, {{"N", 7}}), x, [&](const index_list& i) { return x.at(i); },
                   {2, 5, 9});
  });
}

TEST_CASE("centred widths put the middle on the middle") {
  CHECK(lin::centered(4, 8) == std::pair<std::int64_t, std::int64_t>(2, 2));
  CHECK(lin::centered(5, 8) == std::pair<std::int64_t, std::int64_t>(2, 1));
  CHECK(lin::centered(4, 7) == std::pair<std::int64_t, std::int64_t>(1, 2));
}

TEST_CASE("flips and circular shifts") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 5, 7}, scalar_kind::complex64);
    check_operator(
        ctx, lin::flip("M N"), x,
        [&](const index_list& i) {
          return x.at({i[0], 4 - i[1], 6 - i[2]});
        },
        x.shape);
    for (const std::int64_t shift : {0, 3, -2, 12})
      check_operator(
          ctx, lin::roll("M N", {1, shift}), x,
          [&](const index_list& i) {
            return x.at({i[0], (i[1] + 4) % 5, ((i[2] - shift) % 7 + 7) % 7});
          },
          x.shape);
    CHECK(lin::to_string(lin::flip("N").oshape()) == "N1");
  });
}

TEST_CASE("arrays become blocks, which may overlap or leave gaps, and blocks are summed to arrays") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 9, 11}, scalar_kind::complex64);
    for (const auto& [block, stride] : std::vector<std::pair<index_list, index_list>>{
             {{3, 4}, {2, 4}}, {{4, 3}, {1, 2}}, {{2, 2}, {3, 5}}, {{9, 1}, {1, 1}}}) {
      const std::int64_t rows = (9 - block[0]) / stride[0] + 1, columns = (11 - block[1]) / stride[1] + 1;
      check_operator(ctx, lin::array_to_blocks("M N -> Bm Bn Km Kn", block, stride, {{"M", 9}, {"N", 11}}), x,
                     [&, s = stride](const index_list& i) {
                       return x.at({i[0], i[1] * s[0] + i[3], i[2] * s[1] + i[4]});
                     },
                     {2, rows, columns, block[0], block[1]});
    }
    const plain b = random_plain({3, 4}, scalar_kind::complex64);
    check_operator(ctx, lin::blocks_to_array("B K -> N", {4}, {2}, {{"N", 9}}), b,
                   [&](const index_list& i) {
                     cd sum = 0;
                     for (std::int64_t k = 0; k < 3; ++k)
                       if (i[0] - 2 * k >= 0 && i[0] - 2 * k < 4) sum += b.at({k, i[0] - 2 * k});
                     return sum;
                   },
                   {9});
  });
}

TEST_CASE("several axes become one") {
  for_each_context([](const ts::context& ctx) {
    const plain x = random_plain({2, 3, 4, 5}, scalar_kind::complex64);
    check_operator(ctx, lin::merge("A B C -> N", {{"A", 3}, {"B", 4}}), x,
                   [&](const index_list& i) {
                     return x.at({i[0], i[1] / 20, i[1] / 5 % 4, i[1] % 5});
                   },
                   {2, 60});
  });
}

TEST_CASE("maps that cannot be are refused") {
  ts::context ctx(quiet("cpu"));
  const ts::array<float> x = ctx.ones<float>({5});
  CHECK(has(message_of([&] {
              static_cast<void>(lin::crop("N -> M", {{3, 3}})(x));
            }),
            "takes 6 elements off N, which has 5"));
  CHECK(has(message_of([&] { static_cast<void>(lin::slice("N -> M", {{2, 7}})(x)); }), "takes elements 2 to 6 of N"));
  CHECK(has(message_of([] { static_cast<void>(lin::slice("N -> M", {{4, 2}})); }), "elements 4 to 2"));
  CHECK(has(message_of([] { static_cast<void>(lin::pad("N -> M", {{-1, 2}})); }), "give none or more"));
  CHECK(has(message_of([] { static_cast<void>(lin::pad("N M -> P", {{1, 2}})); }), "names 2 inputs and 1 outputs"));
  CHECK(has(message_of([] { static_cast<void>(lin::array_to_blocks("N -> B K", {0}, {1})); }), "both are positive"));
  CHECK(has(message_of([&] { static_cast<void>(lin::merge("A B -> N", {{"A", 2}}).H()(x)); }), "no multiple of 2"));
  CHECK(has(message_of([] { static_cast<void>(lin::flip("N", {{"Nx", 2}})); }), "did you mean N"));
}
