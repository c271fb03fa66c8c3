#include "tests/algo/fuzz/run/tested.h"

#include "tests/algo/fuzz/reference/plain.h"

namespace tessera::fuzz {
namespace {

/// The element at an offset, by its index or by an iterator.
template <class T, int N>
auto element_at(device_container<T, N>& all, std::int64_t offset, int form) {
  if (form == 1) return all.begin()[offset];
  const extents shape = all.shape();
  if constexpr (N == 1)
    return all[offset];
  else if constexpr (N == 2)
    return all(offset / shape[1], offset % shape[1]);
  else
    return all(offset / shape[2] / shape[1], offset / shape[2] % shape[1], offset % shape[2]);
}

/// Where the elements of this rank are among all, in the order of `own_boxes()`.
template <class C>
std::vector<std::size_t> own_offsets(const C& all) {
  std::vector<std::size_t> offsets;
  for (const box& own : all.own_boxes())
    for_each_index(own, [&](const extents& at) {
      offsets.push_back(static_cast<std::size_t>(offset_of(dense_strides(all.shape(), 1), at)));
    });
  return offsets;
}

}  // namespace

tested::tested(const context& ctx, std::int64_t portion) : ctx_(ctx), options_(ctx) {
  if (portion > 0) options_.portion = portion;
  for (const value_kind type : {value_kind::number, value_kind::real, value_kind::cell})
    for (int axes = 1; axes <= 3; ++axes)
      for (int slot = 0; slot < slots; ++slot)
        with_type(type, axes,
                  [&]<class T, int N>() { get<T, N>(slot) = make<T, N>(extents::uniform(N, 0), std::vector<T>()); });
}

template <class T, int N>
device_container<T, N> tested::make(const extents& shape, const std::vector<T>& values) const {
  if constexpr (N == 1)
    return vector<T>(values, options_);
  else if constexpr (N == 2)
    return matrix<T>(shape[0], shape[1], values, options_);
  else
    return tensor<T, N>(shape, values, options_);
}

template <class T>
void tested::vector_change(const step& s) {
  vector<T>& a = get<T, 1>(s.slot[0]);
  const auto at = a.begin() + s.n[0];
  if (s.action == verb::push_back)
    for (const T& each : values_of<T>(s.n[1], s.n[2])) a.push_back(each);
  if (s.action == verb::pop_back) a.pop_back();
  if (s.action == verb::insert_value) a.insert(at, s.n[1], value_of<T>(s.n[2]));
  if (s.action == verb::insert_values) {
    const std::vector<T> values = values_of<T>(s.n[1], s.n[2]);
    a.insert(at, values.begin(), values.end());
  }
  if (s.action == verb::erase) a.erase(at, at + s.n[1]);
  if (s.action == verb::clear) a.clear();
  if (s.action == verb::reserve) a.reserve(s.n[0]);
  if (s.action == verb::shrink_to_fit) a.shrink_to_fit();
}

template <class T, int N>
void tested::change(const step& s, observation&) {
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  device_container<T, N>& b = get<T, N>(s.slot[1]);
  const T value = value_of<T>(s.n[2]);
  switch (s.action) {
    case verb::create:
      return a = make<T, N>(s.shape, values_of<T>(box::whole(s.shape).volume(), s.n[2])), void();
    case verb::create_filled:
      if constexpr (N == 1) a = vector<T>(s.shape[0], value, options_);
      if constexpr (N == 2) a = matrix<T>(s.shape[0], s.shape[1], value, options_);
      if constexpr (N == 3) a = tensor<T, N>(s.shape, value, options_);
      return;
    case verb::copy:
      return a = b, void();
    case verb::move:
      a = std::move(b);
      b = make<T, N>(extents::uniform(N, 0), {});
      return;
    case verb::swap:
      return std::swap(a, b);
    case verb::resize:
      if constexpr (N == 1) a.resize(s.shape[0], value);
      if constexpr (N == 2) a.resize(s.shape[0], s.shape[1], value);
      if constexpr (N == 3) a.resize(s.shape, value);
      return;
    case verb::fill:
      if constexpr (N == 1)
        a.assign(s.shape[0], value);
      else
        a.fill(value);
      return;
    default:
      if constexpr (N == 1) vector_change<T>(s);
  }
}

template <class T, int N>
void tested::elements(const step& s, observation& seen) {
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  if (s.action == verb::swap_elements) {
    const auto x = element_at<T, N>(a, s.n[0], s.form), y = element_at<T, N>(a, s.n[3], s.form);
    return swap(x, y);
  }
  for (std::int64_t k = s.n[0]; k < s.n[1]; ++k) {
    const auto x = element_at<T, N>(a, k, s.form);
    if (s.action == verb::read_element || s.action == verb::read_run)
      seen.add(x.get());
    else
      x = s.action == verb::add_to_element ? changed(x.get(), s.n[2]) : value_of<T>(s.n[2] + k);
  }
}

template <class T, int N>
void tested::hold(const step& s, observation& seen) {
  const auto keep = [&](auto guard) {
    if (s.form != 1) seen.add(std::vector<T>(guard.begin(), guard.end()));
    if constexpr (!std::is_const_v<typename decltype(guard)::element_type>) {
      std::int64_t k = s.n[2];
      for (T& x : guard) x = s.form == 1 ? value_of<T>(k++) : changed(x, s.n[2]);
    }
    const auto kept = std::make_shared<decltype(guard)>(std::move(guard));
    release_ = [kept](observation& at_end) {
      at_end.add(std::vector<T>(kept->begin(), kept->end()));
      kept->give_back();
    };
  };
  const container_part<T, N> wanted = part<T, N>(s, 0);
  if (s.form == 0) return keep(wanted.host(read));
  if (s.form == 1) return keep(wanted.host(write));
  keep(wanted.host(readwrite));
}

template <class T, int N>
void tested::exchange(const step& s, observation& seen) {
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  const container_part<T, N> wanted = part<T, N>(s, 0);
  const bool is_all = s.part[0] == box::whole(a.shape());
  if (s.action == verb::read_guard) {
    const auto h = is_all ? a.host(read) : wanted.host(read);
    seen.add(std::vector<T>(h.begin(), h.end()));
  } else if (s.action == verb::read_part) {
    std::vector<T> values;
    if (is_all && s.form == 2) values = a.to_root(0);
    if (!is_all || s.form != 2 || ctx_.ranks() > 1) {
      const std::vector<T> all = is_all ? a.to_host() : wanted.to_host();
      if (values.empty()) values = all;  // but for the root
    }
    seen.add(values);
  } else if (s.action == verb::write_guard) {
    const auto h = is_all ? a.host(write) : wanted.host(write);
    std::int64_t k = s.n[2];
    for (T& x : h) x = value_of<T>(k++);
  } else {
    const auto h = is_all ? a.host(readwrite) : wanted.host(readwrite);
    for (T& x : h) x = changed(x, s.n[2]);
  }
}

template <class T, int N>
void tested::own(const step& s, observation& seen) {
  device_container<T, N>& a = get<T, N>(s.slot[0]);
  std::vector<T> values = values_of<T>(a.size(), s.n[2]);
  const std::vector<std::size_t> offsets = own_offsets(a);
  if (s.action == verb::from_own) {
    std::vector<T> in_parts;
    for (const std::size_t at : offsets) in_parts.push_back(values[at]);
    return a.from_own(in_parts);
  }
  if (s.form == 0) {
    if (ctx_.ranks() > 1) values = a.to_host();
    const auto h = a.local(read);
    for (std::size_t k = 0; k < h.size(); ++k) values[offsets[k]] = h[k];
    return seen.add(values);
  }
  const auto h = a.local(readwrite);
  for (T& x : h) x = changed(x, s.n[2]);
}

observation tested::apply(const step& s) {
  observation seen;
  with_type(s.type, s.axes, [&]<class T, int N>() {
    device_container<T, N>& a = get<T, N>(s.slot[0]);
    const std::int64_t size = a.size();
    if constexpr (N == 1)
      if (s.action >= verb::sort_elements) return algorithm_step<T>(s, seen);
    if (s.action < verb::read_element) return change<T, N>(s, seen);
    if (s.action <= verb::write_run) return elements<T, N>(s, seen);
    if (s.action == verb::hold) return hold<T, N>(s, seen);
    if (s.action == verb::release) return std::exchange(release_, nullptr)(seen);
    if (s.action == verb::compare) {
      if constexpr (!std::is_same_v<T, cell>) seen.add(a == get<T, N>(s.slot[1]));
      return;
    }
    if (s.action <= verb::read_part) return exchange<T, N>(s, seen);
    if (s.action == verb::from_root) return a.from_root(0, values_of<T>(size, s.n[2]));
    if (s.action == verb::from_own || s.action == verb::local_part) return own<T, N>(s, seen);
    if (s.action == verb::update_host) return a.update_host();
    if (s.action == verb::update_device) return a.update_device();
    if (s.action == verb::invalidate_device) return a.invalidate_device();
    if (s.action == verb::flush) return s.form == 0 ? a.flush() : a.release_device();
    if (s.action == verb::overlap || s.action == verb::overlap_lines) {
      if constexpr (!std::is_same_v<T, cell>) stencil_step<T, N>(s);
      return;
    }
    const bool folds = (s.action >= verb::reduce_all && s.action <= verb::scan) || s.action == verb::pairs_reduce;
    folds ? reduce_step<T, N>(s, seen) : map_step<T, N>(s);
  });
  return seen;
}

}  // namespace tessera::fuzz
