#include <algorithm>

#include "tests/linop/every_operator.h"

using namespace tessera::support;
using ts::scalar_kind;

namespace {

struct range {
  std::int64_t lo, hi;
};

/// The axis of a dimension in a list; -1: none.
int axis_of(const std::string& name, const lin::dims& list) { return lin::place_of(lin::parse_dim(name), list); }

/// y of the part, computed with the whole: x without what lies outside, of which a part is taken.
lin::host_values expected_of(const ts::context& ctx, const named_operator& each, const lin::op& a, const plain& x,
                             const std::string& name, const range& r) {
  const int in = axis_of(name, a.ishape()), out = axis_of(name, a.oshape());
  const plain cut = plain_of(x.shape, [&](const index_list& i) {
    return in < 0 || (i[ts::index(in)] >= r.lo && i[ts::index(in)] < r.hi) ? x.at(i) : cd(0);
  });
  const ts::array_base y = a(array_of(ctx, cut, each.kind));
  if (out < 0) return lin::values_of(y);
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (int k = 0; k < out; ++k) ranges.emplace_back(0, y.shape()[k]);
  ranges.emplace_back(r.lo, r.hi);
  return lin::values_of(y.slice(ranges));
}

ts::array_base part_of(const ts::array_base& x, int axis, const range& r) {
  if (axis < 0) return x;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (int k = 0; k < axis; ++k) ranges.emplace_back(0, x.shape()[k]);
  ranges.emplace_back(r.lo, r.hi);
  return x.slice(ranges);
}

void check_parts(const ts::context& ctx, const named_operator& each) {
  const plain x = random_plain(input_shape(each.a), each.kind, 11);
  const ts::array_base at = array_of(ctx, x, each.kind);
  std::vector<std::string> names;
  for (const lin::dims& list : {each.a.ishape(), each.a.oshape()})
    for (const lin::dim& d : list)
      if (std::find(names.begin(), names.end(), lin::to_string(d)) == names.end()) names.push_back(lin::to_string(d));
  for (const std::string& name : names) {
    const std::int64_t n = *each.a.size(name);
    CAPTURE(name);
    for (const range& r : {range{0, 1}, range{n / 2, n}, range{1 % n, std::max(n - 1, 1 % n + 1)}, range{0, n}}) {
      CAPTURE(r.lo);
      CAPTURE(r.hi);
      const lin::op piece = lin::split(each.a, {{name, {r.lo, r.hi}}});
      const ts::array_base y = piece(part_of(at, axis_of(name, each.a.ishape()), r));
      CHECK(distance(lin::values_of(y), expected_of(ctx, each, each.a, x, name, r)) < 1e-4);
    }
    if (n < 2) continue;
    const lin::check_report report = lin::check(lin::split(each.a, {{name, {1, n}}}), {.kind = each.kind}, ctx);
    CAPTURE(report.text());
    CHECK(report.passed());
    // A part of a part.
    if (n < 4) continue;
    const lin::op twice = lin::split(lin::split(each.a, {{name, {1, n}}}), {{name, {1, n - 2}}});
    const range r{2, n - 1};
    CHECK(distance(lin::values_of(twice(part_of(at, axis_of(name, each.a.ishape()), r))),
                   expected_of(ctx, each, each.a, x, name, r)) < 1e-4);
  }
}

}  // namespace

TEST_CASE("a part of an operator is that part of its result, for every operator and dimension") {
  for_each_context(
      [](const ts::context& ctx) {
        for (const named_operator& each : every_operator(ctx)) {
          CAPTURE(each.name);
          check_parts(ctx, each);
        }
      },
      1 << 20);
}

TEST_CASE("every operator is what it says") {
  for_each_context(
      [](const ts::context& ctx) {
        for (const named_operator& each : every_operator(ctx)) {
          CAPTURE(each.name);
          const bool is_complex = each.kind == scalar_kind::complex64;
          for (const scalar_kind kind :
               {is_complex ? scalar_kind::complex128 : scalar_kind::float64, scalar_kind::float32}) {
            // In chains that hold single precision sums are rounded to it.
            const lin::check_report report = lin::check(each.a, {.batch = {2}, .kind = kind, .tolerance = 1e-5}, ctx);
            CAPTURE(report.text());
            CHECK(report.passed());
          }
        }
      },
      1 << 20);
}

