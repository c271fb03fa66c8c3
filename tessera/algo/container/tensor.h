#pragma once

#include <array>
#include <concepts>
#include <vector>

#include "tessera/algo/container/container.h"
#include "tessera/base/bytes/value_bytes.h"

namespace tessera {

/// Elements in N axes, the last one contiguous. See `algo::container` for what all containers have.
template <class T, int N>
class tensor : public algo::container<T, N> {
  static_assert(N >= 1 && N <= max_rank, "a tensor has 1 to 8 axes");
  using base = algo::container<T, N>;

 public:
  using base::size;
  using typename base::reference;

  tensor() = default;
  /// For skeletons: a tensor of these elements.
  explicit tensor(std::shared_ptr<algo::storage> elements) : base(std::move(elements)) {}
  explicit tensor(const extents& shape, const container_options& options = {}) : tensor(shape, T{}, options) {}
  tensor(const extents& shape, const T& value, const container_options& options = {})
      : base(options, algo::checked_axes(shape, N), bytes_of(value)) {}
  /// Elements row by row, as many as the shape has.
  tensor(const extents& shape, const std::vector<T>& values, const container_options& options = {})
      : tensor(shape, options) {
    algo::require_count(std::ssize(values), shape);
    std::copy(values.begin(), values.end(), this->host(write).begin());
  }

  [[nodiscard]] std::int64_t extent(int axis) const { return this->shape()[axis]; }
  /// Another shape; elements whose indices are in both stay, the others are `value`.
  void resize(const extents& shape, const T& value = {}, call_site here = call_site::current()) {
    core().reshape(algo::checked_axes(shape, N), bytes_of(value), here);
  }
  void fill(const T& value, call_site here = call_site::current()) { core().fill(bytes_of(value), here); }

  /// One index per axis; throws `argument_error` for an index that does not exist.
  template <std::integral... I>
  requires(sizeof...(I) == N) [[nodiscard]] reference operator()(I... index) { return at_offset(offset(index...)); }
  template <std::integral... I>
  requires(sizeof...(I) == N) [[nodiscard]] T operator()(I... index) const { return value_at(offset(index...)); }
  template <std::integral... I>
  requires(sizeof...(I) == N) [[nodiscard]] reference at(I... index) { return (*this)(index...); }
  template <std::integral... I>
  requires(sizeof...(I) == N) [[nodiscard]] T at(I... index) const { return (*this)(index...); }
  /// Element where the host window has it, without any check: see `vector::unchecked`.
  template <std::integral... I>
  requires(sizeof...(I) == N) [[nodiscard]] T& unchecked(I... index) {
    return core().template unchecked<T>(linear({static_cast<std::int64_t>(index)...}));
  }

  /// The elements of lo <= x < hi on each axis.
  [[nodiscard]] container_part<T, N> box(const tessera::box& part) const { return {this->shared(), part}; }
  /// All elements whose first index is i.
  [[nodiscard]] container_part<T, N> row(std::int64_t i) const {
    tessera::box part = core().whole();
    part.lo[0] = i;
    part.hi[0] = i + 1;
    return box(part);
  }

 protected:
  using base::at_offset;
  using base::core;
  using base::value_at;
  using indices = std::array<std::int64_t, static_cast<std::size_t>(N)>;

  [[nodiscard]] std::int64_t linear(const indices& x) const {
    const extents& shape = core().shape();
    std::int64_t offset = 0;
    for (int k = 0; k < N; ++k) offset = offset * shape[k] + x[static_cast<std::size_t>(k)];
    return offset;
  }
  template <class... I>
  [[nodiscard]] std::int64_t offset(I... index) const {
    const indices x{static_cast<std::int64_t>(index)...};
    const extents& shape = core().shape();
    for (int k = 0; k < N; ++k)
      if (static_cast<std::uint64_t>(x[static_cast<std::size_t>(k)]) >= static_cast<std::uint64_t>(shape[k]))
          [[unlikely]]
        algo::refuse_index(extents(std::span<const std::int64_t>(x)), shape);
    return linear(x);
  }
};

}  // namespace tessera
