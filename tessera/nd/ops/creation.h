#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <vector>

#include "tessera/nd/array.h"
#include "tessera/nd/layout.h"

namespace tessera::nd {

/// How an array is made.
struct array_options {
  layout split{};  ///< Where its elements rest: an axis, several, `layout::replicated()`.
  /// The context it belongs to; left out: `default_context()`.
  std::optional<context> ctx{};
};

/// All elements `value`, of type `type`.
[[nodiscard]] array full(const extents& shape, const number& value, scalar_kind type, const array_options& options = {},
                         call_site here = call_site::current());
template <class T>
[[nodiscard]] array full(const extents& shape, T value, const array_options& options = {},
                         call_site here = call_site::current()) {
  return full(shape, number(value), dtype_of<T>().kind, options, here);
}
template <class T>
[[nodiscard]] array zeros(const extents& shape, const array_options& options = {},
                          call_site here = call_site::current()) {
  return full(shape, number(false), dtype_of<T>().kind, options, here);
}
template <class T>
[[nodiscard]] array ones(const extents& shape, const array_options& options = {},
                         call_site here = call_site::current()) {
  return full(shape, number(true), dtype_of<T>().kind, options, here);
}
/// Elements that are not defined until they are written.
[[nodiscard]] array empty(const extents& shape, scalar_kind type, const array_options& options = {},
                          call_site here = call_site::current());
template <class T>
[[nodiscard]] array empty(const extents& shape, const array_options& options = {},
                          call_site here = call_site::current()) {
  return empty(shape, dtype_of<T>().kind, options, here);
}
/// A copy of host data, row-major; with several ranks the same on all.
[[nodiscard]] array from_bytes(const extents& shape, scalar_kind type, std::span<const std::byte> data,
                               const array_options& options = {}, call_site here = call_site::current());
template <class T>
[[nodiscard]] array from(const extents& shape, std::span<const T> data, const array_options& options = {},
                         call_site here = call_site::current()) {
  return from_bytes(shape, dtype_of<T>().kind, std::as_bytes(data), options, here);
}
template <class T>
[[nodiscard]] array from(const std::vector<T>& data, const array_options& options = {},
                         call_site here = call_site::current()) {
  return from<T>({static_cast<std::int64_t>(data.size())}, std::span<const T>(data), options, here);
}
/// An engine array as an array; both share the elements.
[[nodiscard]] array from_engine(const array_base& elements, call_site here = call_site::current());

/// 0, 1, ..., n - 1, or first + k * step below `last`. Numbers without a fraction give int64.
[[nodiscard]] array arange(std::int64_t n, const array_options& options = {}, call_site here = call_site::current());
[[nodiscard]] array arange(std::int64_t first, std::int64_t last, std::int64_t step = 1,
                           const array_options& options = {}, call_site here = call_site::current());
[[nodiscard]] array arange_of_reals(double first, double last, double step, const array_options& options,
                                    call_site here);
template <std::floating_point T>
[[nodiscard]] array arange(T first, T last, T step, const array_options& options = {},
                           call_site here = call_site::current()) {
  return arange_of_reals(first, last, step, options, here);
}
/// `count` numbers from first to last, both included unless `endpoint` says otherwise.
[[nodiscard]] array linspace(double first, double last, std::int64_t count, bool endpoint = true,
                             const array_options& options = {}, call_site here = call_site::current());
/// `count` numbers from first to last as elements of a type: of integers, those below the numbers.
[[nodiscard]] array linspace(double first, double last, std::int64_t count, bool endpoint, scalar_kind type,
                             const array_options& options = {}, call_site here = call_site::current());
template <class T>
[[nodiscard]] array linspace(double first, double last, std::int64_t count, bool endpoint = true,
                             const array_options& options = {}, call_site here = call_site::current()) {
  return linspace(first, last, count, endpoint, dtype_of<T>().kind, options, here);
}
/// Ones where column - row is `distance`.
template <class T>
[[nodiscard]] array eye(std::int64_t rows, std::int64_t columns, std::int64_t distance = 0,
                        const array_options& options = {}, call_site here = call_site::current());
[[nodiscard]] array eye(std::int64_t rows, std::int64_t columns, std::int64_t distance, scalar_kind type,
                        const array_options& options, call_site here);
template <class T>
array eye(std::int64_t rows, std::int64_t columns, std::int64_t distance, const array_options& options,
          call_site here) {
  return eye(rows, columns, distance, dtype_of<T>().kind, options, here);
}
/// The index on `axis` of each element of an array of `shape`, as int64.
[[nodiscard]] array indices(const extents& shape, int axis, const array_options& options = {},
                            call_site here = call_site::current());

/// Of the shape, type and layout of another array.
[[nodiscard]] array full_like(const array& a, const number& value, call_site here = call_site::current());
[[nodiscard]] array empty_like(const array& a, call_site here = call_site::current());
[[nodiscard]] inline array zeros_like(const array& a, call_site here = call_site::current()) {
  return full_like(a, false, here);
}
[[nodiscard]] inline array ones_like(const array& a, call_site here = call_site::current()) {
  return full_like(a, true, here);
}
/// Elements below or above a diagonal, zeros elsewhere.
[[nodiscard]] array tril(const array& a, std::int64_t distance = 0, call_site here = call_site::current());
[[nodiscard]] array triu(const array& a, std::int64_t distance = 0, call_site here = call_site::current());

}  // namespace tessera::nd
