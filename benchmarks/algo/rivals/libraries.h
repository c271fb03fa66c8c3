#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// Algorithms of TBB and of the standard library in parallel, on all cores, and loops on TBB's threads where they have
/// none. Compiled with their best flags, without Tessera. References stay valid as long as the calls are used.
namespace tessera::bench {

struct library_call {
  std::string name;
  std::function<void()> run;
};
using library_calls = std::vector<library_call>;
using floats = std::vector<float>;
using places = std::vector<std::int64_t>;

[[nodiscard]] library_calls library_sums(const floats& x, float& sum);
[[nodiscard]] library_calls library_scans(const floats& x, floats& out);
/// Of sorted ranges.
[[nodiscard]] library_calls library_merges(const floats& x, const floats& y, floats& out);
/// out[i] = x[from[i]]
[[nodiscard]] library_calls library_gathers(const places& from, const floats& x, floats& out);
/// out[to[i]] = x[i]
[[nodiscard]] library_calls library_scatters(const floats& x, const places& to, floats& out);
/// How many elements fall into each of the bins, which share [0, 1) evenly.
[[nodiscard]] library_calls library_histograms(const floats& x, places& bins);
/// Where each query stands in the sorted range.
[[nodiscard]] library_calls library_lower_bounds(const floats& sorted, const floats& queries, places& out);
/// Of the running sums of x[i] * y[i] those whose elements are below `limit`: as many calls as steps.
[[nodiscard]] library_calls library_chains(const floats& x, const floats& y, float limit, floats& kept);

}  // namespace tessera::bench
