#pragma once

#include <complex>
#include <functional>
#include <vector>

#include "tests/linop/fuzz/program.h"

/// Operators as matrices. Shares no code with tessera/linop.
namespace tessera::fuzz {

/// A matrix of real numbers: of each element real and imaginary part, so that conjugates are linear, too. The
/// transpose is the adjoint.
class matrix {
 public:
  matrix(std::int64_t rows, std::int64_t columns) : rows_(2 * rows), columns_(2 * columns) {
    numbers_.resize(static_cast<std::size_t>(rows_ * columns_));
  }
  static matrix identity(std::int64_t n);

  /// Adds a complex number, or one whose factor is conjugated first.
  void add(std::int64_t row, std::int64_t column, std::complex<double> z, bool conjugates = false);
  [[nodiscard]] std::int64_t rows() const { return rows_ / 2; }
  [[nodiscard]] std::int64_t columns() const { return columns_ / 2; }
  [[nodiscard]] matrix transposed() const;
  [[nodiscard]] matrix operator*(const matrix& other) const;
  [[nodiscard]] matrix operator+(const matrix& other) const;
  /// The rows and columns for which these hold.
  [[nodiscard]] matrix part(const std::function<bool(std::int64_t)>& row,
                            const std::function<bool(std::int64_t)>& column) const;
  [[nodiscard]] std::vector<std::complex<double>> times(const std::vector<std::complex<double>>& x) const;
  [[nodiscard]] double norm() const;

 private:
  [[nodiscard]] double& at(std::int64_t r, std::int64_t c) {
    return numbers_[static_cast<std::size_t>(r * columns_ + c)];
  }
  [[nodiscard]] double at(std::int64_t r, std::int64_t c) const {
    return numbers_[static_cast<std::size_t>(r * columns_ + c)];
  }
  std::int64_t rows_, columns_;
  std::vector<double> numbers_;
};

/// The matrix of one new operator.
[[nodiscard]] matrix matrix_of(const decoded& d);

}  // namespace tessera::fuzz
