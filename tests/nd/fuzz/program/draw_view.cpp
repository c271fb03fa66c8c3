#include "tests/nd/fuzz/program/draw_view.h"

#include <algorithm>

#include "tessera/base/index.h"

namespace tessera::fuzz {
namespace {

using list = std::vector<std::int64_t>;

std::int64_t draw_step(random_source& random) {
  constexpr std::array<std::int64_t, 6> steps{1, 2, 3, -1, -2, -3};
  return steps[index(random.weighted({8, 3, 1, 4, 2, 1}))];
}

index_entry draw_entry(random_source& random, std::int64_t n) {
  using form = index_entry::form;
  if (n > 0 && random.percent(20)) return {form::place, random.in(-n, n - 1), 0, 1};
  if (random.percent(25)) return {};
  index_entry e{form::slice, index_entry::open, index_entry::open, draw_step(random)};
  if (n == 0 || random.percent(10)) {  // whatever comes
    if (random.percent(70)) e.first = random.in(-n - 2, n + 2);
    if (random.percent(70)) e.last = random.in(-n - 2, n + 2);
    return e;
  }
  const std::int64_t low = random.in(0, n / 3), high = random.in(std::max(low, n - 1 - n / 2), n - 1);
  const auto place = [&](std::int64_t at) { return random.percent(40) ? at - n : at; };
  const bool is_forward = e.step > 0;
  if (is_forward ? low > 0 : high < n - 1) e.first = place(is_forward ? low : high);
  if (is_forward && high < n - 1) e.last = place(high + 1);
  if (!is_forward && low > 0) e.last = place(low - 1);
  return e;
}

view_call draw_index(random_source& random, const plain_array& a) {
  view_call call{view_call::form::index, {}, {}, 0, 0, 0};
  const std::size_t used = random.percent(70) ? a.shape.size() : index(random.in(0, a.rank()));
  int room = 5 - a.rank();
  for (std::size_t k = 0; k < used; ++k) {
    if (room > 0 && random.percent(7)) --room, call.entries.push_back({index_entry::form::new_axis, 0, 0, 1});
    call.entries.push_back(draw_entry(random, a.shape[k]));
  }
  if (room > 0 && random.percent(10)) call.entries.push_back({index_entry::form::new_axis, 0, 0, 1});
  return call;
}

view_call draw_permutation(random_source& random, const plain_array& a) {
  view_call call{view_call::form::permute, {}, extents::uniform(a.rank(), 0), 0, 0, 0};
  std::vector<std::int64_t> axes(index(a.rank()));
  for (std::size_t k = 0; k < axes.size(); ++k) axes[k] = static_cast<std::int64_t>(axes.size() - 1 - k);
  if (random.percent(60))
    for (std::size_t k = axes.size(); k > 1; --k)
      std::swap(axes[k - 1], axes[index(random.in(0, static_cast<std::int64_t>(k) - 1))]);
  call.numbers = extents_of(axes);
  return call;
}

/// Axes joined, or one cut in two.
view_call draw_shape(random_source& random, const plain_array& a) {
  list shape = a.shape;
  const std::size_t axis = index(random.in(0, std::max(a.rank() - 1, 0)));
  if (random.percent(25) || shape.empty()) {
    shape = {random.percent(50) ? -1 : a.size()};
  } else if (shape.size() > 1 && axis + 1 < shape.size() && random.percent(60)) {
    shape[axis] *= shape[axis + 1];
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1);
  } else if (shape.size() < 5) {
    const std::int64_t n = shape[axis];
    std::int64_t part = 1;
    for (const std::int64_t d : {2, 3, 4, 5, 7})
      if (n > 0 && n % d == 0 && (part == 1 || random.percent(50))) part = d;
    shape[axis] = n / part;
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, part);
  }
  if (a.size() == 0)
    for (std::int64_t& n : shape) n = std::max<std::int64_t>(n, 0);
  return {view_call::form::reshape, {}, extents_of(shape), 0, 0, 0};
}

view_call draw_repetition(random_source& random, const plain_array& a) {
  list shape = a.shape;
  for (std::int64_t& n : shape)
    if (n == 1 && random.percent(60)) n = random.in(1, 5);
  if (shape.size() < 4 && random.percent(50)) shape.insert(shape.begin(), random.in(1, 4));
  return {view_call::form::broadcast, {}, extents_of(shape), 0, 0, 0};
}

}  // namespace

view_call draw_view(random_source& random, const plain_array& a, bool repeats) {
  const int rank = a.rank();
  switch (random.weighted({10, rank > 1 ? 4 : 0, rank > 0 ? 2 : 0, rank > 1 ? 2 : 0, repeats ? 2 : 0, 4})) {
    case 0:
      return draw_index(random, a);
    case 1:
      return draw_permutation(random, a);
    case 2:
      return {view_call::form::flip, {}, {}, static_cast<int>(random.in(0, rank - 1)), 0, 0};
    case 3: {
      const int axis = static_cast<int>(random.in(0, rank - 1));
      const int other = static_cast<int>((axis + random.in(1, rank - 1)) % rank);
      const std::int64_t most = std::min(a.shape[index(axis)], a.shape[index(other)]);
      return {view_call::form::diagonal, {}, {}, axis, other, random.percent(50) ? 0 : random.in(-most, most)};
    }
    case 4:
      return draw_repetition(random, a);
    default:
      return draw_shape(random, a);
  }
}

std::optional<view_call> draw_fitting(random_source& random, const plain_array& a, const list& shape) {
  using form = index_entry::form;
  view_call call{view_call::form::index, {}, {}, 0, 0, 0};
  const std::int64_t surplus = static_cast<std::int64_t>(a.shape.size()) - static_cast<std::int64_t>(shape.size());
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(a.shape.size()); ++k) {
    const std::int64_t n = a.shape[index(k)];
    if (k < surplus) {
      if (n == 0) return std::nullopt;
      call.entries.push_back({form::place, random.in(-n, n - 1), 0, 1});
      continue;
    }
    const std::int64_t wanted = shape[index(k - surplus)];
    if (n == wanted) {
      call.entries.push_back(random.percent(15) ? index_entry{form::slice, index_entry::open, index_entry::open, -1}
                                                : index_entry{});
      continue;
    }
    if (n == 0) return std::nullopt;
    const std::int64_t count = n > wanted ? wanted : 1;
    std::int64_t step = draw_step(random);
    if (count > 1 && (count - 1) * std::abs(step) >= n) step = step > 0 ? 1 : -1;
    const std::int64_t reach = std::max<std::int64_t>(count - 1, 0) * std::abs(step);
    const std::int64_t low = random.in(0, n - 1 - reach);
    if (step > 0) {
      call.entries.push_back({form::slice, low, low + (count == 0 ? 0 : reach + 1), step});
    } else {
      const std::int64_t high = low + reach;  // the first place
      const std::int64_t end = count == 0 ? high : low - 1;
      call.entries.push_back({form::slice, high, end < 0 ? index_entry::open : end, step});
    }
  }
  return call;
}

}  // namespace tessera::fuzz
