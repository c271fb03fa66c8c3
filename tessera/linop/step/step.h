#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "tessera/array/array.h"
#include "tessera/base/call_site.h"

namespace tessera::linop {

/// A linear function of the variables of a step: sum(factors[v] * v) + offset. Missing factors are 0.
struct affine {
  std::vector<std::int64_t> factors{};
  std::int64_t offset = 0;

  [[nodiscard]] std::int64_t factor(std::size_t variable) const {
    return variable < factors.size() ? factors[variable] : 0;
  }
  void set(std::size_t variable, std::int64_t factor) {
    if (factors.size() <= variable) factors.resize(variable + 1);
    factors[variable] = factor;
  }
  /// The variable itself, times `factor`, plus `offset`.
  [[nodiscard]] static affine of(std::size_t variable, std::int64_t factor = 1, std::int64_t offset = 0) {
    affine made;
    made.set(variable, factor);
    made.offset = offset;
    return made;
  }
};

/// A variable that is `of`, a function of loops, divided and rounded down.
struct quotient {
  affine of;
  std::int64_t divisor = 1;
};

/// An array that a step reads, one index per axis. Elements outside of it count as zero.
struct factor {
  enum class part : std::uint8_t { whole, real, imaginary };
  array_base array{};
  std::vector<affine> at{};
  bool is_conjugated = false;
  part of = part::whole;
  bool is_input = false;  ///< The x of an operator.
  /// How its axes are seen, if not as the array's own; for arrays without gaps.
  extents shape{};
};

/// What must lie in [0, size): elsewhere the step adds nothing.
struct guard {
  affine of;
  std::int64_t size = 0;
};

/// What one launch of an operator computes: for each element of `result`
///
///     result[o] = alpha * sum over r of product of factors[index(o, r)] + beta * result[o]
///
/// Variables are the axes of the result, then the summed loops, then the quotients. Where `beta` is 0 the old contents
/// are not read. Without factors the sum is 0; of a complex sum a real result takes the real part.
struct step {
  array_base result{};
  extents shape{};  ///< How the axes of the result are seen; set by `prepared`.
  std::vector<std::int64_t> sums{};
  std::vector<quotient> quotients{};
  std::vector<factor> factors{};  ///< At most three.
  std::vector<guard> guards{};
  std::complex<double> alpha = 1, beta = 0;

  [[nodiscard]] std::size_t axes() const { return index_of(shape.rank()); }
  [[nodiscard]] std::size_t loops() const { return axes() + sums.size(); }
  [[nodiscard]] std::size_t variables() const { return loops() + quotients.size(); }

 private:
  static std::size_t index_of(int n) { return static_cast<std::size_t>(n); }
};

/// Launches the step; returns at once. Sums have an order that depends on sizes alone.
void run_step(step s, call_site here);

/// y = alpha * x + beta * y, for arrays of one shape.
void run_axpby(std::complex<double> alpha, const array_base& x, std::complex<double> beta, const array_base& y,
               call_site here);

}  // namespace tessera::linop
