#include "tests/algo/fuzz/reference/reference.h"

#include <numeric>

namespace tessera::fuzz {
namespace {

template <class T, int N>
void reshape(plain<T, N>& all, const extents& shape, const T& value) {
  plain<T, N> made{shape, std::vector<T>(static_cast<std::size_t>(box::whole(shape).volume()), value)};
  for_each_index(intersect(all.whole(), made.whole()), [&](const extents& at) { made.at(at) = all.at(at); });
  all = std::move(made);
}

}  // namespace

template <class T>
void reference::vector_change(const step& s) {
  plain<T, 1>& a = get<T, 1>(s.slot[0]);
  std::vector<T> v = a.elements;
  const auto at = v.begin() + s.n[0];
  const auto count = static_cast<std::size_t>(s.n[1]);
  if (s.action == verb::push_back)
    for (const T& each : values_of<T>(s.n[1], s.n[2])) v.push_back(each);
  if (s.action == verb::pop_back) v.pop_back();
  if (s.action == verb::insert_value) v.insert(at, count, value_of<T>(s.n[2]));
  if (s.action == verb::insert_values) {
    const std::vector<T> values = values_of<T>(s.n[1], s.n[2]);
    v.insert(at, values.begin(), values.end());
  }
  if (s.action == verb::erase) v.erase(at, at + s.n[1]);
  if (s.action == verb::clear) v.clear();
  a.set(std::move(v));
}

template <class T, int N>
void reference::host(const step& s, observation& seen) {
  plain<T, N>& a = get<T, N>(s.slot[0]);
  plain<T, N>& b = get<T, N>(s.slot[1]);
  const box& part = s.part[0];
  switch (s.action) {
    case verb::create:
      return a = {s.shape, values_of<T>(box::whole(s.shape).volume(), s.n[2])}, void();
    case verb::create_filled:
      a = {s.shape, std::vector<T>(static_cast<std::size_t>(box::whole(s.shape).volume()), value_of<T>(s.n[2]))};
      return;
    case verb::copy:
      return a = b, void();
    case verb::move:
      return a = std::move(b), b = {}, void();
    case verb::swap:
      return std::swap(a, b);
    case verb::resize:
      return reshape(a, s.shape, value_of<T>(s.n[2]));
    case verb::fill:
      a = {s.shape, std::vector<T>(static_cast<std::size_t>(box::whole(s.shape).volume()), value_of<T>(s.n[2]))};
      return;
    case verb::read_element:
    case verb::read_run:
      for (std::int64_t k = s.n[0]; k < s.n[1]; ++k) seen.add(a.elements[static_cast<std::size_t>(k)]);
      return;
    case verb::write_element:
    case verb::write_run:
      for (std::int64_t k = s.n[0]; k < s.n[1]; ++k) a.elements[static_cast<std::size_t>(k)] = value_of<T>(s.n[2] + k);
      return;
    case verb::add_to_element:
      for (std::int64_t k = s.n[0]; k < s.n[1]; ++k)
        a.elements[static_cast<std::size_t>(k)] = changed(a.elements[static_cast<std::size_t>(k)], s.n[2]);
      return;
    case verb::swap_elements:
      return std::swap(a.elements[static_cast<std::size_t>(s.n[0])], a.elements[static_cast<std::size_t>(s.n[3])]);
    case verb::read_guard:
    case verb::read_part:
      return seen.add(elements_of(a, part));
    case verb::write_guard:
      return put_elements(a, part, values_of<T>(part.volume(), s.n[2]));
    case verb::change_guard:
      for_each_index(part, [&](const extents& at) { a.at(at) = changed(a.at(at), s.n[2]); });
      return;
    case verb::hold:
      held_ = held_guard{s.type, s.axes, s.slot[0], part, s.form > 0};
      seen.add(s.form == 1 ? std::vector<T>() : elements_of(a, part));
      if (s.form == 1) put_elements(a, part, values_of<T>(part.volume(), s.n[2]));
      if (s.form == 2) for_each_index(part, [&](const extents& at) { a.at(at) = changed(a.at(at), s.n[2]); });
      return;
    case verb::release:
      seen.add(elements_of(a, held_->part));
      held_.reset();
      return;
    case verb::compare:
      return seen.add(a.shape == b.shape &&
                      std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(),
                                 [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof x) == 0; }));
    case verb::from_root:
    case verb::from_own:
      return a.elements = values_of<T>(a.whole().volume(), s.n[2]), void();
    case verb::local_part:
      if (s.form == 0)
        seen.add(a.elements);
      else
        for (T& x : a.elements) x = changed(x, s.n[2]);
      return;
    default:
      break;  // controls change nothing
  }
}

observation reference::apply(const step& s) {
  observation seen;
  if (s.refused) return seen;
  with_type(s.type, s.axes, [&]<class T, int N>() {
    if (s.action < verb::map_new) host<T, N>(s, seen);
    if constexpr (N == 1)
      if (s.action >= verb::push_back && s.action <= verb::clear) vector_change<T>(s);
    if constexpr (N == 1)
      if (s.action >= verb::sort_elements) return algorithm<T>(s, seen);
    if (s.action >= verb::map_new) skeleton<T, N>(s, seen);
  });
  return seen;
}

}  // namespace tessera::fuzz
