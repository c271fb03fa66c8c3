#pragma once

#include <tessera/tessera.h>

#include <memory>
#include <string>

#include "benchmarks/paper/program.h"

/// The paper's programs on arrays of a context.
namespace tessera::bench::paper {

/// What kernels call float4.
struct alignas(16) four {
  float x, y, z, w;
};

/// What our sides share. Kernels are compiled as nvcc and C++ compilers do it: a product and a sum may be rounded once.
class our_program : public program {
 public:
  our_program(context ctx, const problem& p) : ctx_(std::move(ctx)), problem_(p) {}

  /// Like `run`, but returns when everything is launched.
  virtual void launch() = 0;
  void run() final {
    launch();
    ctx_.wait();
  }

 protected:
  context& ctx() { return ctx_; }
  [[nodiscard]] std::int64_t n() const { return problem_.n; }
  /// A kernel of benchmarks/paper/kernels.
  [[nodiscard]] kernel load(const std::string& file, const std::string& name);
  /// A kernel of another file of the source tree.
  [[nodiscard]] kernel load_from(const std::string& path, const std::string& name);

  /// Rows in parts of `chunk` bytes, if rows have so many; a multiple of `of`. 0 if nothing is said of parts.
  [[nodiscard]] std::int64_t rows_of_part(std::int64_t row_bytes, std::int64_t of = 1) const;
  /// An array in parts of so many rows, or as is chosen without a word.
  template <class T>
  [[nodiscard]] array<T> make(const extents& shape, std::int64_t rows_of_part = 0) {
    return rows_of_part > 0 ? ctx_.empty<T>(shape, rows(rows_of_part)) : ctx_.empty<T>(shape);
  }
  /// Gives a vector or matrix the numbers of its places, from `low` to `high`; integers are below `high`.
  void fill(const array<float>& out, std::uint32_t seed, float low, float high);
  void fill(const array<four>& out, std::uint32_t seed, float low, float high);
  void fill(const array<int>& out, std::uint32_t seed, int high);
  /// A matrix with hidden clusters (kernels/block_element.h).
  void fill_blocks(const array<float>& out, std::uint32_t seed) { fill_with("fill_blocks", out, seed, 0, 1); }

 private:
  void fill_with(const std::string& name, const array_base& out, std::uint32_t seed, float low, float range);

  context ctx_;
  problem problem_;
};

/// The beginning of an array, as numbers.
[[nodiscard]] std::vector<double> beginning(const array<float>& a);
[[nodiscard]] std::vector<double> beginning(const array<four>& a);
[[nodiscard]] std::vector<double> beginning(const array<int>& a);

// clang-format off
[[nodiscard]] std::unique_ptr<our_program> our_md5(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_nbody(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_correlator(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_kmeans(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_hotspot(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_gemm(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_spmv(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_black_scholes(context ctx, const problem& p);
[[nodiscard]] std::unique_ptr<our_program> our_cocluster(context ctx, const problem& p);
// clang-format on

}  // namespace tessera::bench::paper
