#include "tests/nd/fuzz/reference/arrangements.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "tessera/base/index.h"
#include "tests/nd/fuzz/reference/elementwise.h"

namespace tessera::fuzz {
namespace {

using list = std::vector<std::int64_t>;
constexpr std::int64_t most = 20000;

/// What lies at `count` places of an axis.
plain_array part_along(const plain_array& a, int axis, std::int64_t first, std::int64_t count) {
  view_call call{view_call::form::index, std::vector<index_entry>(index(axis) + 1), {}, 0, 0, 0};
  call.entries.back().first = first;
  call.entries.back().last = first + count;
  return seen(a, call);
}

void require_axis(const plain_array& a, int axis) {
  if (axis >= a.rank()) throw invalid_step("no such axis");
}

plain_array new_array(scalar_kind type, const list& shape) {
  if (volume_of(shape) > most || shape.size() > 5) throw invalid_step("a large array");
  return plain_array::made(type, shape);
}

/// An array of a shape, whose element at each place is that of `a` where `source` puts the place; where that is
/// beyond `a`, it stays 0.
template <class Source>
plain_array picked(const plain_array& a, const list& shape, Source source) {
  plain_array made = new_array(a.type, shape);
  const std::vector<std::byte> from = a.bytes();
  const std::size_t each = dtype::make(a.type).size;
  for (std::size_t n = 0; n < index(made.size()); ++n) {
    list place(shape.size());
    std::size_t left = n;
    for (std::size_t k = shape.size(); k-- > 0; left /= index(shape[k]))
      place[k] = static_cast<std::int64_t>(left % index(shape[k]));
    source(place);
    std::int64_t at = 0;
    bool is_there = true;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      is_there = is_there && place[k] >= 0 && place[k] < a.shape[k];
      at = at * a.shape[k] + place[k];
    }
    if (is_there) std::memcpy(made.memory->data() + n * each, &from[index(at) * each], each);
  }
  return made;
}

plain_array joined(const step& s, const plain_array& a, const plain_array& b) {
  const scalar_kind type = met_type(a.type, b.type);
  const bool is_stack = s.arranged == arrangement::stack;
  if (is_stack && s.axis > a.rank()) throw invalid_step("no such axis");
  if (!is_stack) require_axis(a, s.axis);
  list shape = a.shape, other = b.shape;
  if (!is_stack && b.rank() == a.rank()) other[index(s.axis)] = shape[index(s.axis)];
  if (shape != other) throw refused_step("shapes that do not fit");
  std::int64_t first = 1, second = 1;
  if (is_stack) {
    shape.insert(shape.begin() + s.axis, 2);
  } else {
    first = a.shape[index(s.axis)];
    second = b.shape[index(s.axis)];
    shape[index(s.axis)] = first + second;
  }
  const plain_array made = new_array(type, shape);
  part_along(made, s.axis, 0, first).write(converted(a, type).bytes());
  part_along(made, s.axis, first, second).write(converted(b, type).bytes());
  return made;
}

plain_array rolled(const step& s, const plain_array& a) {
  require_axis(a, s.axis);
  const std::int64_t n = a.shape[index(s.axis)];
  return picked(a, a.shape, [&](list& place) {
    std::int64_t& at = place[index(s.axis)];
    at = ((at - s.numbers[0]) % n + n) % n;
  });
}

plain_array padded(const step& s, const plain_array& a) {
  list shape = a.shape;
  for (std::int64_t& n : shape) n += s.numbers[0] + s.numbers[1];
  const bool is_edge = s.numbers[2] != 0;
  if (is_edge && a.size() == 0) throw invalid_step("no element at the edge");
  return picked(a, shape, [&](list& place) {
    for (std::size_t k = 0; k < place.size(); ++k) {
      place[k] -= s.numbers[0];
      if (is_edge) place[k] = std::clamp<std::int64_t>(place[k], 0, a.shape[k] - 1);
    }
  });
}

plain_array tiled(const step& s, const plain_array& a) {
  if (s.shape.rank() != a.rank()) throw invalid_step("counts of other axes");
  list shape = a.shape;
  for (std::size_t k = 0; k < shape.size(); ++k) shape[k] *= s.shape[static_cast<int>(k)];
  return picked(a, shape, [&](list& place) {
    for (std::size_t k = 0; k < place.size(); ++k) place[k] %= a.shape[k];
  });
}

plain_array each_repeated(const step& s, const plain_array& a) {
  require_axis(a, s.axis);
  list shape = a.shape;
  shape[index(s.axis)] *= s.numbers[0];
  return picked(a, shape, [&](list& place) { place[index(s.axis)] /= s.numbers[0]; });
}

plain_array differences(const step& s, plain_array a) {
  require_axis(a, s.axis);
  const function by = is_boolean(a.type) ? function::not_equal : function::subtract;
  for (std::int64_t k = 0; k < s.numbers[0] && a.shape[index(s.axis)] > 0; ++k) {
    const std::int64_t n = a.shape[index(s.axis)] - 1;
    const std::array both{argument_value{false, {}, part_along(a, s.axis, 1, n)},
                          argument_value{false, {}, part_along(a, s.axis, 0, n)}};
    a = computed(by, both);
  }
  return a;  // of no differences the array itself
}

}  // namespace

plain_array arranged(const step& s, std::span<const plain_array> from) {
  const plain_array& a = from[0];
  switch (s.arranged) {
    case arrangement::concat:
    case arrangement::stack:
      return joined(s, a, from[1]);
    case arrangement::roll:
      return rolled(s, a);
    case arrangement::pad:
      return padded(s, a);
    case arrangement::tile:
      return tiled(s, a);
    case arrangement::repeat:
      return each_repeated(s, a);
    case arrangement::diff:
      return differences(s, a);
    case arrangement::resplit:
    case arrangement::redistribute:
      require_axis(a, s.axis);
      if (a.size() == 0) throw invalid_step("parts of nothing");
      return a.copied();
    case arrangement::balance:
      break;
  }
  return a.copied();
}

}  // namespace tessera::fuzz
