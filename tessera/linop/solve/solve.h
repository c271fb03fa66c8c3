#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/linop/op.h"

namespace tessera::linop {

enum class solve_status : std::uint8_t {
  converged,  ///< The residual is below the tolerance.
  limit,      ///< As many iterations as were allowed.
  breakdown,  ///< The operator is not positive definite, or something is not a number.
};
[[nodiscard]] std::string to_string(solve_status status);

/// One of the systems that were solved beside each other: one for each place of the axes in front of the operator's.
struct system_state {
  solve_status status = solve_status::limit;
  std::int64_t iterations = 0;
  double residual = 0;  ///< |b - A x|, as the iteration knows it; of least squares |A^H (b - A x)|.
};

/// A solution that may still be computed.
class solution {
 public:
  solution(array_base found, array_base state) : x(std::move(found)), state_(std::move(state)) {}
  array_base x;
  /// Waits for the end.
  [[nodiscard]] std::vector<system_state> systems(call_site here = call_site::current()) const;
  /// That of the worst system; waits for the end.
  [[nodiscard]] solve_status status(call_site here = call_site::current()) const;

 private:
  array_base state_;  // [3, systems]: status, iterations, square of the residual
};

struct solve_options {
  std::int64_t iterations = 100;
  double tolerance = 1e-6;  ///< Of the residual, relative to that of x = 0.
  array_base start{};       ///< The first x; not created: 0.
  op preconditioner{};      ///< Of `cg`: about the inverse of A, positive definite; not made: none.
  double damping = 0;       ///< Of `cgls`: |A x - b|^2 + (damping |x|)^2 is made least.
};

/// Solves A x = b by conjugate gradients for a positive definite A, for all systems of a batch at once. Numbers of the
/// iteration stay on the devices, where a system that is done stops; the program waits for the state of the fourth
/// iteration before the one that it submits, to end early, alike on all ranks. Throws `argument_error` for an operator
/// that is not square.
[[nodiscard]] solution cg(const op& a, const array_base& b, const solve_options& options = {},
                          call_site here = call_site::current());
/// The least squares solution of A x = b, by conjugate gradients without A^H A.
[[nodiscard]] solution cgls(const op& a, const array_base& b, const solve_options& options = {},
                            call_site here = call_site::current());

struct eigen_pair {
  double value = 0;  ///< The largest in magnitude, as far as the iterations tell.
  array_base vector{};
};
/// Of a self-adjoint operator, by so many multiplications with `start`, which is not zero. Waits for the value.
[[nodiscard]] eigen_pair power_method(const op& a, const array_base& start, std::int64_t iterations = 30,
                                      call_site here = call_site::current());

}  // namespace tessera::linop
