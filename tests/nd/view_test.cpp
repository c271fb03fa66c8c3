#include "tessera/nd/shape/view.h"

#include <doctest/doctest.h>

#include <numeric>
#include <random>
#include <vector>

#include "tessera/base/error.h"

using namespace tessera;
using nd::slice;
using nd::view;

namespace {

using numbers = std::vector<std::int64_t>;

/// The elements of a view in the order of indices.
numbers elements(const view& v) {
  numbers list;
  extents index = extents::uniform(v.rank(), 0);
  for (std::int64_t n = v.size(); n > 0; --n) {
    list.push_back(v.element(index));
    for (int axis = v.rank() - 1; axis >= 0 && ++index[axis] == v.shape[axis]; --axis) index[axis] = 0;
  }
  return list;
}

view sliced(const view& v, int axis, const slice& s) { return selected(v, nd::slice_map(v.shape, axis, s)); }
view picked(const view& v, int axis, std::int64_t i) { return selected(v, nd::pick_map(v.shape, axis, i)); }
view permuted(const view& v, std::span<const int> axes) { return selected(v, nd::permutation_map(v.shape, axes)); }
view flipped(const view& v, int axis) { return selected(v, nd::flip_map(v.shape, axis)); }
view with_axis(const view& v, int position) { return selected(v, nd::new_axis_map(v.shape, position)); }
view without_axis(const view& v, int axis) { return selected(v, nd::dropped_axis_map(v.shape, axis)); }
view broadcast(const view& v, const extents& shape) { return selected(v, nd::broadcast_map(v.shape, shape)); }
view diagonal(const view& v, std::int64_t distance, int axis, int other) {
  return selected(v, nd::diagonal_map(v.shape, distance, axis, other));
}

/// What Python's `range(length)[first:last:step]` is, by counting.
numbers counted(std::int64_t length, std::int64_t first, std::int64_t last, std::int64_t step) {
  numbers list;
  for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step)
    if (i >= 0 && i < length) list.push_back(i);
  return list;
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const argument_error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("slices count, start and stop as in Python") {
  for (const std::int64_t length : {0, 1, 2, 7})
    for (std::int64_t first = -9; first <= 9; ++first)
      for (std::int64_t last = -9; last <= 9; ++last)
        for (const std::int64_t step : {-3, -2, -1, 1, 2, 3, 100}) {
          const view v = sliced(view::whole({length}), 0, nd::_(first, last, step));
          const auto place = [&](std::int64_t i) { return i < 0 ? i + length : i; };
          // A negative place before the first element stays before it when counting backwards.
          const std::int64_t from =
              step < 0 ? std::min(place(first), length - 1) : std::max<std::int64_t>(place(first), 0);
          const std::int64_t to = step < 0 ? std::max<std::int64_t>(place(last), -1) : place(last);
          CAPTURE(length);
          CAPTURE(first);
          CAPTURE(last);
          CAPTURE(step);
          CHECK(elements(v) == counted(length, from, to, step));
        }
}

TEST_CASE("open slices take all that is there") {
  const view v = view::whole({5});
  CHECK(elements(sliced(v, 0, nd::all)) == numbers{0, 1, 2, 3, 4});
  CHECK(elements(sliced(v, 0, nd::_(2, nd::end))) == numbers{2, 3, 4});
  CHECK(elements(sliced(v, 0, nd::_(nd::end, nd::end, -2))) == numbers{4, 2, 0});
  CHECK(elements(sliced(v, 0, nd::_(0, nd::end, std::numeric_limits<std::int64_t>::max()))) == numbers{0});
  CHECK(nd::to_string(nd::_(1, -1, 2)) == "1:-1:2");
  CHECK(message_of([&] { (void)sliced(v, 0, nd::_(0, 3, 0)); }).find("the step of a slice is not 0") !=
        std::string::npos);
}

TEST_CASE("views of views find the elements of the storage") {
  const view v = view::whole({3, 4});
  CHECK(elements(picked(v, 0, -1)) == numbers{8, 9, 10, 11});
  CHECK(elements(picked(v, 1, 2)) == numbers{2, 6, 10});
  const int turned[] = {1, 0};
  CHECK(elements(permuted(v, turned)) == numbers{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11});
  CHECK(elements(flipped(v, -1)) == numbers{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8});
  CHECK(elements(diagonal(v, 0, 0, 1)) == numbers{0, 5, 10});
  CHECK(elements(diagonal(v, 2, 0, 1)) == numbers{2, 7});
  CHECK(elements(diagonal(v, -1, 0, 1)) == numbers{4, 9});
  CHECK(diagonal(v, 9, 0, 1).size() == 0);
  CHECK(without_axis(with_axis(v, 1), 1) == v);
  CHECK(with_axis(v, -1).shape == extents{3, 4, 1});
  const view block = sliced(sliced(v, 0, nd::_(1, nd::end)), 1, nd::_(0, nd::end, 2));
  CHECK(elements(block) == numbers{4, 6, 8, 10});
  CHECK_FALSE(block.is_contiguous());
  CHECK(picked(v, 0, 1).is_contiguous());
}

TEST_CASE("repeated axes have one element for many indices, and nothing is written through them") {
  const view v = view::whole({2, 1});
  const view wide = broadcast(v, {3, 2, 2});
  CHECK(elements(wide) == numbers{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(wide.repeats());
  CHECK_FALSE(v.repeats());
  CHECK(nd::broadcast_shape({5, 1, 4}, {3, 1}) == extents{5, 3, 4});
  CHECK(nd::broadcast_shape({}, {2}) == extents{2});
  CHECK(nd::broadcast_shape({0, 1}, {1, 3}) == extents{0, 3});
  const std::string text = message_of([] { (void)nd::broadcast_shape({2, 3}, {4, 3}); });
  CHECK(text.find(to_string(extents{2, 3})) != std::string::npos);
  CHECK(text.find(to_string(extents{4, 3})) != std::string::npos);
  CHECK(text.find("2 and 4 elements on axis -2") != std::string::npos);
  CHECK(message_of([&] { (void)broadcast(v, {2}); }).find("cannot be repeated") != std::string::npos);
}

TEST_CASE("shapes are completed, and refused where elements would be left over") {
  CHECK(nd::complete_shape({2, -1}, 12) == extents{2, 6});
  CHECK(nd::complete_shape({-1}, 0) == extents{0});
  CHECK(nd::complete_shape({3, 4}, 12) == extents{3, 4});
  CHECK(message_of([] {
          (void)nd::complete_shape({5, -1}, 12);
        }).find("12 elements cannot have the shape") != std::string::npos);
  CHECK(message_of([] { (void)nd::complete_shape({-1, -1}, 12); }).find("two open extents") != std::string::npos);
  CHECK(message_of([] { (void)nd::complete_shape({-2}, 12); }).find("negative extent") != std::string::npos);
  CHECK(message_of([] { (void)nd::complete_shape({0, -1}, 12); }).find("cannot have the shape") != std::string::npos);
}

TEST_CASE("a reshaped view has the same elements in the same order, or there is none") {
  std::mt19937 random(7);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::vector<extents> shapes{{24}, {2, 12}, {4, 6}, {2, 3, 4}, {3, 1, 8}, {2, 2, 2, 3}, {1, 24, 1}, {6, 2, 2}};
  int found = 0, none = 0;
  for (int round = 0; round < 3000; ++round) {
    view v = view::whole(shapes[static_cast<std::size_t>(draw(8))]);
    for (int k = draw(4); k > 0; --k) {
      const int axis = draw(v.rank());
      if (draw(2) == 0) {
        v = flipped(v, axis);
      } else {
        std::vector<int> axes(static_cast<std::size_t>(v.rank()));
        std::iota(axes.begin(), axes.end(), 0);
        std::swap(axes[static_cast<std::size_t>(axis)], axes[static_cast<std::size_t>(draw(v.rank()))]);
        v = permuted(v, axes);
      }
    }
    const extents shape = shapes[static_cast<std::size_t>(draw(8))];
    const std::optional<view> made = nd::reshaped(v, shape);
    found += made ? 1 : 0;
    none += made ? 0 : 1;
    if (made) {
      CHECK(made->shape == shape);
      CHECK(elements(*made) == elements(v));
    }
    if (v.is_contiguous() || shape == v.shape) CHECK(made.has_value());
  }
  CHECK(found > 500);
  CHECK(none > 500);
}

TEST_CASE("axes and indices that an array does not have are named") {
  const view v = view::whole({3, 4});
  CHECK(message_of([&] { (void)picked(v, 0, 3); }) == "index 3 is beyond axis 0, which has 3 elements");
  CHECK(message_of([&] { (void)flipped(v, 2); }) == "axis 2 of an array with 2 axes");
  CHECK(message_of([&] { (void)without_axis(v, 1); }).find("it has 4 elements") != std::string::npos);
  const int twice[] = {0, 0};
  CHECK(message_of([&] { (void)permuted(v, twice); }).find("twice") != std::string::npos);
}
