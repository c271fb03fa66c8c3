#include "tessera/base/text.h"
#include "tests/algo/fuzz/program/print.h"

namespace tessera::fuzz {
namespace {

const char* type_name(value_kind type) {
  return type == value_kind::number ? "unsigned" : type == value_kind::real ? "double" : "cell";
}
std::string order(value_kind type, std::int64_t which) {
  if (type == value_kind::cell) return "fuzzed::earlier()";
  return which == 1 ? "ts::greater()" : which == 2 ? "by_tail()" : "ts::less()";
}

}  // namespace

std::string algorithm_text(const step& s) {
  const std::string type = type_name(s.type), a = name_of(s.type, 1, s.slot[0]);
  const auto part = [&](std::size_t place, value_kind of) {
    return cat(name_of(of, 1, s.slot[place]), ".part(", s.part[place].lo[0], ", ", s.part[place].hi[0], ")");
  };
  const std::string holds = cat("condition<", type, ">(", s.n[2], ")"), by = order(s.type, s.n[3]);
  const std::string combine = s.n[3] == 1 ? "ts::maximum()" : s.n[3] == 2 ? "ts::minimum()" : "ts::plus()";
  switch (s.action) {
    case verb::sort_elements:
      return s.form == 0 ? cat("ts::sort(", part(0, s.type), ", ", by, ")")
                         : cat("ts::sort(", a, ".begin() + ", s.part[0].lo[0], ", ", a, ".begin() + ", s.part[0].hi[0],
                               ", ", by, ")");
    case verb::sort_keys:
      return cat("ts::sort_by_key(", part(1, value_kind::number), ", ", part(0, s.type), ", ",
                 order(value_kind::number, s.n[3]), ")");
    case verb::merge_sorted:
      return cat(a, " = ts::merge(copies of ", part(1, s.type), " and ", part(2, s.type), ", sorted, ", by, ")");
    case verb::take_top:
      return cat(a, " = ts::top_k(", part(1, s.type), ", ", s.n[1], ", ", by, ")");
    case verb::copy_some:
      return cat(a, " = ts::copy_if(", part(1, s.type), ", ", holds, ")");
    case verb::remove_some:
      return cat("check(ts::remove_if(", a, ", ", holds, "))");
    case verb::part_elements:
      return cat("check(ts::stable_partition(", part(0, s.type), ", ", holds, "))");
    case verb::keep_unique:
      return cat("check(ts::unique(", a, ", likeness<", type, ">()))");
    case verb::reduce_keys:
      return cat("std::tie(", a, ", ", name_of(value_kind::real, 1, s.slot[1]), ") = ts::reduce_by_key(",
                 part(2, s.type), ", the same | ts::views::transform(as_real()), same_tail(), ts::plus())");
    case verb::scan_keys:
      return cat(a, s.form == 1 ? " = ts::exclusive_scan_by_key(" : " = ts::inclusive_scan_by_key(",
                 part(1, value_kind::number), ", ", part(2, s.type),
                 s.form == 1 ? cat(", small<", type, ">(", s.n[2], ")") : "", ", same_tail(), ", combine, ")");
    case verb::sum_segments:
      return cat(a, " = ts::segmented_reduce(", part(1, s.type), ", segment_offsets(", s.part[1].volume(), ", ",
                 1 + s.n[1] % 20, ", ", s.n[2], "), small<", type, ">(", s.n[2], "))");
    case verb::gather_some:
      return cat(a, " = ts::gather(", part(1, value_kind::number), " | ts::views::transform(wrapped_place{",
                 s.part[2].volume(), "}), ", part(2, s.type), ")");
    case verb::gather_again:
      return cat(a, " = ts::gather(map, source), where map = ", part(1, value_kind::number), " | wrapped_place{",
                 s.part[2].volume(), "}, source = ", part(2, s.type),
                 s.n[2] % 4 == 0 ? "; then again: " : " were gathered before, then: ",
                 s.form == 0   ? "nothing"
                 : s.form == 1 ? "ts::transform(map, map, next_place{size})"
                 : s.form == 2 ? "map[map.size() - 1] = 0"
                               : "ts::rotate(source, 1)");
    case verb::scatter_all:
      return cat("ts::scatter(", part(1, s.type), ", ts::views::counting(0, n) | ts::views::transform(moved_place{",
                 s.n[1], ", ", s.part[1].volume(), "}), ", part(0, s.type), ")");
    case verb::find_places:
      return cat("check(ts::",
                 s.form == 0   ? "lower_bound"
                 : s.form == 1 ? "upper_bound"
                               : "binary_search",
                 "(sorted copy of ", part(1, s.type), ", ", part(2, s.type), ", ", by, "))");
    case verb::unite:
      return cat(a,
                 s.form == 0   ? " = ts::set_intersection"
                 : s.form == 1 ? " = ts::set_difference"
                 : s.form == 2 ? " = ts::set_union"
                               : " = ts::set_symmetric_difference",
                 "(copies of ", part(1, s.type), " and ", part(2, s.type), ", sorted, ", by, ")");
    case verb::turn_round:
      if (s.form == 0) return cat("ts::reverse(", part(0, s.type), ")");
      return cat(s.form == 1 ? "ts::rotate(" : "ts::shift(", part(0, s.type), ", ", s.form == 3 ? "-" : "",
                 s.n[1] % (s.part[0].volume() + 1), ")");
    case verb::rest_evenly:
      return cat("ts::rebalance(", a, ")");
    case verb::count_some:
      return cat("check(ts::count_if(", part(0, s.type), ", ", holds, ").get())");
    default:
      return cat("check(ts::find_if(", part(0, s.type), ", ", holds, "))");
  }
}

}  // namespace tessera::fuzz
