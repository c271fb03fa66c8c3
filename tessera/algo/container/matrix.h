#pragma once

#include <vector>

#include "tessera/algo/container/tensor.h"

namespace tessera {

/// Elements in rows and columns; rows are contiguous. See `algo::container` for what all containers have.
template <class T>
class matrix : public tensor<T, 2> {
  using base = tensor<T, 2>;

 public:
  using base::box;

  matrix() = default;
  /// For skeletons: a matrix of these elements.
  explicit matrix(std::shared_ptr<algo::storage> elements) : base(std::move(elements)) {}
  matrix(std::int64_t rows, std::int64_t columns, const container_options& options = {})
      : base({rows, columns}, options) {}
  matrix(std::int64_t rows, std::int64_t columns, const T& value, const container_options& options = {})
      : base({rows, columns}, value, options) {}
  matrix(std::int64_t rows, std::int64_t columns, const std::vector<T>& values, const container_options& options = {})
      : base({rows, columns}, values, options) {}

  [[nodiscard]] std::int64_t rows() const { return this->extent(0); }
  [[nodiscard]] std::int64_t columns() const { return this->extent(1); }
  void resize(std::int64_t rows, std::int64_t columns, const T& value = {}, call_site here = call_site::current()) {
    base::resize({rows, columns}, value, here);
  }

  /// Rows r0 <= r < r1 of columns c0 <= c < c1.
  [[nodiscard]] container_part<T, 2> box(std::int64_t r0, std::int64_t r1, std::int64_t c0, std::int64_t c1) const {
    return base::box({{r0, c0}, {r1, c1}});
  }
  [[nodiscard]] container_part<T, 2> column(std::int64_t c) const { return box(0, rows(), c, c + 1); }
};

}  // namespace tessera
