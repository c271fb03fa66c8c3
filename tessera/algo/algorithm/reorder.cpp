#include "tessera/algo/algorithm/reorder.h"

#include <bit>

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/map_launch.h"
#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::algo {

void require_rotation(std::int64_t by, std::int64_t size, call_site here) {
  if (by < 0 || by > size)
    throw argument_error(
        cat(label_of("rotate", here), ": element ", by, " of ", size, " elements cannot become the first one"));
}

void refuse_empty(const char* which, call_site here) {
  throw argument_error(cat(label_of(which, here), " of a range without elements"));
}

void store_rotated(const sequence& all, std::int64_t by, const operand& out, const op& last) {
  require_rotation(by, all.size, all.site);
  if (out.size() != all.size || out.shape().rank() != 1)
    throw argument_error(cat(label_of("rotate", all.site), ": an output of the shape ", to_string(out.shape()), " for ",
                             all.size, " elements"));
  for (const call_argument& a : all.given)
    if (a.as == call_argument::kind::elements && a.elements.elements == out.elements &&
        !intersect(a.elements.part, out.part).empty())
      throw argument_error(cat(label_of("rotate", all.site), ": the output is also the input; use rotate in place"));
  const auto part = [&](std::int64_t first, std::int64_t end, std::int64_t to) {
    const std::int64_t begin = out.part.lo[0] + to;
    store(applied(last, {part_of(all, first, end)}, all.site), {out.elements, box({begin}, {begin + end - first})});
  };
  part(by, all.size, 0);
  part(0, by, all.size - by);
}

sequence shuffled_places(std::int64_t n, std::uint64_t seed, call_site here) {
  const auto bits = static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n > 1 ? n - 1 : 1)));
  const auto same = [&](auto value) { return views::constant(value, n, here).elements(); };
  return applied_by<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint64_t>(
      "tessera::algo::shuffled_place", {}, {places(n, here), same(n), same((bits + 1) / 2), same(seed)}, here);
}

}  // namespace tessera::algo
