#include "benchmarks/algo/rivals/sorts.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <boost/sort/sort.hpp>
#include <execution>
#include <thread>

namespace tessera::bench {
namespace {

unsigned cores() { return std::thread::hardware_concurrency(); }

template <class T>
std::vector<library_sort<T>> sorts_of_numbers() {
  return {
      {"TBB", [](T* k, std::int64_t n) { tbb::parallel_sort(k, k + n); }},
      {"std::execution::par", [](T* k, std::int64_t n) { std::sort(std::execution::par, k, k + n); }},
      {"Boost block_indirect_sort", [](T* k, std::int64_t n) { boost::sort::block_indirect_sort(k, k + n, cores()); }},
      {"Boost sample_sort", [](T* k, std::int64_t n) { boost::sort::sample_sort(k, k + n, cores()); }}};
}

struct by_key {
  bool operator()(const key_and_more& a, const key_and_more& b) const { return a.key < b.key; }
};

}  // namespace

std::vector<library_sort<std::uint32_t>> sorts_of_32_bits() { return sorts_of_numbers<std::uint32_t>(); }
std::vector<library_sort<std::uint64_t>> sorts_of_64_bits() { return sorts_of_numbers<std::uint64_t>(); }

std::vector<library_sort<key_and_more>> stable_sorts() {
  using element = key_and_more;
  return {{"Boost parallel_stable_sort",
           [](element* k, std::int64_t n) { boost::sort::parallel_stable_sort(k, k + n, by_key(), cores()); }},
          {"std::execution::par",
           [](element* k, std::int64_t n) { std::stable_sort(std::execution::par, k, k + n, by_key()); }}};
}

}  // namespace tessera::bench
