#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "benchmarks/frame/thread_team.h"
#include "benchmarks/kernels/number.h"
#include "benchmarks/paper/program.h"

/// The paper's programs as a C++ programmer writes them for the cores of a machine: loops on a team of threads.
namespace tessera::bench::paper {

/// What the threads' sides share.
class threads_program : public program {
 public:
  threads_program(thread_team& team, const problem& p) : team_(team), problem_(p) {}

 protected:
  [[nodiscard]] std::int64_t n() const { return problem_.n; }
  /// body(begin, end) for ranges that make up [0, n), on all threads.
  template <class Body>
  void parallel(std::int64_t n, Body body) const {
    team_.run(n, [&](std::int64_t begin, std::int64_t end) { body(begin, end); });
  }
  /// Gives `count` elements the numbers of their places.
  void fill(float* out, std::int64_t count, std::uint32_t seed, float low, float high) const {
    parallel(count, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) out[i] = low + (high - low) * number(i, seed);
    });
  }
  void fill(int* out, std::int64_t count, std::uint32_t seed, int high) const {
    parallel(count, [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const int value = static_cast<int>(number(i, seed) * static_cast<float>(high));
        out[i] = value < high ? value : high - 1;
      }
    });
  }

 private:
  thread_team& team_;
  problem problem_;
};

/// Memory in large pages, not initialised, as a program that cares for speed uses.
template <class T>
class plain_array {
 public:
  plain_array() = default;
  explicit plain_array(std::int64_t n) : n_(n) {
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(T) + page - 1) / page * page;
    data_.reset(static_cast<T*>(std::aligned_alloc(page, bytes)));
    if (!data_) throw std::bad_alloc();
    madvise(data_.get(), bytes, MADV_HUGEPAGE);
  }
  [[nodiscard]] T* data() const { return data_.get(); }
  [[nodiscard]] std::int64_t size() const { return n_; }
  [[nodiscard]] T& operator[](std::int64_t i) const { return data_.get()[i]; }

 private:
  struct release {
    void operator()(T* p) const { std::free(p); }
  };
  std::int64_t n_ = 0;
  std::unique_ptr<T, release> data_;
};

/// The beginning of n elements, as numbers: of elements that are several values each, so many.
template <class T>
[[nodiscard]] std::vector<double> beginning(const T* values, std::int64_t n, std::int64_t row = 1, int each = 1) {
  const std::int64_t all = n <= most_compared ? n : (most_compared / row > 0 ? most_compared / row * row : row);
  return std::vector<double>(values, values + all * each);
}

// clang-format off
[[nodiscard]] std::unique_ptr<program> threads_md5(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_nbody(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_correlator(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_kmeans(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_hotspot(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_gemm(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_spmv(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_black_scholes(thread_team& team, const problem& p);
[[nodiscard]] std::unique_ptr<program> threads_cocluster(thread_team& team, const problem& p);
// clang-format on

}  // namespace tessera::bench::paper
