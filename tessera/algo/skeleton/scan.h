#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tessera/algo/exec/scan_launch.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/reduce.h"

namespace tessera {
namespace algo {

/// Throws `argument_error` unless a scan of `from` can be written to `to`.
void require_output(const operand& from, const operand& to, call_site here);

template <class T, class G>
void scan_into(const operand& from, const operand& to, const G& combine, const std::optional<T>& start,
               call_site here) {
  require_output(from, to, here);
  const op function = make_op_beside<G, T>(identity(), here), both = make_op<T, T>(combine, here);
  const std::vector<call_argument> given =
      made_contiguous({{call_argument::kind::elements, type_name<T>(), dtype_of<T>(), from, 0, {}}}, here);
  const call bound = bind_call("scan", function, given, here);
  const skeleton_options options = resolved(skeleton_options(), bound, {to});
  std::optional<std::vector<std::byte>> first;
  if (start) first = bytes_of(*start);
  scan({bound, both, type_name<T>(), dtype_of<T>(), options}, to, first);
}

}  // namespace algo

/// Element k of the result is elements 0 to k combined in order, by addition unless an associative operator is given.
/// Floats are added in an order that depends on their number alone.
template <algo::container_like C, class G = plus>
[[nodiscard]] auto inclusive_scan(const C& container, const G& combine = {}, call_site here = call_site::current()) {
  using T = algo::element_t<C>;
  static_assert(C::axes == 1, "a scan goes through a vector: scan the rows of a matrix one by one");
  vector<T> result = algo::new_output<T, 1>({container.size()}, algo::operand_of(container).elements->ctx());
  algo::scan_into<T>(algo::operand_of(container), algo::operand_of(result), combine, std::nullopt, here);
  return result;
}
/// Into a container, or a part of one, that exists; it may be the source itself.
template <algo::container_like C, algo::container_like Out, class G = plus>
void inclusive_scan_into(const Out& output, const C& container, const G& combine = {},
                         call_site here = call_site::current()) {
  algo::scan_into<algo::element_t<C>>(algo::operand_of(container), algo::operand_of(output), combine, std::nullopt,
                                      here);
}

/// Element k of the result is `start` and elements 0 to k - 1 combined in order.
template <algo::container_like C, class G = plus>
[[nodiscard]] auto exclusive_scan(const C& container, const algo::element_t<C>& start, const G& combine = {},
                                  call_site here = call_site::current()) {
  using T = algo::element_t<C>;
  static_assert(C::axes == 1, "a scan goes through a vector: scan the rows of a matrix one by one");
  vector<T> result = algo::new_output<T, 1>({container.size()}, algo::operand_of(container).elements->ctx());
  algo::scan_into<T>(algo::operand_of(container), algo::operand_of(result), combine, std::optional<T>(start), here);
  return result;
}

namespace algo {

/// `ts::inclusive_scan` as an object, for `ts::tune`.
class scan_skeleton {
 public:
  scan_skeleton& on(const device_choice& where) { return where_ = where, *this; }
  template <container_like C>
  [[nodiscard]] auto operator()(const C& container) const {
    const placement_scope place(where_);
    return inclusive_scan(container);
  }

 private:
  device_choice where_{};
};

}  // namespace algo
}  // namespace tessera
