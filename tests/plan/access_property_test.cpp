#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>

#include "tessera/base/error.h"
#include "tessera/plan/access/access.h"
#include "tessera/plan/access/codec.h"
#include "tessera/plan/access/text.h"
#include "tests/plan/access_support.h"

using namespace tessera;
using namespace tessera::plan;

namespace {

using op = expression::op;

// Brute force: the same expressions as functions of the names' values in one thread.

using values = std::array<std::int64_t, 3>;

struct modelled {
  expression code;
  std::function<std::int64_t(const values&)> at;
};

struct random_source {
  std::mt19937 engine;
  int operator()(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine); }
};

std::int64_t floor_quotient(std::int64_t a, std::int64_t k) { return (a - ((a % k) + k) % k) / k; }

modelled random_expression(random_source& random, int depth) {
  if (depth == 0 || random(0, 3) == 0) {
    if (const int v = random(-4, 6); random(0, 2) == 0) return {c(v), [v](const values&) { return v; }};
    const auto name = static_cast<std::size_t>(random(0, 2));
    return {n(static_cast<int>(name)), [name](const values& v) { return v[name]; }};
  }
  const modelled a = random_expression(random, depth - 1);
  const modelled b = random_expression(random, depth - 1);
  const std::int64_t k = random(-3, 4);
  const std::int64_t positive = random(1, 4);
  switch (random(0, 7)) {
    case 0:
      return {a.code + b.code, [=](const values& v) { return a.at(v) + b.at(v); }};
    case 1:
      return {a.code - b.code, [=](const values& v) { return a.at(v) - b.at(v); }};
    case 2:
      return {c(k) * a.code, [=](const values& v) { return k * a.at(v); }};
    case 3:
      return {a.code / c(positive), [=](const values& v) { return floor_quotient(a.at(v), positive); }};
    case 4:
      return {a.code % c(positive),
              [=](const values& v) { return a.at(v) - positive * floor_quotient(a.at(v), positive); }};
    case 5:
      return {expression::combine(op::minimum, a.code, b.code),
              [=](const values& v) { return std::min(a.at(v), b.at(v)); }};
    case 6:
      return {expression::combine(op::maximum, a.code, b.code),
              [=](const values& v) { return std::max(a.at(v), b.at(v)); }};
    default:
      return {a.code + c(k), [=](const values& v) { return a.at(v) + k; }};
  }
}

struct modelled_range {
  std::optional<modelled> first;
  std::optional<modelled> last;
  std::int64_t step = 1;
};

modelled_range random_range(random_source& random) {
  modelled_range r;
  const modelled first = random_expression(random, random(0, 3));
  switch (random(0, 4)) {
    case 0:
      r.first = r.last = first;
      break;
    case 1:
      r.first = first;
      break;
    case 2:
      r.last = first;
      break;
    case 3:
      r.first = first;
      r.last = random_expression(random, 2);
      break;
    default: {
      const int length = random(0, 4);
      r.first = first;
      r.last = modelled{first.code + c(length), [=](const values& v) { return first.at(v) + length; }};
    }
  }
  if (random(0, 5) == 0) r.step = random(1, 3);
  return r;
}

/// A small launch and one rule, with everything that its threads touch enumerated.
struct trial {
  std::vector<bound_name> names;
  domain space;
  box part;
  extents shape;
  std::optional<storage_view> view;
  std::vector<modelled_range> ranges;

  explicit trial(random_source& random) {
    space.size = {random(1, 9), random(1, 5)};
    space.granule = {random(1, 4), random(1, 3)};
    const extents blocks = space.granules();
    part = box::whole(blocks);
    for (int a = 0; a < 2; ++a) {
      part.lo[a] = random(0, static_cast<int>(blocks[a]) - 1);
      part.hi[a] = random(static_cast<int>(part.lo[a]) + 1, static_cast<int>(blocks[a]));
    }
    for (int k = 0; k < 3; ++k) {
      bound_name name{static_cast<bound_name::kind>(random(0, 2)), random(0, 2), std::nullopt};
      if (random(0, 3) == 0) name.below = random(-1, 6);
      names.push_back(name);
    }
    shape = random_shape(random, random(1, 3), 6);
    if (random(0, 1) == 0) view = storage_view{random_shape(random, random(1, 3), 5), random(0, 4)};
    const int rank = view ? view->shape.rank() : shape.rank();
    for (int a = 0; a < rank; ++a) ranges.push_back(random_range(random));
  }

  static extents random_shape(random_source& random, int rank, int most) {
    extents e = extents::uniform(rank, 0);
    for (int a = 0; a < rank; ++a) e[a] = random(1, most);
    return e;
  }

  [[nodiscard]] access_rule as_rule() const {
    access_rule r = rule({}, view);
    for (const auto& m : ranges)
      r.indices.push_back(slice(m.first ? std::optional(m.first->code) : std::nullopt,
                                m.last ? std::optional(m.last->code) : std::nullopt, m.step));
    return r;
  }

  [[nodiscard]] std::int64_t flat(const extents& point, const extents& in) const {
    std::int64_t f = 0;
    for (int a = 0; a < in.rank(); ++a) f = f * in[a] + point[a];
    return f;
  }

  void touch(const values& v, const extents& in, int axis, extents& at, std::set<std::int64_t>& out) const {
    if (axis == in.rank()) {
      const std::int64_t f = flat(at, in) + (view ? view->offset : 0);
      if (f < box::whole(shape).volume()) out.insert(f);
      return;
    }
    const auto& r = ranges[static_cast<std::size_t>(axis)];
    const std::int64_t last = r.last ? r.last->at(v) : in[axis] - 1;
    for (std::int64_t x = r.first ? r.first->at(v) : 0; x <= last; x += r.step) {
      if (x < 0 || x >= in[axis]) continue;
      at[axis] = x;
      touch(v, in, axis + 1, at, out);
    }
  }

