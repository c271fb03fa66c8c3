#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "benchmarks/gpu/by_hand.h"
#include "benchmarks/paper/program.h"

/// What the CUDA sides share. For nvcc.
namespace tessera::bench::paper {

class cuda_program : public program {
 public:
  explicit cuda_program(const problem& p) : n_(p.n) {}
  void run() final {
    launch();
    by_hand::wait();
  }

 protected:
  virtual void launch() = 0;
  [[nodiscard]] std::int64_t n() const { return n_; }

 private:
  std::int64_t n_;
};

inline unsigned int blocks_of(std::int64_t n, std::int64_t per_block) {
  return static_cast<unsigned int>((n + per_block - 1) / per_block);
}

// As `our_program::fill`; that for floats is by_hand's.
using by_hand::fill;
void fill(const by_hand::device_array<float4>& out, std::uint32_t seed, float low, float high);
void fill(const by_hand::device_array<int>& out, std::uint32_t seed, int high);
void fill_blocks(const by_hand::device_array<float>& out, std::int64_t rows, std::uint32_t seed);

inline void add_numbers(std::vector<double>& to, float v) { to.push_back(static_cast<double>(v)); }
inline void add_numbers(std::vector<double>& to, int v) { to.push_back(v); }
inline void add_numbers(std::vector<double>& to, const float4& v) { to.insert(to.end(), {v.x, v.y, v.z, v.w}); }

/// The first rows of an array, as numbers; of small ones all.
template <class T>
[[nodiscard]] std::vector<double> beginning(const by_hand::device_array<T>& a, std::int64_t rows) {
  const std::int64_t row = a.size() / rows;
  const std::int64_t count =
      a.size() <= most_compared ? a.size() : std::max<std::int64_t>(1, most_compared / row) * row;
  std::vector<T> values(static_cast<std::size_t>(count));
  by_hand::copy_to_host(values.data(), a.data(), count * std::int64_t{sizeof(T)});
  std::vector<double> result;
  for (const T& v : values) add_numbers(result, v);
  return result;
}

// clang-format off
[[nodiscard]] std::unique_ptr<program> cuda_md5(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_nbody(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_correlator(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_kmeans(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_hotspot(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_gemm(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_spmv(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_black_scholes(const problem& p);
[[nodiscard]] std::unique_ptr<program> cuda_cocluster(const problem& p);
// clang-format on

}  // namespace tessera::bench::paper
