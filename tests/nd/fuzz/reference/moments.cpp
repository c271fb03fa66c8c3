#include "tests/nd/fuzz/reference/moments.h"

#include "tests/nd/fuzz/reference/lanes.h"

namespace tessera::fuzz {
namespace {

/// Of some elements.
template <class T>
struct moments {
  double count = 0;
  T mean{}, squares{};
};

template <class T>
T sum_of(const std::vector<T>& values, bool is_inner) {
  const auto add = [](T a, T b) { return a + b; };
  return is_inner ? in_lanes(values.data(), values.size(), add) : in_runs(values, add);
}

template <class T>
moments<T> of_piece(std::vector<T> values, bool is_inner) {
  moments<T> made;
  made.count = static_cast<double>(values.size());
  made.mean = sum_of(values, is_inner) / static_cast<T>(made.count);
  for (T& x : values) x = (x - made.mean) * (x - made.mean);
  made.squares = sum_of(values, is_inner);
  return made;
}

template <class T>
moments<T> of_both(const moments<T>& a, const moments<T>& b) {
  const double count = a.count + b.count, share = b.count / count;
  const T gap = b.mean - a.mean, between = gap * gap * static_cast<T>(a.count * share);
  return {count, a.mean + gap * static_cast<T>(share), (a.squares + b.squares) + between};
}

template <class T>
T variance(const std::vector<T>& values, bool is_inner, double correction) {
  const std::size_t piece = is_inner ? 4096 : 64;
  std::vector<moments<T>> pieces;
  for (auto first = values.begin(); first != values.end();) {
    const auto count = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(piece), values.end() - first);
    pieces.push_back(of_piece(std::vector<T>(first, first + count), is_inner));
    first += count;
  }
  const moments<T> all = is_inner ? in_lanes(pieces.data(), pieces.size(), of_both<T>) : in_runs(pieces, of_both<T>);
  return all.squares / static_cast<T>(std::max(0.0, static_cast<double>(values.size()) - correction));
}

}  // namespace

float variance_of(const std::vector<float>& values, bool is_inner, double correction) {
  return variance(values, is_inner, correction);
}
double variance_of(const std::vector<double>& values, bool is_inner, double correction) {
  return variance(values, is_inner, correction);
}

}  // namespace tessera::fuzz
