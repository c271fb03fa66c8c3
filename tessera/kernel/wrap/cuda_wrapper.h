#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tessera/kernel/source/registered.h"
#include "tessera/kernel/source/signature.h"

namespace tessera::kernels {

/// One compiled form of a kernel. One text serves all blocks.
struct cuda_variant {
  /// Parameters may be addresses per block (`reduce`), taken from `tessera_cuda_grid::results` where there is a table.
  bool private_results = false;
  /// Parameters that are no pointers and whose values the kernel loads itself: it gets their addresses, in this order,
  /// as parameters behind `tessera_cuda_grid`; what is passed for them in their own places is not looked at.
  std::vector<int> loaded{};
  /// Parameters whose registered operations get kernels in the module (registered_kernels.cu), named by the parameter.
  std::vector<reduced_parameter> reduced{};
};

/// A complete translation unit for NVRTC. It exports the kernel itself as `tessera_entry`, with its own attributes and
/// parameters and one more, `tessera_cuda_grid` by value, that places its blocks in the virtual grid;
/// `tessera_parameters`, one {size, alignment} of two 64-bit numbers per parameter (of a pointer's element), ended by
/// zeros; and every `__constant__` and `__device__` variable that a program may set (see `cuda_symbol_name`).
/// Messages of the compiler about the user's text carry the user's file and line. Throws `compile_error` for what
/// reads the physical grid past the words `blockIdx` and `gridDim`.
[[nodiscard]] std::string make_cuda_source(const kernel_text& kernel, const cuda_variant& variant = {});

/// The name in the compiled module of a variable called `name`, with its namespaces ("a::weights").
[[nodiscard]] std::string cuda_symbol_name(std::string_view name);

inline constexpr const char* cuda_entry_symbol = "tessera_entry";
inline constexpr const char* cuda_parameters_symbol = "tessera_parameters";

}  // namespace tessera::kernels
