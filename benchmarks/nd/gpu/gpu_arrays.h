#pragma once

#include <initializer_list>
#include <string>

#include "benchmarks/gpu/contest.h"
#include "benchmarks/nd/arena.h"
#include "benchmarks/nd/rivals/by_cuda.h"

/// Arrays whose elements the GPU makes, and comparisons of some elements.
namespace tessera::bench {

/// An array of floats on the devices of `a`.
inline nd::array made(arena& a, const extents& shape, const numbers& values) {
  const array<float> elements = a.ctx.empty<float>(shape);
  fill(a.ctx, elements, values);
  return nd::from_engine(elements);
}

/// Element `at` of ours, row-major.
inline double element(const nd::array& ours, std::int64_t at) {
  return static_cast<double>(ours.reshape({-1})(at).item<float>());
}

/// Elements of ours against the rival's.
inline void require_same(const nd::array& ours, const by_hand::device_floats& theirs, const std::string& row,
                         std::initializer_list<std::int64_t> more = {}) {
  const std::int64_t n = ours.size();
  const auto compare_at = [&](std::int64_t at) {
    require_close(element(ours, at), static_cast<double>(theirs.at(at)), row);
  };
  for (const std::int64_t at : {std::int64_t{0}, n / 3, n / 2, n - 1}) compare_at(at);
  for (const std::int64_t at : more) compare_at(at);
}

}  // namespace tessera::bench
