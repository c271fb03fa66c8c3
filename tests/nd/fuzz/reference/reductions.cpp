#include "tests/nd/fuzz/reference/reductions.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "tessera/base/index.h"
#include "tests/nd/fuzz/reference/element_functions.h"
#include "tests/nd/fuzz/reference/elementwise.h"
#include "tests/nd/fuzz/reference/lanes.h"
#include "tests/nd/fuzz/reference/moments.h"

namespace tessera::fuzz {
namespace {

using list = std::vector<std::int64_t>;

/// One result from its elements, which lie along the last axis or across it. Arrays of programs have fewer pieces than
/// would be combined in chunks.
template <class T, class Combine>
T combined(const std::vector<T>& values, bool is_inner, Combine combine) {
  if (is_inner) {
    constexpr std::size_t piece = 4096;
    std::vector<T> pieces;
    for (std::size_t k = 0; k < values.size(); k += piece)
      pieces.push_back(in_lanes(&values[k], std::min(piece, values.size() - k), combine));
    return in_lanes(pieces.data(), pieces.size(), combine);
  }
  return in_runs(values, combine);
}

/// What all elements so far combine to, along a line.
template <class T, class Combine>
void run_through(std::vector<T>& line, Combine combine) {
  constexpr std::size_t chunk = 4096;
  std::vector<T> carries;  // of the chunks before
  for (std::size_t k = 0; k + chunk < line.size(); k += chunk) {
    const T total = in_lanes(&line[k], chunk, combine);
    carries.push_back(carries.empty() ? total : combine(carries.back(), total));
  }
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (k % chunk != 0)
      line[k] = combine(line[k - 1], line[k]);
    else if (k > 0)
      line[k] = combine(carries[k / chunk - 1], line[k]);
  }
}

/// A type whose vectors are plain.
template <class T>
struct boxed {
  T value{};
};

/// Which elements of the array each result has, in order.
struct grouping {
  std::vector<std::vector<std::size_t>> elements;
  list shape;
  bool is_inner = true;
  std::int64_t count = 1;
};
grouping grouped(const plain_array& a, const list& axes, bool keepdims) {
  std::vector<bool> is_combined(a.shape.size(), axes.empty());
  for (const std::int64_t axis : axes) {
    if (axis >= a.rank() || is_combined[index(axis)]) throw invalid_step("no such axis");
    is_combined[index(axis)] = true;
  }
  grouping made;
  bool any = false;
  for (std::size_t k = 0; k < a.shape.size(); ++k) {
    if (is_combined[k]) made.count *= a.shape[k];
    if (!is_combined[k] || keepdims) made.shape.push_back(is_combined[k] ? 1 : a.shape[k]);
    if (a.shape[k] == 1) continue;
    any = any || is_combined[k];
    made.is_inner = is_combined[k];
  }
  made.is_inner = made.is_inner || !any;
  made.elements.resize(index(volume_of(made.shape)));
  for (std::size_t n = 0; n < index(a.size()); ++n) {
    std::size_t left = n, to = 0, stride = 1;
    for (std::size_t k = a.shape.size(); k-- > 0; left /= index(a.shape[k]))
      if (!is_combined[k]) {
        to += left % index(a.shape[k]) * stride;
        stride *= index(a.shape[k]);
      }
    made.elements[to].push_back(n);
  }
  return made;
}

bool is_extreme(reduction r) {
  return r == reduction::min || r == reduction::max || r == reduction::argmin || r == reduction::argmax;
}
bool is_moment(reduction r) { return r == reduction::variance || r == reduction::deviation; }
bool is_place(reduction r) { return r == reduction::argmin || r == reduction::argmax; }

/// The type in which elements are combined.
scalar_kind type_for(reduction r, scalar_kind type) {
  const bool is_whole = is_integer(type) || is_boolean(type);
  switch (r) {
    case reduction::sum:
    case reduction::prod:
      if (!is_whole) return type;
      return is_integer(type) && !is_signed(type) ? scalar_kind::uint64 : scalar_kind::int64;
    case reduction::mean:
    case reduction::variance:
    case reduction::deviation:
      if (is_complex(type)) throw invalid_step("a quotient of complex numbers");
      return is_whole ? scalar_kind::float64 : type;
    case reduction::any:
    case reduction::all:
    case reduction::count_nonzero:
      return scalar_kind::boolean;
    default:
      if (is_complex(type)) throw refused_step("complex numbers have no order");
      return type;
  }
}

template <class T>
T identity_of(reduction r) {
  if (r == reduction::mean || is_moment(r)) return element_as<T>(std::numeric_limits<double>::quiet_NaN());
  return element_as<T>(r == reduction::prod || r == reduction::all ? 1 : 0);
}

/// Two elements combined.
template <class T>
boxed<T> both(reduction r, boxed<T> a, boxed<T> b) {
  switch (r) {
    case reduction::prod:
    case reduction::all:
      return {product_of(a.value, b.value)};
    case reduction::min:
      return {value_of(function::minimum, a.value, b.value)};
    case reduction::max:
      return {value_of(function::maximum, a.value, b.value)};
    default:
      return {sum_of(a.value, b.value)};
  }
}

template <class T>
T result_of(reduction r, const std::vector<boxed<T>>& values, bool is_inner) {
  const T whole = combined(values, is_inner, [&](boxed<T> a, boxed<T> b) { return both(r, a, b); }).value;
  if (r != reduction::mean) return whole;
  return value_of(function::divide, whole, element_as<T>(static_cast<double>(values.size())));
}

template <class T>
std::int64_t place_of(reduction r, const std::vector<boxed<T>>& values) {
  if constexpr (is_complex_type<T>) {
    return 0;
  } else {
    const auto is_nan = [](T x) { return x != x; };
    std::size_t best = 0;
    for (std::size_t k = 1; k < values.size() && !is_nan(values[best].value); ++k) {
      const T x = values[k].value, y = values[best].value;
      if (is_nan(x) || (r == reduction::argmin ? x < y : x > y)) best = k;
    }
    return static_cast<std::int64_t>(best);
  }
}

template <class T>
T moment_of(reduction r, const std::vector<boxed<T>>& values, bool is_inner, double correction) {
  if constexpr (std::is_floating_point_v<T>) {
    std::vector<T> list;
    for (const boxed<T>& each : values) list.push_back(each.value);
    const T variance = variance_of(list, is_inner, correction);
    return r == reduction::variance ? variance : std::sqrt(variance);
  } else {
    return T();
  }
}

template <class T>
void put(plain_array& to, std::size_t n, const T& value) {
  std::memcpy(to.memory->data() + n * sizeof(T), &value, sizeof(T));
}

}  // namespace

