#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <string>

#include "tessera/linop/node/node.h"

namespace tessera::linop {

/// The text of the kernel `linop_scalars`, which divides them.
[[nodiscard]] std::string update_text();

/// The numbers of an iteration, for each system of a batch, on the devices: nothing waits for them.
class iteration_scalars {
 public:
  /// For vectors with these axes, of which the first `batch` number systems.
  iteration_scalars(const array_base& like, std::size_t batch, call_site here);

  enum class name : std::uint8_t { step, turn, rz, pap, next, rr, limit, count };
  [[nodiscard]] const array_base& at(name which) const { return scalars_[static_cast<std::size_t>(which)]; }
  /// [3, systems]: status (0: goes on, 1: converged, 2: breakdown), iterations, square of the residual.
  [[nodiscard]] const array_base& state() const { return state_; }
  [[nodiscard]] std::int64_t systems() const { return systems_; }

  /// to = factor * sum of a conj(b) + beta * to, for each system.
  void dot(name to, const array_base& a, const array_base& b, double factor = 1, double beta = 0) const;
  /// y = sign * scalar * x + beta * y, with each system's scalar.
  void add(double sign, name scalar, const array_base& x, double beta, const array_base& y) const;

  enum class phase : std::int32_t {
    start,      ///< rz = next; stops where rr is not above the limit.
    step,       ///< step = rz / pap, 0 for systems that have stopped; breakdown unless pap > 0.
    turn,       ///< turn = next / rz, rz = next; counts; stops where rr is not above the limit.
    normalise,  ///< step = 1 / root of next.
  };
  void update(phase which) const;

 private:
  std::size_t batch_;
  std::int64_t systems_ = 1;
  call_site here_;
  std::array<array_base, static_cast<std::size_t>(name::count)> scalars_;
  array_base state_;
};

}  // namespace tessera::linop
