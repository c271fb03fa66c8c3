#include <numeric>

#include "tests/algo/fuzz/program/functions.h"
#include "tests/algo/fuzz/reference/reference.h"

namespace tessera::fuzz {
namespace {

template <class T>
T of_one(const T& x, const step& s, std::int64_t extra = 0) {
  const std::int64_t k = s.n[2] + extra;
  if constexpr (std::is_same_v<T, cell>)
    return fuzzed::turned(x, uniform(k), second_uniform(k));
  else if (s.action == verb::map_into && s.form == 1)
    return with_uniforms()(x, small<T>(k), second_uniform(k));
  else
    return affine<T>{small<T>(k)}(x);
}

template <class T>
T of_two(const T& x, const T& y, const step& s) {
  if constexpr (std::is_same_v<T, cell>)
    return fuzzed::crossed(x, y, uniform(s.n[2]));
  else
    return difference<T>{small<T>(s.n[2])}(x, y);
}

template <class T>
T folded(const std::vector<T>& values, std::int64_t combination) {
  if constexpr (!std::is_same_v<T, cell>)
    if (values.empty())
      return combination == 1   ? *algo::identity_of<maximum, T>()
             : combination == 2 ? *algo::identity_of<minimum, T>()
                                : T(0);
  return std::accumulate(values.begin() + 1, values.end(), values[0],
                         [&](const T& x, const T& y) { return combined(combination, x, y); });
}

extents index_in(const extents& shape, std::size_t offset) {
  extents at = shape;
  auto left = static_cast<std::int64_t>(offset);
  for (int k = shape.rank() - 1; k >= 0; --k) {
    at[k] = left % shape[k];
    left /= shape[k];
  }
  return at;
}

}  // namespace

template <int N>
std::vector<unsigned> reference::positional(const step& s) {
  std::vector<unsigned> result = part_of<unsigned, N>(s, 1);
  const unsigned k = uniform(s.n[2]);
  const box& of = s.part[2];
  for (std::size_t i = 0; i < result.size(); ++i) {
    unsigned& x = result[i];
    const extents at = index_in(s.part[1].shape(), i);
    if (s.action == verb::map_index) {
      if constexpr (N == 1) x = fuzzed::placed1({at[0]}, x, k);
      if constexpr (N == 2) x = fuzzed::placed2({at[0], at[1]}, x, k);
      if constexpr (N == 3) x = fuzzed::placed3({at[0], at[1], at[2]}, x, k);
    } else if (s.action == verb::map_whole && s.form == 0) {
      const vec<unsigned> all{&get<unsigned, 1>(s.slot[2]).at(of.lo), of.extent(0)};
      x = fuzzed::in_vector({static_cast<long long>(i)}, x, all, k);
    } else if (s.action == verb::map_whole && s.form == 1) {
      plain<unsigned, 2>& m = get<unsigned, 2>(s.slot[2]);
      x = fuzzed::in_matrix(x, k, {&m.at(of.lo), of.extent(0), of.extent(1), m.shape[1]});
    } else if (s.action == verb::map_whole) {
      plain<unsigned, 3>& t = get<unsigned, 3>(s.slot[2]);
      ten<unsigned, 3> all{&t.at(of.lo), {}, {t.shape[1] * t.shape[2], t.shape[2], 1}};
      for (int axis = 0; axis < 3; ++axis) all.extents[axis] = of.extent(axis);
      x = fuzzed::in_tensor(x, all, k);
    } else {
      plain<unsigned, 2>& m = get<unsigned, 2>(s.slot[2]);
      extents first = of.lo;
      first[s.form] += N == 1 || s.form == 0 ? at[0] : at[1];
      x = s.form == 0 ? fuzzed::of_row({&m.at(first), of.extent(1)}, x, k)
                      : fuzzed::of_column(x, {&m.at(first), of.extent(0), m.shape[1]}, k);
    }
  }
  return result;
}

template <class T, int N>
std::vector<T> reference::elementwise(const step& s) {
  std::vector<T> result;
  if (s.action == verb::map_new || s.action == verb::map_into || s.action == verb::farm)
    for (const T& x : part_of<T, N>(s, 1)) result.push_back(of_one(x, s));
  if (s.action == verb::map_two) {
    const std::vector<T> y = part_of<T, N>(s, 2);
    for (const T& x : part_of<T, N>(s, 1)) result.push_back(of_two(x, y[result.size()], s));
  }
  if constexpr (std::is_same_v<T, cell>) {
    if (s.action == verb::map_to_cell)
      for (const unsigned x : part_of<unsigned, N>(s, 1))
        result.push_back(fuzzed::made({static_cast<long long>(result.size())}, x));
  } else {
    if (s.action == verb::map_counting)
      for (std::int64_t i = s.n[0]; i < s.n[1]; ++i) result.push_back(affine<T>{small<T>(s.n[2])}(static_cast<T>(i)));
    if (s.action == verb::map_value) {
      const T value = folded(part_of<T, N>(s, 2), 1);
      for (const T& x : part_of<T, N>(s, 1)) result.push_back(with_uniforms()(x, value, second_uniform(s.n[2])));
    }
    if (s.action == verb::call_kernel)
      for (const T& x : part_of<T, N>(s, 0)) result.push_back(x + small<T>(s.n[2]));
    if (s.action == verb::map_from_cell)
      for (const cell& x : part_of<cell, N>(s, 1))
        result.push_back(static_cast<T>(fuzzed::weight(x, static_cast<unsigned char>(s.n[2]))));
  }
  return result;
}

template <class T>
std::vector<T> reference::lines(const step& s) {
  std::vector<T> result;
  const box& of = s.part[1];
  for (std::int64_t line = of.lo[s.form]; line < of.hi[s.form]; ++line) {
    box one = of;
    one.lo[s.form] = line;
    one.hi[s.form] = line + 1;
    result.push_back(folded(elements_of(get<T, 2>(s.slot[1]), one), s.n[3]));
  }
  return result;
}

template <class T>
std::vector<T> reference::scanned(const step& s) {
  std::vector<T> result;
  T sum = value_of<T>(s.n[2]);
  bool any = s.form == 1;
  for (const T& x : part_of<T, 1>(s, 1)) {
    if (s.form == 1) result.push_back(sum);
    if constexpr (std::is_same_v<T, cell>)
      sum = any ? fuzzed::chained{uniform(s.n[2])}(sum, x) : x;
    else
      sum = any ? combined(s.n[3], sum, x) : x;
    any = true;
    if (s.form == 0) result.push_back(sum);
  }
  return result;
}

template <class T>
std::vector<T> reference::all_pairs(const step& s) {
  std::vector<T> result;
  const std::vector<T> y = part_of<T, 1>(s, 2);
  for (const T& v : part_of<T, 1>(s, 1)) {
    std::vector<T> row;
    for (const T& w : y) row.push_back(of_two(v, w, s));
    if (s.action == verb::pairs_reduce)
      result.push_back(folded(row, s.n[3]));
    else
      result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

template <class T, int N>
std::vector<T> reference::result_of(const step& s) {
  if constexpr (std::is_same_v<T, unsigned>)
    if (s.action == verb::map_index || s.action == verb::map_whole || s.action == verb::map_lines)
      return positional<N>(s);
  if constexpr (N == 1)
    if (s.action == verb::scan) return scanned<T>(s);
  if constexpr (!std::is_same_v<T, cell>) {
    if (s.action == verb::overlap || s.action == verb::overlap_lines) return stencil<T, N>(s);
    if (s.action == verb::pairs || s.action == verb::pairs_reduce) return all_pairs<T>(s);
    if (s.action == verb::reduce_lines) return lines<T>(s);
  }
  return elementwise<T, N>(s);
}

template <class T, int N>
void reference::store(const step& s, std::size_t place, std::vector<T> values) {
  plain<T, N>& to = get<T, N>(s.slot[place]);
  if (s.fresh)
    to = {s.shape, std::move(values)};
  else
    put_elements(to, s.part[place], values);
}

template <int N>
void reference::several(const step& s) {
  std::vector<unsigned> first;
  std::vector<double> second;
  for (const unsigned x : part_of<unsigned, N>(s, 2)) {
    const auto values = both{uniform(s.n[2])}(x);
    first.push_back(values.first);
    second.push_back(values.rest.first);
  }
  store<unsigned, N>(s, 0, first);
  store<double, N>(s, 1, second);
}

template <class T, int N>
void reference::skeleton(const step& s, observation& seen) {
  if (s.action == verb::reduce_all) return seen.add(folded(part_of<T, N>(s, 0), s.n[3]));
  if constexpr (std::is_same_v<T, unsigned>) {
    if (s.action == verb::map_several) return several<N>(s);
    if (s.action == verb::reduce_wide) {
      const std::vector<T> x = part_of<T, N>(s, 0);
      return seen.add(std::accumulate(x.begin(), x.end(), 0.0));
    }
  }
  if constexpr (!std::is_same_v<T, cell>)
    if (s.action == verb::map_reduce) {
      std::vector<T> values;
      const std::vector<T> y = part_of<T, N>(s, 1);
      for (const T& x : part_of<T, N>(s, 0)) values.push_back(scaled_difference()(x, y[values.size()]));
      return seen.add(folded(values, s.n[3]));
    }
  store<T, N>(s, 0, result_of<T, N>(s));
  if (s.action != verb::farm) return;
  std::vector<T> values;
  for (const T& x : part_of<T, N>(s, 0)) values.push_back(of_one(x, s, 1));
  store<T, N>(s, 2, values);
}

#define TESSERA_SKELETONS(type)                                          \
  template void reference::skeleton<type, 1>(const step&, observation&); \
  template void reference::skeleton<type, 2>(const step&, observation&); \
  template void reference::skeleton<type, 3>(const step&, observation&);
TESSERA_SKELETONS(unsigned)
TESSERA_SKELETONS(double)
TESSERA_SKELETONS(cell)
#undef TESSERA_SKELETONS

}  // namespace tessera::fuzz
