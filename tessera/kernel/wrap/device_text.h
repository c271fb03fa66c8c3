#pragma once

#include <string_view>

namespace tessera::kernels {

/// The text of a file that is compiled with kernels for CPUs (`types.h`, `math.h`, `abi.h`, ...), by its plain name;
/// empty if there is none of that name.
[[nodiscard]] std::string_view device_text(std::string_view name);

/// The text of a file that is compiled with kernels for CUDA devices (`abi.h`, `cuda_standard.h`, ...), by its plain
/// name; empty if there is none of that name.
[[nodiscard]] std::string_view cuda_text(std::string_view name);

}  // namespace tessera::kernels
