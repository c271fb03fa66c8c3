#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "tessera/base/error.h"
#include "tessera/plan/access/codec.h"
#include "tessera/plan/access/text.h"
#include "tessera/plan/annotation/annotation.h"

/// The first bytes choose constants, shapes and the launch; the rest is the annotation. Whatever it says, it is either
/// refused with one of our errors or bound, printed, encoded and evaluated, and every box lies inside its array.

using namespace tessera;
using namespace tessera::plan;

namespace {

/// Numbers from the input; zeros when it is used up.
class choices {
 public:
  choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::uint8_t byte() { return size_ == 0 ? std::uint8_t{0} : (--size_, *data_++); }
  /// Mostly small, now and then at the edges of 64 bits.
  std::int64_t constant() {
    const std::uint8_t b = byte();
    if (b < 0xE0) return static_cast<std::int8_t>(b);
    std::int64_t wide = 0;
    for (int k = 0; k < 8; ++k) wide = static_cast<std::int64_t>(static_cast<std::uint64_t>(wide) << 8 | byte());
    return wide;
  }
  extents shape() {
    extents e = extents::uniform(byte() % 4, 0);
    for (int a = 0; a < e.rank(); ++a) e[a] = byte() % 40;
    return e;
  }
  [[nodiscard]] std::string_view rest() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

void require(bool condition) {
  if (!condition) __builtin_trap();
}

void evaluate_all(const access_pattern& p, const domain& d, const box& part, std::span<const extents> shapes) {
  std::vector<interval> names;
  std::vector<box> out;
  for (const padding pad : {padding::exclude, padding::include}) {
    name_intervals(p.names, d, part, pad, names);
    for (const access_rule& r : p.rules) {
      const extents& shape = shapes[static_cast<std::size_t>(r.parameter)];
      out.clear();
      evaluate(r, names, shape, out);
      require(out.size() <= max_boxes_per_rule);
      for (const box& b : out) require(!b.empty() && box::whole(shape).contains(b));
      (void)is_dense(r, p.names);
    }
  }
}

void round_trip(const access_pattern& p) {
  std::vector<std::byte> bytes;
  access_codec::encode(p, bytes);
  std::span<const std::byte> in = bytes;
  require(access_codec::decode(in) == p && in.empty());
}

/// Annotations of the commonest form name arrays a, b and c; other names are refused by the check, so that the check
/// is run first with these and then with whatever the annotation names.
std::vector<parameter_info> parameters_for(const annotation& a) {
  std::vector<parameter_info> p;
  for (const rule_syntax& r : a.syntax().rules) {
    bool known = false;
    for (const parameter_info& q : p) known = known || q.name == r.array;
    if (!known) p.push_back({r.array, true, false});
  }
  return p;
}

void try_annotation(choices& from) {
  const std::array<parameter_info, 3> fixed{parameter_info{"a", true, false}, {"b", true, true}, {"n", false, false}};
  std::array<extents, 4> some{from.shape(), from.shape(), from.shape(), from.shape()};
  const domain d{.size = {1 + from.byte() % 50, 1 + from.byte() % 5},
                 .granule = {1 + from.byte() % 8, 1 + from.byte() % 3}};
  box part = box::whole(d.granules());
  for (int a = 0; a < 2; ++a) part.lo[a] = from.byte() % part.hi[a];
  std::array<std::int64_t, 4> values{from.constant(), from.constant(), from.constant(), from.constant()};

  annotation a = parse_annotation(from.rest());
  try {
    annotation copy = a;
    check_against(copy, fixed);
  } catch (const annotation_error&) {
  }
  const auto parameters = parameters_for(a);
  check_against(a, parameters);
  std::vector<std::optional<std::int64_t>> constants;
  for (std::size_t k = 0; k < a.constants().size(); ++k) constants.emplace_back(values[k % values.size()]);
  std::vector<extents> shapes;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    shapes.push_back(some[k % some.size()]);
    names.push_back(parameters[k].name);
  }
  std::vector<array_argument> arrays;
  for (const extents& e : shapes) arrays.push_back({&e, true});
  const auto [lo, hi] = std::minmax(values[0], values[1]);
  std::vector<named_intervals> tables;
  for (const table_slot& t : a.tables()) tables.emplace_back(t.name, intervals({{-1, 7}, {lo, hi}, {2, 2}, {4, 40}}));
  const access_pattern p = bind(a, {constants, arrays, tables});
  for (const access_rule& r : p.rules) (void)to_string(r, {names, a.names()});
  round_trip(p);
  evaluate_all(p, d, part, shapes);
}

/// Decodes bytes as an encoded pattern.
void try_pattern(const std::uint8_t* data, std::size_t size) {
  std::span<const std::byte> in(reinterpret_cast<const std::byte*>(data), size);
  access_pattern p = access_codec::decode(in);
  round_trip(p);
  for (access_rule& r : p.rules) r.parameter = 0;
  evaluate_all(p, {{50, 7}, {8, 2}}, {{1, 0}, {4, 2}}, std::array{extents{6, 7}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    choices from(data, size);
    if (from.byte() % 4 == 0)
      try_pattern(data + (size == 0 ? 0 : 1), size == 0 ? 0 : size - 1);
    else
      try_annotation(from);
  } catch (const error&) {
  }
  return 0;
}
