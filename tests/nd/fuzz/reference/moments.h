#pragma once

#include <cstddef>
#include <vector>

namespace tessera::fuzz {

/// The variance of numbers in the order that tessera/nd documents: mean and squares of the distances of pieces, of 4096
/// elements in 128 lanes (`is_inner`) or of 64 in order; pieces by the formula of Chan, Golub and LeVeque.
float variance_of(const std::vector<float>& values, bool is_inner, double correction);
double variance_of(const std::vector<double>& values, bool is_inner, double correction);

}  // namespace tessera::fuzz
