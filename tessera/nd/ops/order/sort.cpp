#include "tessera/nd/ops/order/sort.h"

#include <algorithm>

#include "tessera/nd/graph/graph.h"
#include "tessera/nd/ops/creation.h"
#include "tessera/nd/ops/order/lanes.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {
namespace {

array_options like(const array& a) { return {a.split(), a.owner()->ctx()}; }

/// With a shape of its own.
array_options beside(const array& a) { return {{}, a.owner()->ctx()}; }

template <class T>
array from_vector(const extents& shape, scalar_kind type, const std::vector<T>& values, const array_options& where,
                  call_site here) {
  return from_bytes(shape, type, std::as_bytes(std::span(values)), where, here);
}

/// For each place of `shape` the place along `axis` of the element that belongs there.
std::vector<std::int64_t> sorted_places(const array& a, int axis, bool descending, call_site here) {
  return with_key_type(a.type(), [&]<class T>() {
    const std::vector<T> keys = keys_of<T>(a, here);
    std::vector<std::int64_t> places(keys.size());
    const lanes lines(a.shape(), axis);
    std::vector<std::int64_t> line(index(lines.length()));
    for (std::int64_t lane = 0; lane < lines.count(); ++lane) {
      std::iota(line.begin(), line.end(), std::int64_t{0});
      const auto key = [&](std::int64_t k) -> const T& { return keys[lines.place(lane, k)]; };
      std::stable_sort(line.begin(), line.end(), [&](std::int64_t i, std::int64_t j) {
        return descending ? comes_before(key(j), key(i)) : comes_before(key(i), key(j));
      });
      for (std::int64_t k = 0; k < lines.length(); ++k) places[lines.place(lane, k)] = line[index(k)];
    }
    return places;
  });
}

/// True for a NaN, which equals nothing.
template <class T>
bool is_unlike_itself(const T& value) {
  return !(value == value);
}

}  // namespace

array sort(const array& a, int axis, bool descending, call_site here) {
  const int k = resolve_axis(axis, a.rank(here), here);
  const std::vector<std::int64_t> places = sorted_places(a, k, descending, here);
  const std::vector<std::byte> from = elements_of(a, here);
  std::vector<std::byte> to(from.size());
  const std::size_t size = size_of(a.type());
  const lanes lines(a.shape(), k);
  for (std::int64_t lane = 0; lane < lines.count(); ++lane)
    for (std::int64_t i = 0; i < lines.length(); ++i) {
      const std::size_t at = lines.place(lane, i);
      std::memcpy(to.data() + at * size, from.data() + lines.place(lane, places[at]) * size, size);
    }
  return from_bytes(a.shape(), a.type(), to, like(a), here);
}

array argsort(const array& a, int axis, bool descending, call_site here) {
  const int k = resolve_axis(axis, a.rank(here), here);
  return from_vector(a.shape(), scalar_kind::int64, sorted_places(a, k, descending, here), like(a), here);
}

array searchsorted(const array& sorted, const array& values, bool after, call_site here) {
  if (sorted.rank(here) != 1)
    refuse(here, "searchsorted in an array with ", sorted.rank(), " axes: a vector is needed");
  const scalar_kind type = promoted(sorted.type(), values.type(here));
  const array in = as_type(sorted, type, here), wanted = as_type(values, type, here);
  return with_key_type(type, [&]<class T>() {
    const std::vector<T> line = keys_of<T>(in, here), keys = keys_of<T>(wanted, here);
    std::vector<std::int64_t> places(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto found = after ? std::upper_bound(line.begin(), line.end(), keys[k], sort_order())
                               : std::lower_bound(line.begin(), line.end(), keys[k], sort_order());
      places[k] = found - line.begin();
    }
    return from_vector(values.shape(), scalar_kind::int64, places, beside(values), here);
  });
}

unique_elements unique_all(const array& a, call_site here) {
  const array line = a.reshape({-1}, here);
  return with_key_type(a.type(), [&]<class T>() {
    const std::vector<T> keys = keys_of<T>(line, here);
    const std::vector<std::int64_t> order = sorted_places(line, 0, false, here);
    std::vector<std::int64_t> first, count, inverse(keys.size());
    for (const std::int64_t at : order) {
      const T& key = keys[index(at)];
      const bool is_new = first.empty() || is_unlike_itself(key) || !(keys[index(first.back())] == key);
      if (is_new) first.push_back(at), count.push_back(0);
      ++count.back();
      inverse[index(at)] = std::ssize(first) - 1;
    }
    const std::size_t size = size_of(a.type());
    const std::vector<std::byte> elements = elements_of(line, here);
    std::vector<std::byte> values(first.size() * size);
    for (std::size_t k = 0; k < first.size(); ++k)
      std::memcpy(values.data() + k * size, elements.data() + index(first[k]) * size, size);
    const extents n{std::ssize(first)};
    return unique_elements{from_bytes(n, a.type(), values, beside(a), here),
                           from_vector(n, scalar_kind::int64, first, beside(a), here),
                           from_vector(a.shape(), scalar_kind::int64, inverse, like(a), here),
                           from_vector(n, scalar_kind::int64, count, beside(a), here)};
  });
}

array isin(const array& a, const array& of, call_site here) {
  const scalar_kind type = promoted(a.type(here), of.type(here));
  const array left = as_type(a, type, here), right = as_type(of, type, here);
  return with_key_type(type, [&]<class T>() {
    const std::vector<T> keys = keys_of<T>(left, here);
    std::vector<T> known = keys_of<T>(right, here);
    std::sort(known.begin(), known.end(), sort_order());
    std::vector<std::uint8_t> is_known(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const auto found = std::lower_bound(known.begin(), known.end(), keys[k], sort_order());
      is_known[k] = found != known.end() && *found == keys[k] ? 1 : 0;
    }
    return from_vector(a.shape(), scalar_kind::boolean, is_known, like(a), here);
  });
}

}  // namespace tessera::nd
