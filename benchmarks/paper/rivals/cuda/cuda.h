#pragma once

#include <memory>
#include <string>

#include "benchmarks/paper/program.h"

namespace tessera::bench::paper {

/// The program of this name with CUDA by hand on one GPU: the kernels that Tessera loads, compiled by nvcc and launched
/// on memory from cudaMalloc. Null if there is none of this name. Calls throw std::runtime_error with CUDA's words.
[[nodiscard]] std::unique_ptr<program> by_cuda(const std::string& name, const problem& p);

}  // namespace tessera::bench::paper
