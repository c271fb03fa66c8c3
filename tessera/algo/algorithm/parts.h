#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tessera/algo/container/vector.h"

/// Where the elements of vectors rest. Results of algorithms that keep some elements rest where they were found;
/// `layout()` of a vector tells its parts. Nothing here changes what a program computes. Calls return at once.
namespace tessera {

/// Parts of these sizes, one per device in the order in which `ts::on(device)` numbers them; sizes may be 0. For
/// `ts::rebalance`, and for new vectors: `ts::vector<int> v(100, 0, {ctx, ts::part_sizes({10, 0, 90})})`.
[[nodiscard]] plan::layout part_sizes(const std::vector<std::int64_t>& sizes);

namespace algo {

/// Throws `argument_error` unless the parts are those of `size` elements on devices of the context.
void require_parts(const plan::layout& parts, std::int64_t size, const context& ctx, call_site here);

}  // namespace algo

/// A vector of the host's values, in parts of these sizes: each device gets its own. Throws `argument_error` if the
/// sizes do not add up to the number of values, or if there are more of them than devices.
template <class T>
[[nodiscard]] vector<T> from_parts(std::span<const T> values, const std::vector<std::int64_t>& sizes,
                                   container_options options = {}, call_site here = call_site::current()) {
  if (!options.ctx) options.ctx = default_context();
  options.home = part_sizes(sizes);
  algo::require_parts(*options.home, std::ssize(values), *options.ctx, here);
  return vector<T>(values, options);
}
template <class T>
[[nodiscard]] vector<T> from_parts(const std::vector<T>& values, const std::vector<std::int64_t>& sizes,
                                   const container_options& options = {}, call_site here = call_site::current()) {
  return from_parts(std::span<const T>(values), sizes, options, here);
}

/// Even parts, as a new vector has them. Only elements that change their device move.
template <class T>
void rebalance(vector<T>& v, call_site here = call_site::current()) {
  algo::operand_of(v).elements->move_home({}, here);
}
/// Parts as told. Throws `argument_error` unless they are parts of all elements on devices that exist.
template <class T>
void rebalance(vector<T>& v, const plan::layout& parts, call_site here = call_site::current()) {
  algo::require_parts(parts, v.size(), v.ctx(), here);
  algo::operand_of(v).elements->move_home(parts, here);
}
/// The parts of another vector of as many elements, which need not be of the same type.
template <class T, class U>
void rebalance_like(vector<T>& v, const vector<U>& other, call_site here = call_site::current()) {
  plan::layout parts;
  parts.form = plan::layout::kind::listed;
  parts.parts = other.layout();
  rebalance(v, parts, here);
}

}  // namespace tessera