plain_array reduced(reduction r, const plain_array& a, const list& axes, bool keepdims, double correction) {
  if (r == reduction::count_nonzero)
    return reduced(reduction::sum, converted(a, scalar_kind::boolean), axes, keepdims, 0);
  const scalar_kind type = type_for(r, a.type);
  const grouping groups = grouped(a, axes, keepdims);
  if (is_extreme(r) && groups.count == 0) {
    if (groups.elements.empty()) throw invalid_step("nothing of nothing");
    throw refused_step("an extreme of no elements");
  }
  plain_array made = plain_array::made(is_place(r) ? scalar_kind::int64 : type, groups.shape);
  with_kind(type, [&]<class T>() {
    const std::vector<std::byte> bytes = converted(a, type).bytes();
    for (std::size_t n = 0; n < groups.elements.size(); ++n) {
      std::vector<boxed<T>> values(groups.elements[n].size());
      for (std::size_t k = 0; k < values.size(); ++k)
        std::memcpy(&values[k].value, &bytes[groups.elements[n][k] * sizeof(T)], sizeof(T));
      if (is_place(r))
        put(made, n, place_of(r, values));
      else if (is_moment(r) && !values.empty())
        put(made, n, moment_of(r, values, groups.is_inner, correction));
      else
        put(made, n, values.empty() ? identity_of<T>(r) : result_of(r, values, groups.is_inner));
    }
  });
  return made;
}

plain_array scanned(reduction r, const plain_array& a, int axis, bool has_initial) {
  if (axis >= a.rank()) throw invalid_step("no such axis");
  const scalar_kind type = type_for(r, a.type);
  const grouping lines = grouped(a, {axis}, false);
  std::vector<std::int64_t> shape = a.shape;
  if (has_initial) ++shape[index(axis)];
  plain_array made = plain_array::made(type, shape);
  const plain_array whole = converted(a, type).copied();
  with_kind(type, [&]<class T>() {
    std::vector<std::byte> results = whole.bytes();
    for (const std::vector<std::size_t>& places : lines.elements) {
      std::vector<boxed<T>> line(places.size());
      for (std::size_t k = 0; k < line.size(); ++k)
        std::memcpy(&line[k].value, &results[places[k] * sizeof(T)], sizeof(T));
      run_through(line, [&](boxed<T> x, boxed<T> y) { return both(r, x, y); });
      for (std::size_t k = 0; k < line.size(); ++k)
        std::memcpy(&results[places[k] * sizeof(T)], &line[k].value, sizeof(T));
    }
    for (std::size_t n = 0; n < index(made.size()); ++n) put(made, n, identity_of<T>(r));
    view_call behind{view_call::form::index, std::vector<index_entry>(index(axis) + 1), {}, 0, 0, 0};
    if (has_initial) behind.entries.back().first = 1;
    seen(made, behind).write(results);
  });
  return made;
}

}  // namespace tessera::fuzz
