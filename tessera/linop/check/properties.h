#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/array/context.h"
#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

struct check_options {
  named_sizes sizes{};                        ///< Of inputs whose sizes the operator does not know; left out: 5.
  extents batch{};                            ///< Axes in front of the operator's.
  scalar_kind kind = scalar_kind::complex64;  ///< Of x.
  double tolerance = 0;                       ///< Relative to norms; 0: 1e-5, in double precision 1e-12.
  std::uint64_t seed = 1;
};

struct check_report {
  std::vector<std::string> failures{};
  [[nodiscard]] bool passed() const { return failures.empty(); }
  /// All failures, one per line.
  [[nodiscard]] std::string text() const;
};

/// Whether an operator is what it says, tried with random arrays: it is linear, its adjoint passes the dot test, the
/// adjoint of the adjoint is the operator, bit by bit, N is A^H A, alone and with an inner operator, `apply` obeys
/// alpha and beta, does not look at y where beta is 0, and leaves x as it is. Waits for results.
[[nodiscard]] check_report check(const op& a, const check_options& options = {}, context ctx = default_context(),
                                 call_site here = call_site::current());

}  // namespace tessera::linop
