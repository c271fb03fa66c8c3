#pragma once

#include <cstdint>
#include <vector>

/// The programs with which the Lightning paper was evaluated. Each has several sides that do the same work: ours,
/// threads by hand, CUDA by hand. C++17 without Tessera, for nvcc.
namespace tessera::bench::paper {

/// One side of one program, with its inputs where they are used.
class program {
 public:
  program() = default;
  virtual ~program() = default;
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  /// Sets everything back to its beginning, and waits.
  virtual void prepare() = 0;
  /// What the paper measures: all launches of a run, and the wait for the last. Always behind `prepare`, which is
  /// behind each run whose results are looked at.
  virtual void run() = 0;
  /// What the last run left: everything, or the beginning of what is large.
  [[nodiscard]] virtual std::vector<double> result() const = 0;
};

/// The size of a problem. The work is proportional to `n`, which means something else for each program.
struct problem {
  std::int64_t n = 0;
  std::int64_t chunk = 0;  ///< Bytes of a part of the largest array; 0: as is chosen without a word.
};

/// At most so many elements of a result are compared.
constexpr std::int64_t most_compared = std::int64_t{1} << 22;

// What the sides agree on.

constexpr int nbody_steps = 10;
constexpr float nbody_time = 0.01f, nbody_damping = 0.995f;
constexpr int kmeans_steps = 5;
constexpr int kmeans_centres = 40;
constexpr int kmeans_records_of_block = 4096;
constexpr int hotspot_steps = 10;
constexpr int spmv_steps = 10;
constexpr float black_scholes_rate = 0.02f, black_scholes_volatility = 0.30f;
constexpr int cocluster_steps = 5;
constexpr int row_clusters = 8, column_clusters = 6;
constexpr float cocluster_epsilon = 1e-8f;
constexpr double whole_average = 0.5;  ///< Of the matrix that is co-clustered.

constexpr int correlator_times = 128;
constexpr int correlator_samples = correlator_times * 256;  ///< Complex numbers of a channel.
constexpr int correlator_sums = 64 * 129 * 4;               ///< Likewise.

/// The largest whole number whose square or cube is at most n.
[[nodiscard]] std::int64_t square_root(std::int64_t n);
[[nodiscard]] std::int64_t cube_root(std::int64_t n);

/// Rows and elements of a row of the sparse matrix: 0.1 % of its elements, one at least.
struct ell_shape {
  std::int64_t rows = 0;
  std::int64_t width = 0;
};
[[nodiscard]] ell_shape spmv_shape(std::int64_t n);

/// Rows and columns of the matrix that is co-clustered, of about n elements; four times as many rows as columns.
struct matrix_shape {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};
[[nodiscard]] matrix_shape cocluster_shape(std::int64_t n);

/// Physical constants of a chip's cells (hotspot).
struct chip {
  float step_over_capacity = 0.05f, across = 0.1f, along = 0.1f, upward = 0.0125f, ambient = 80.0f;
};

/// The seeds of the inputs (benchmarks/kernels/number.h), in the order of the arrays that a program has.
constexpr std::uint32_t first_seed = 11;

/// The number of the key that the MD5 search looks for: the last one.
[[nodiscard]] inline std::int64_t md5_wanted(std::int64_t n) { return n - 1; }

}  // namespace tessera::bench::paper
