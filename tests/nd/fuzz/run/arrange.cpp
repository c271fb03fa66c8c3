#include "tests/nd/fuzz/run/arrange.h"

#include <array>

namespace tessera::fuzz {
namespace {

/// Slabs along an axis, of very different sizes, some of them empty, on devices in any order.
class uneven_slabs final : public distribution {
 public:
  uneven_slabs(int axis, std::int64_t seed) : axis_(axis), seed_(static_cast<std::uint64_t>(seed)) {}

  [[nodiscard]] plan::layout parts(const extents& shape, int devices) const override {
    plan::layout made;
    made.form = plan::layout::kind::listed;
    std::int64_t first = 0;
    for (int k = 0; k < devices && first < shape[axis_]; ++k) {
      const auto drawn = static_cast<std::int64_t>((seed_ * 0x9E3779B97F4A7C15U >> (7 * k % 50)) % 4);
      const std::int64_t wanted = drawn * shape[axis_] / (2 * devices);
      const std::int64_t last = k == devices - 1 ? shape[axis_] : std::min(shape[axis_], first + wanted);
      if (last == first) continue;
      box part = box::whole(shape);
      part.lo[axis_] = std::exchange(first, last);
      part.hi[axis_] = last;
      const int device =
          static_cast<int>((static_cast<std::uint64_t>(k) + seed_) % static_cast<std::uint64_t>(devices));
      made.parts.push_back({part, device, static_cast<int>(made.parts.size())});
    }
    return made;
  }

 private:
  int axis_;
  std::uint64_t seed_;
};

}  // namespace

nd::array arranged(const step& s, std::span<const nd::array> from) {
  const nd::array& a = from[0];
  switch (s.arranged) {
    case arrangement::concat:
      return nd::concat(from.first(2), s.axis);
    case arrangement::stack:
      return nd::stack(from.first(2), s.axis);
    case arrangement::roll:
      return nd::roll(a, {s.numbers[0]}, s.axis);
    case arrangement::pad:
      return nd::pad(a, {{s.numbers[0], s.numbers[1]}},
                     s.numbers[2] != 0 ? nd::pad_mode::edge : nd::pad_mode::constant);
    case arrangement::tile:
      return nd::tile(a, s.shape);
    case arrangement::repeat:
      return nd::repeat(a, s.numbers[0], s.axis);
    case arrangement::diff:
      return nd::diff(a, static_cast<int>(s.numbers[0]), s.axis);
    case arrangement::resplit:
      return nd::resplit(a, s.axis);
    case arrangement::redistribute:
      return nd::redistribute(a, uneven_slabs(s.axis, s.numbers[0]));
    case arrangement::balance:
      break;
  }
  return nd::balance(a);
}

}  // namespace tessera::fuzz
