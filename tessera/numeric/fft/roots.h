#pragma once

#include <complex>
#include <cstdint>
#include <vector>

namespace tessera::numeric {

/// exp(-2 pi i k / n), to the last bit of T but one.
template <class T>
[[nodiscard]] std::complex<T> root_of_unity(std::int64_t k, std::int64_t n);

/// All roots of unity of one order, from two short tables: a product of two numbers each. Rounded to double.
class root_table {
 public:
  explicit root_table(std::int64_t n);
  /// exp(-2 pi i k / n) for 0 <= k < n.
  [[nodiscard]] std::complex<double> at(std::int64_t k) const {
    const std::complex<double> a = coarse_[static_cast<std::size_t>(k >> bits_)],
                               b = fine_[static_cast<std::size_t>(k & ((std::int64_t{1} << bits_) - 1))];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

 private:
  int bits_ = 0;
  std::vector<std::complex<double>> coarse_, fine_;
};

}  // namespace tessera::numeric