  /// The value of a name in one thread, absent if it is clipped away.
  [[nodiscard]] std::optional<std::int64_t> value_of(const bound_name& name, const extents& block,
                                                     const extents& thread) const {
    std::int64_t v = 0;
    if (name.axis < 2) {
      const std::int64_t b = block[name.axis];
      const std::int64_t t = thread[name.axis];
      v = name.from == bound_name::kind::block   ? b
          : name.from == bound_name::kind::local ? t
                                                 : b * space.granule[name.axis] + t;
    }
    return name.below && v >= *name.below ? std::nullopt : std::optional(v);
  }

  [[nodiscard]] std::set<std::int64_t> touched(std::uint32_t used) const {
    std::set<std::int64_t> out;
    const extents in = view ? view->shape : shape;
    for_each_thread([&](const extents& block, const extents& thread) {
      values v{};
      for (std::size_t k = 0; k < names.size(); ++k) {
        const auto x = value_of(names[k], block, thread);
        if (!x && (used >> k & 1) != 0) return;
        v[k] = x.value_or(0);
      }
      extents at = in;
      touch(v, in, 0, at, out);
    });
    return out;
  }

  template <class Visit>
  void for_each_thread(Visit visit) const {
    extents b{0, 0};
    extents t{0, 0};
    for (b[0] = part.lo[0]; b[0] < part.hi[0]; ++b[0])
      for (b[1] = part.lo[1]; b[1] < part.hi[1]; ++b[1])
        for (t[0] = 0; t[0] < space.granule[0]; ++t[0])
          for (t[1] = 0; t[1] < space.granule[1]; ++t[1])
            if (b[0] * space.granule[0] + t[0] < space.size[0] && b[1] * space.granule[1] + t[1] < space.size[1])
              visit(b, t);
  }

  /// The elements of the boxes; an element in two boxes is counted by `twice`.
  [[nodiscard]] std::set<std::int64_t> elements(const std::vector<box>& all, int& twice) const {
    std::set<std::int64_t> out;
    for (const box& b : all) {
      REQUIRE(box::whole(shape).contains(b));
      for (std::int64_t f = 0; f < box::whole(shape).volume(); ++f) {
        extents at = shape;
        std::int64_t rest = f;
        for (int a = shape.rank() - 1; a >= 0; --a) {
          at[a] = rest % shape[a];
          rest /= shape[a];
        }
        extents next = at;
        for (int a = 0; a < shape.rank(); ++a) ++next[a];
        if (b.contains({at, next}) && !out.insert(f).second) ++twice;
      }
    }
    return out;
  }
};

std::uint32_t names_used(const access_rule& r) {
  std::uint32_t used = 0;
  for (const auto& i : r.indices) used |= (i.first ? i.first->names_used() : 0) | (i.last ? i.last->names_used() : 0);
  return used;
}

}  // namespace

TEST_CASE("no thread of any part touches an element outside the boxes, and dense rules touch every one of them") {
  random_source random{std::mt19937(20240611)};
  int dense = 0;
  int dense_and_touched = 0;
  for (int round = 0; round < 30000; ++round) {
    const trial t(random);
    const access_rule r = t.as_rule();
    std::vector<box> found;
    const bool exact = evaluate(r, name_intervals(t.names, t.space, t.part, padding::exclude), t.shape, found);
    int twice = 0;
    const auto declared = t.elements(found, twice);
    const auto touched = t.touched(names_used(r));
    CAPTURE(round);
    CAPTURE(to_string(r, {}));
    REQUIRE(exact);
    REQUIRE(twice == 0);
    REQUIRE(std::includes(declared.begin(), declared.end(), touched.begin(), touched.end()));
    if (!is_dense(r, t.names)) continue;
    ++dense;
    dense_and_touched += touched.empty() ? 0 : 1;
    REQUIRE(declared == touched);
  }
  CHECK(dense > 5000);
  CHECK(dense_and_touched > 1000);
}

TEST_CASE("patterns survive encoding and malformed bytes are refused") {
  random_source random{std::mt19937(7)};
  for (int round = 0; round < 300; ++round) {
    const trial t(random);
    const access_pattern before{t.names, {t.as_rule(), t.as_rule()}, round % 2 == 0};
    std::vector<std::byte> bytes;
    access_codec::encode(before, bytes);
    bytes.push_back(std::byte{42});
    std::span<const std::byte> in = bytes;
    REQUIRE(access_codec::decode(in) == before);
    REQUIRE(in.size() == 1);
    for (std::size_t cut = 0; cut + 1 < bytes.size(); ++cut) {
      std::span<const std::byte> shorter = std::span(bytes).first(cut);
      REQUIRE_THROWS_AS((void)access_codec::decode(shorter), argument_error);
    }
    for (int hit = 0; hit < 50; ++hit) {
      auto broken = bytes;
      broken[static_cast<std::size_t>(random(0, static_cast<int>(bytes.size()) - 1))] ^=
          static_cast<std::byte>(1 << random(0, 7));
      std::span<const std::byte> rest = broken;
      try {
        const access_pattern p = access_codec::decode(rest);
        for (const auto& r : p.rules) {
          std::vector<box> out;
          evaluate(r, name_intervals(p.names, t.space, t.part, padding::include), t.shape, out);
        }
      } catch (const argument_error&) {
      }
    }
  }
}