TEST_CASE("an operator in pieces on named devices is the operator") {
  setenv("TESSERA_SMALL", "0", 1);
  const ts::context ctx(quiet_with("cpu*3", 1 << 20));
  for (const named_operator& each : every_operator(ctx)) {
    CAPTURE(each.name);
    const std::string first = lin::to_string(each.a.ishape().front()), last = lin::to_string(each.a.oshape().back());
    const std::int64_t n = *each.a.size(first);
    std::vector<lin::batch_spec> specs{{{{first, {2}}}, {"device:0", "cpu:2", "device:1"}}};
    if (last != first) specs.push_back({{{last, {1}}}, {}});
    const lin::op tiled = lin::create_batched_linop(each.a, specs, ctx);
    const plain x = random_plain(input_shape(each.a), each.kind, 11);
    CHECK(n > 0);
    CHECK(distance(lin::values_of(tiled(array_of(ctx, x, each.kind))),
                   lin::values_of(each.a(array_of(ctx, x, each.kind)))) < 1e-4);
    const lin::check_report report = lin::check(tiled, {.kind = each.kind}, ctx);
    CAPTURE(report.text());
    CHECK(report.passed());
  }
}

TEST_CASE("what is summed inside of a chain can be cut") {
  for_each_context([](const ts::context& ctx) {
    const ts::array_base maps =
        array_of(ctx, random_plain({6, 4, 5}, scalar_kind::complex64, 2), scalar_kind::complex64);
    const lin::op s = lin::dense(maps, "C M N, M N -> C M N");
    const lin::op normal = s.H() * s;
    const lin::split_grid grid = lin::split_linop(normal, {{"C", {4}}});
    CHECK(grid.counts == std::vector<std::int64_t>{2});
    const plain x = random_plain({4, 5}, scalar_kind::complex64);
    const ts::array_base at = array_of(ctx, x, scalar_kind::complex64);
    CHECK(distance(lin::values_of((grid.pieces[0] + grid.pieces[1])(at)), lin::values_of(normal(at))) < 1e-5);
    const lin::op tiled = lin::create_batched_linop(normal, {{{{"C", {4, 2}}}, {}}}, ctx);
    CHECK(distance(lin::values_of(tiled(at)), lin::values_of(normal(at))) < 1e-5);
  });
}

TEST_CASE("grids have uneven last tiles, and their tiles in the order of rows") {
  ts::context ctx(quiet("cpu"));
  const lin::op d = lin::diagonal(ctx.ones<float>({5, 7}), "M N");
  const lin::split_grid grid = lin::split_linop(d, {{"M", {2}}, {"N", {4, 3}}});
  CHECK(grid.counts == std::vector<std::int64_t>{3, 2});
  CHECK(grid.tiles.size() == 6);
  CHECK(grid.tiles[5] == lin::tile{{"M", {4, 5}}, {"N", {4, 7}}});
  CHECK(grid.pieces[5].size("M") == 1);
  CHECK(grid.pieces[5].size("N") == 3);
}

TEST_CASE("a piece of a chain has the sizes of the piece alone") {
  setenv("TESSERA_SMALL", "0", 1);
  ts::context ctx(quiet_with("cpu*2", 8 << 20));
  const lin::op s = lin::dense(ctx.ones<float>({4, 64, 64}), "C M N, M N -> C M N");
  const lin::op piece = lin::split(lin::diagonal(ctx.ones<float>({64, 64}), "M N") * s, {{"C", {1, 2}}});
  CHECK(piece.size("C") == 1);
  CHECK(piece(ctx.ones<float>({64, 64})).shape() == ts::extents{1, 64, 64});
}

TEST_CASE("tiles and devices that are none are refused") {
  ts::context ctx(quiet("cpu*2"));
  const lin::op d = lin::diagonal(ctx.ones<float>({5, 7}), "Mx Nx");
  CHECK(has(message_of([&] { return lin::split(d, {{"Mx", {2, 2}}}); }), "is empty"));
  CHECK(has(message_of([&] { return lin::split(d, {{"Mx", {2, 6}}}); }), "lies outside; its size is 5"));
  CHECK(has(message_of([&] { return lin::split(d, {{"Ms", {2, 6}}}); }), "did you mean Mx"));
  CHECK(has(message_of([&] { return lin::split(lin::fft("N -> K"), {{"N", {2, 6}}}); }), "is not known"));
  CHECK(has(message_of([&] { return lin::split_linop(d, {{"Mx", {0}}}).tiles; }), "tiles of 0 elements"));
  CHECK(has(message_of([&] { return lin::split_linop(d, {{"Mx", {2, 2}}}).tiles; }), "have 4 elements in all"));
  const std::string device = message_of([&] {
    return lin::create_batched_linop(d, {{{{"Mx", {2}}}, {"devise:1"}}}, ctx);
  });
  CHECK(has(device, "there is no device 'devise:1', did you mean device:1?"));
}
