#pragma once

#include <tessera/tessera.h>

#include <cstdint>
#include <string>

namespace cocluster {

struct problem {
  std::int64_t rows = 0, columns = 0;
  int row_clusters = 0, column_clusters = 0;
  std::int64_t rows_of_part = 0;  ///< A multiple of 256; 0: as is chosen without a word.
};

/// Co-clustering of a matrix by information divergence (cocluster.cu) on all devices of a context. Rows of the matrix
/// lie in parts; an iteration has three reductions: along rows, along columns, and over everything.
class clustering {
 public:
  /// Loads the kernels from the file `kernels`. Throws `argument_error` for fewer clusters than one, more than rows or
  /// columns, or more than the kernels are made for.
  clustering(tessera::context ctx, const problem& p, const std::string& kernels);

  /// The matrix, and the clusters of its rows and columns: to be written before `begin`.
  [[nodiscard]] const tessera::array<float>& matrix() const { return z_; }
  [[nodiscard]] const tessera::array<int>& row_labels() const { return row_cluster_; }
  [[nodiscard]] const tessera::array<int>& column_labels() const { return column_cluster_; }

  /// `average` is that of the whole matrix: what a block without elements is taken for.
  void begin(double average);
  /// Puts each row, then each column, into the cluster that fits it best. Returns at once.
  void iterate();
  /// What the clusters cost; the less, the more they tell of the matrix. Of one element.
  [[nodiscard]] const tessera::array<double>& cost() const { return cost_; }

  static constexpr int most_clusters = 16;
  static constexpr std::int64_t rows_of_block = 256;

 private:
  void sum_rows();
  void find_averages();

  tessera::context ctx_;
  problem p_;
  double whole_ = 0;
  tessera::kernel sums_of_rows_, sums_of_columns_, sums_of_blocks_, count_, average_, assign_;
  tessera::array<float> z_, row_sums_, column_sums_, averages_;
  tessera::array<int> row_cluster_, column_cluster_, row_numbers_, column_numbers_;
  tessera::array<double> totals_, cost_;
};

}  // namespace cocluster
