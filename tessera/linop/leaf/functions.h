#pragma once

#include <functional>
#include <string_view>
#include <variant>
#include <vector>

#include "tessera/array/kernel.h"
#include "tessera/linop/leaf/leaf.h"

namespace tessera::linop {

/// Sets y, which is not initialised, to A x or A^H x; x and y have no gaps. It makes launches, and does not wait.
using operator_function = std::function<void(const array_base& x, const array_base& y)>;

struct function_options {
  named_sizes sizes{};
  bool is_complex_linear = true;
  std::function<scalar_kind(scalar_kind from, bool is_adjoint)> result_kind{};  ///< Left out: that of x.
};

/// An operator of your own, "Nx -> Kx", made of two functions. Without an adjoint, calls that need one throw.
[[nodiscard]] op from_functions(operator_function forward, operator_function adjoint, std::string_view dimensions,
                                const function_options& options = {});

/// An argument of a kernel: x, y, the size of a dimension, or anything a launch takes.
struct kernel_argument {
  enum class kind : std::uint8_t { in, out, size, given };
  kind from = kind::given;
  dim of{};
  argument value{};

  kernel_argument(kind which) : from(which) {}  // NOLINT: in and out are the notation
  explicit kernel_argument(dim d) : from(kind::size), of(std::move(d)) {}
  template <class T>
  requires(!std::is_same_v<T, kernel_argument>) kernel_argument(const T& given)  // NOLINT: as in a launch
      : value(argument::from(given)) {}
};
inline const kernel_argument in = kernel_argument::kind::in, out = kernel_argument::kind::out;
[[nodiscard]] inline kernel_argument size(std::string_view dimension) { return kernel_argument(parse_dim(dimension)); }

/// How a kernel of an operator is launched.
struct kernel_launch {
  /// Dimensions whose sizes are the threads along x, y and z; axes in front of the operator's are launches of their
  /// own.
  std::string threads{};
  extents block{};
  std::vector<kernel_argument> args{};
};

/// An operator made of two annotated kernels, which set all of y. `adjoint_launch` where the adjoint is launched
/// otherwise: its `in` is what the operator gives.
[[nodiscard]] op from_kernels(const kernel& forward, const kernel& adjoint, std::string_view dimensions,
                              const kernel_launch& launch, const function_options& options = {});
[[nodiscard]] op from_kernels(const kernel& forward, const kernel& adjoint, std::string_view dimensions,
                              const kernel_launch& launch, const kernel_launch& adjoint_launch,
                              const function_options& options = {});

}  // namespace tessera::linop
