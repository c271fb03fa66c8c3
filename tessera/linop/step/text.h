#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/linop/step/step.h"

namespace tessera::linop {

/// CUDA's name of an element type.
[[nodiscard]] const char* type_text(scalar_kind kind);

/// What the text of a step's kernel depends on: types and small counts, never sizes. Equal forms are one kernel.
struct step_form {
  /// How an address moves along the last axis of the result: not at all, to the next element, by some number of them.
  enum class along : char { fixed = '0', unit = '1', any = 's' };
  struct operand {
    scalar_kind type = scalar_kind::float32;
    bool is_conjugated = false;
    factor::part of = factor::part::whole;
    along x = along::any;
    [[nodiscard]] bool is_complex() const;
  };
  int axes = 1, sums = 0;
  /// For each quotient and guard: whether it depends on summed loops.
  std::vector<bool> inner_quotients{}, inner_guards{};
  std::vector<bool> comparisons{};  ///< Quotients that are 0 or 1.
  std::vector<operand> factors{};
  operand result{};
  bool reads_result = false;

  [[nodiscard]] std::string key() const;
  /// Computed in double precision.
  [[nodiscard]] bool is_wide() const;
  /// Some factor is complex.
  [[nodiscard]] bool sum_is_complex() const;
};

/// Where the numbers of a step stand in the list that its kernel gets: extents of loops; of each quotient factors of
/// loops, offset, divisor; of each guard factors of variables, offset, size; of each factor strides of variables,
/// offset; strides of the result.
struct step_numbers {
  explicit step_numbers(const step_form& form);
  [[nodiscard]] int quotient(int q) const { return loops + q * (loops + 2); }
  [[nodiscard]] int guard(int g) const { return quotient(quotients) + g * (variables + 2); }
  [[nodiscard]] int factor(int f) const { return guard(guards) + f * (variables + 1); }
  [[nodiscard]] int result() const { return factor(factors); }
  [[nodiscard]] int count() const { return result() + axes; }

  int axes, loops, quotients, variables, guards, factors;
};

/// The text of the kernel `linop_step`: parameters are the numbers, alpha and beta as pairs, the result, the factors.
[[nodiscard]] std::string step_text(const step_form& form);

}  // namespace tessera::linop
