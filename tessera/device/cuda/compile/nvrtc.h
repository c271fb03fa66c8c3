#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tessera/device/backend.h"

/// Runs NVIDIA's run-time compiler. The library is opened when first needed, never linked, so that one build serves
/// machines with and without it; it needs no GPU.
namespace tessera::device {

/// True if NVRTC can be opened: libnvrtc on the loader's path, in $CUDA_HOME/lib64 or in /usr/local/cuda/lib64, looked
/// for once per process. Otherwise `reason`, if given, gets one sentence with the remedy. Thread-safe.
[[nodiscard]] bool nvrtc_available(std::string* reason = nullptr);

/// "13.0". Throws `compile_error` if NVRTC cannot be opened.
[[nodiscard]] std::string nvrtc_version();

/// The binary made from `source` for devices of `compute_capability` (90 for 9.0): for `cuModuleLoadData`. Besides its
/// flags, user headers are looked up in its include paths, standard headers have stand-ins that are always there, and
/// headers of the CUDA toolkit (cuda_fp16.h) are found where one is installed. Blocks while NVRTC works; thread-safe.
/// Throws `compile_error` with the messages as "file:line:column: error: ...", without warnings.
[[nodiscard]] std::vector<std::byte> compile_cubin(const source_desc& source, int compute_capability);

/// What besides the source decides the binary: NVRTC's version, its flags, the kernel ABI. Throws `compile_error` if
/// NVRTC cannot be opened.
[[nodiscard]] std::string nvrtc_identity(int compute_capability);

}  // namespace tessera::device
