#include "tests/nd/fuzz/program/draw_value.h"

#include <algorithm>

#include "tessera/base/index.h"
#include "tests/nd/fuzz/reference/types.h"

namespace tessera::fuzz {

using list = std::vector<std::int64_t>;
using enum scalar_kind;

void value_source::begin(bool is_large) {
  is_large_ = is_large;
  for (scalar_kind& type : types_) type = any_type();
  base_ = any_shape();
}

scalar_kind value_source::any_type() {
  constexpr std::array all{boolean, int8,   int16,  int32,   int64,   uint8,
                           uint16,  uint32, uint64, float32, float64, complex64};
  return all[index(random_.weighted({4, 2, 2, 4, 4, 3, 1, 2, 2, 8, 10, 1}))];
}

scalar_kind value_source::type() { return random_.percent(80) ? types_[index(random_.in(0, 1))] : any_type(); }

list value_source::any_shape() {
  const int rank = random_.weighted({1, 5, 6, 4, 2});
  list shape(index(rank));
  for (std::int64_t& n : shape) n = random_.percent(6) ? random_.in(0, 1) : random_.in(2, 9);
  if (!is_large_ || shape.empty()) return shape;
  std::int64_t others = 1;
  for (std::size_t k = 1; k < shape.size(); ++k) others *= shape[k] = std::max<std::int64_t>(shape[k], 2);
  const std::size_t longest = index(random_.in(0, rank - 1));
  std::swap(shape[0], shape[longest]);
  others = volume_of(shape) / std::max<std::int64_t>(shape[longest], 1);
  if (shape[longest] == 0) return shape;
  shape[longest] = std::max<std::int64_t>(random_.in(1100, 5000) / others, 1);
  return shape;
}

list value_source::shape() {
  if (random_.percent(15)) return any_shape();
  list shape = base_;
  if (random_.percent(60)) return shape;
  if (!shape.empty() && random_.percent(30)) shape.erase(shape.begin());
  for (std::int64_t& n : shape)
    if (random_.percent(25)) n = random_.percent(50) ? 1 : n + random_.in(0, 2);
  return shape;
}

plain_number value_source::number(scalar_kind beside) {
  using sort = plain_number::sort;
  const std::int64_t least = is_integer(beside) && !is_signed(beside) ? 0 : -4;
  if (random_.percent(8)) return {sort::boolean, random_.in(0, 1), 0, 0};
  if (random_.percent(is_integer(beside) || is_boolean(beside) ? 85 : 40))
    return {sort::integer, random_.in(least, 7), 0, 0};
  if (random_.percent(2)) return {sort::complex, 0, 0.5, -2};
  constexpr std::array special{0.1, 2.5, -0.0, 1e30, 0.5, -1.75};
  return {sort::real, 0, special[index(random_.in(0, 5))], 0};
}

}  // namespace tessera::fuzz
