#include "benchmarks/algo/rivals/sorts.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <boost/sort/sort.hpp>
#include <execution>
#include <thread>

namespace tessera::bench {
namespace {

unsigned cores() { return std::thread::hardware_concurrency(); }

struct by_key {
  bool operator()(const key_and_place& a, const key_and_place& b) const { return a.key < b.key; }
};

/// Any sort of elements that `before` tells apart.
template <class T, class Before>
std::vector<library_sort<T>> sorts_by(Before before) {
  return {{"TBB", [=](T* k, std::int64_t n) { tbb::parallel_sort(k, k + n, before); }},
          {"std::execution::par", [=](T* k, std::int64_t n) { std::sort(std::execution::par, k, k + n, before); }},
          {"Boost block_indirect_sort",
           [=](T* k, std::int64_t n) { boost::sort::block_indirect_sort(k, k + n, before, cores()); }},
          {"Boost sample_sort", [=](T* k, std::int64_t n) { boost::sort::sample_sort(k, k + n, before, cores()); }}};
}

}  // namespace

std::vector<library_sort<std::uint32_t>> sorts_of_32_bits() { return sorts_by<std::uint32_t>(std::less<>()); }
std::vector<library_sort<std::uint64_t>> sorts_of_64_bits() { return sorts_by<std::uint64_t>(std::less<>()); }
std::vector<library_sort<key_and_place>> sorts_of_pairs() { return sorts_by<key_and_place>(by_key()); }

std::vector<library_sort<key_and_more>> stable_sorts() {
  using element = key_and_more;
  return {{"Boost parallel_stable_sort",
           [](element* k, std::int64_t n) { boost::sort::parallel_stable_sort(k, k + n, earlier_key(), cores()); }},
          {"std::execution::par",
           [](element* k, std::int64_t n) { std::stable_sort(std::execution::par, k, k + n, earlier_key()); }}};
}

}  // namespace tessera::bench
