#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tessera/algo/exec/scan_launch.h"
#include "tessera/algo/skeleton/associative.h"
#include "tessera/algo/skeleton/inputs.h"
#include "tessera/algo/skeleton/reduce.h"

namespace tessera {
namespace algo {

/// Throws `argument_error` unless a scan of `from` can be written to `to`.
void require_output(const operand& from, const operand& to, call_site here);

template <class T, class G>
void scan_into(const operand& from, const operand& to, const G& combine, const std::optional<T>& start, call_site here,
               const skeleton_options& chosen = {}) {
  require_output(from, to, here);
  if (chosen.told == nullptr) check_associative<T>("scan", from, combine, here);
  const op function = make_op_beside<G, T>(identity(), here), both = make_op<T, T>(combine, here);
  const std::vector<call_argument> given =
      made_contiguous({{call_argument::kind::elements, type_name<T>(), dtype_of<T>(), from, 0, {}}}, here, chosen.told);
  const call bound = bind_call("scan", function, given, here);
  const skeleton_options options = resolved(chosen, bound, {to});
  std::optional<std::vector<std::byte>> first;
  if (start) first = bytes_of(*start);
  scan({bound, both, type_name<T>(), dtype_of<T>(), options}, to, first);
}

}  // namespace algo

/// `ts::inclusive_scan(combine)` and `ts::exclusive_scan(combine)`, which are not given a container yet: called with
/// one, and with a start if they are exclusive.
template <class G, bool Exclusive>
class scan_skeleton : public algo::with_options<scan_skeleton<G, Exclusive>> {
 public:
  scan_skeleton(G combine, call_site here) : combine_(std::move(combine)), site_(here) {}

  template <algo::container_like C>
  [[nodiscard]] auto operator()(const C& container) const requires(!Exclusive) {
    return made(container, std::nullopt, this->options_);
  }
  template <algo::container_like C>
  [[nodiscard]] auto operator()(const C& container, const algo::element_t<C>& start) const requires Exclusive {
    return made(container, start, this->options_);
  }
  /// Into a container, or a part of one, that exists; it may be the source itself.
  template <algo::container_like Out, algo::container_like C>
  void into(const Out& output, const C& container) const requires(!Exclusive) {
    write<C>(algo::operand_of(output), container, std::nullopt, this->options_);
  }
  template <algo::container_like Out, algo::container_like C>
  void into(const Out& output, const C& container, const algo::element_t<C>& start) const requires Exclusive {
    write<C>(algo::operand_of(output), container, start, this->options_);
  }
  /// The plans of its launches into a new container as text; nothing runs.
  template <algo::container_like C>
  [[nodiscard]] std::string explain(const C& container) const {
    const auto start = Exclusive ? std::optional(algo::element_t<C>()) : std::nullopt;
    return this->told(
        [&](const algo::skeleton_options& options) { static_cast<void>(made(container, start, options)); });
  }

 private:
  template <class C>
  void write(const algo::operand& output, const C& container, const std::optional<algo::element_t<C>>& start,
             const algo::skeleton_options& options) const {
    algo::scan_into<algo::element_t<C>>(algo::operand_of(container), output, combine_, start, site_, options);
  }
  template <class C>
  [[nodiscard]] auto made(const C& container, const std::optional<algo::element_t<C>>& start,
                          const algo::skeleton_options& options) const {
    using T = algo::element_t<C>;
    static_assert(C::axes == 1, "a scan goes through a vector: scan the rows of a matrix one by one");
    vector<T> result = algo::new_output<T, 1>({container.size()}, algo::operand_of(container).elements->ctx());
    write(algo::operand_of(result), container, start, options);
    return result;
  }

  G combine_;
  call_site site_;
};

/// Element k of the result is elements 0 to k combined in order, by addition unless an associative operator is given.
/// Floats are added in an order that depends on their number alone. Without a container the operator makes a skeleton,
/// of which more can be said: `ts::inclusive_scan().on(ts::cpu)(x)`.
template <algo::not_a_range G = plus>
[[nodiscard]] scan_skeleton<G, false> inclusive_scan(G combine = {}, call_site here = call_site::current()) {
  return {std::move(combine), here};
}
template <algo::container_like C, algo::not_a_range G = plus>
[[nodiscard]] auto inclusive_scan(const C& container, const G& combine = {}, call_site here = call_site::current()) {
  return inclusive_scan(combine, here)(container);
}
/// Into a container, or a part of one, that exists; it may be the source itself.
template <algo::container_like C, algo::container_like Out, class G = plus>
void inclusive_scan_into(const Out& output, const C& container, const G& combine = {},
                         call_site here = call_site::current()) {
  inclusive_scan(combine, here).into(output, container);
}

/// Element k of the result is `start` and elements 0 to k - 1 combined in order.
template <algo::not_a_range G = plus>
[[nodiscard]] scan_skeleton<G, true> exclusive_scan(G combine = {}, call_site here = call_site::current()) {
  return {std::move(combine), here};
}
template <algo::container_like C, algo::not_a_range G = plus>
[[nodiscard]] auto exclusive_scan(const C& container, const algo::element_t<C>& start, const G& combine = {},
                                  call_site here = call_site::current()) {
  return exclusive_scan(combine, here)(container, start);
}

}  // namespace tessera
