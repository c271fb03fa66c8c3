#pragma once

#include <cstdint>

/// The loops of a conjugate gradient solver by hand, over rows [begin, end) of a grid; compiled with the flags that
/// make them fastest.
namespace tessera::bench::cg_rival {

void apply(std::int64_t begin, std::int64_t end, int width, int height, float* q, const float* p);
[[nodiscard]] double dot(std::int64_t begin, std::int64_t end, int width, const float* a, const float* b);
void advance(std::int64_t begin, std::int64_t end, int width, float* u, float* r, const float* p, const float* q,
             float alpha);
void turn(std::int64_t begin, std::int64_t end, int width, float* p, const float* r, float beta);

}  // namespace tessera::bench::cg_rival
