#include "benchmarks/algo/rivals/libraries.h"

#include <tbb/blocked_range.h>
#include <tbb/combinable.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

namespace tessera::bench {
namespace {

constexpr auto par = std::execution::par_unseq;

using range = tbb::blocked_range<std::size_t>;
range all_of(std::size_t n) { return range(0, n, 1 << 14); }

template <class Body>
library_call loop(std::size_t n, Body body) {
  return {"a loop on TBB", [=] {
            tbb::parallel_for(all_of(n), [=](const range& r) {
              for (std::size_t i = r.begin(); i < r.end(); ++i) body(i);
            });
          }};
}

}  // namespace

library_calls library_sums(const floats& x, float& sum) {
  const float* const from = x.data();
  const auto part = [from](const range& r, float s) {
#pragma omp simd reduction(+ : s)
    for (std::size_t i = r.begin(); i < r.end(); ++i) s += from[i];
    return s;
  };
  return {{"TBB", [&, part] { sum = tbb::parallel_reduce(all_of(x.size()), 0.0F, part, std::plus<>()); }},
          {"std::execution::par", [&] { sum = std::reduce(par, x.begin(), x.end(), 0.0F); }}};
}

library_calls library_scans(const floats& x, floats& out) {
  const auto by_tbb = [&] {
    tbb::parallel_scan(
        all_of(x.size()), 0.0F,
        [&](const range& r, float sum, bool is_final) {
          if (is_final)
            for (std::size_t i = r.begin(); i < r.end(); ++i) out[i] = sum += x[i];
          else
            for (std::size_t i = r.begin(); i < r.end(); ++i) sum += x[i];
          return sum;
        },
        std::plus<>());
  };
  return {{"TBB", by_tbb}, {"std::execution::par", [&] { std::inclusive_scan(par, x.begin(), x.end(), out.begin()); }}};
}

library_calls library_merges(const floats& x, const floats& y, floats& out) {
  return {{"std::execution::par", [&] { std::merge(par, x.begin(), x.end(), y.begin(), y.end(), out.begin()); }}};
}

library_calls library_gathers(const places& from, const floats& x, floats& out) {
  return {loop(from.size(),
               [at = from.data(), values = x.data(), to = out.data()](std::size_t i) { to[i] = values[at[i]]; })};
}

library_calls library_scatters(const floats& x, const places& to, floats& out) {
  return {loop(to.size(),
               [at = to.data(), values = x.data(), made = out.data()](std::size_t i) { made[at[i]] = values[i]; })};
}

library_calls library_histograms(const floats& x, places& bins) {
  const auto count = [&] {
    tbb::combinable<places> own([&] { return places(bins.size()); });
    tbb::parallel_for(all_of(x.size()), [&](const range& r) {
      places& counts = own.local();
      const auto most = static_cast<float>(counts.size());
      for (std::size_t i = r.begin(); i < r.end(); ++i) ++counts[static_cast<std::size_t>(x[i] * most)];
    });
    std::fill(bins.begin(), bins.end(), 0);
    own.combine_each([&](const places& counts) {
      for (std::size_t k = 0; k < bins.size(); ++k) bins[k] += counts[k];
    });
  };
  return {{"a table per thread of TBB", count}};
}

library_calls library_lower_bounds(const floats& sorted, const floats& queries, places& out) {
  return {loop(queries.size(), [&sorted, asked = queries.data(), to = out.data()](std::size_t i) {
    to[i] = std::lower_bound(sorted.begin(), sorted.end(), asked[i]) - sorted.begin();
  })};
}

library_calls library_chains(const floats& x, const floats& y, float limit, floats& kept) {
  return {{"std::execution::par, three calls", [&, limit, made = floats(x.size())]() mutable {
             std::transform(par, x.begin(), x.end(), y.begin(), made.begin(), std::multiplies<>());
             std::inclusive_scan(par, made.begin(), made.end(), made.begin());
             kept.resize(x.size());
             const auto last =
                 std::copy_if(par, made.begin(), made.end(), kept.begin(), [limit](float v) { return v < limit; });
             kept.resize(static_cast<std::size_t>(last - kept.begin()));
           }}};
}

}  // namespace tessera::bench
