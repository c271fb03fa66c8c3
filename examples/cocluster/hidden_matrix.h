#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "examples/cocluster/matrix_file.h"

namespace cocluster {

/// A matrix with clusters that are hidden: rows and columns of a cluster are spread at random, each block of a cluster
/// of rows and one of columns has a level of its own, and each element a part of chance.
struct hidden_matrix {
  matrix_shape shape;
  int row_clusters = 0, column_clusters = 0;
  std::uint64_t seed = 1;

  [[nodiscard]] int cluster_of_row(std::int64_t i) const;
  [[nodiscard]] int cluster_of_column(std::int64_t j) const;
  [[nodiscard]] float level(int row_cluster, int column_cluster) const;
  /// Row by row, so that the file may be larger than memory.
  void write(const std::string& path) const;
};

/// A number that `seed` and `place` give, from 0 to below 1.
[[nodiscard]] double chance(std::uint64_t seed, std::uint64_t place);
/// Clusters to begin with: at random.
[[nodiscard]] std::vector<int> random_labels(std::int64_t count, int clusters, std::uint64_t seed);

}  // namespace cocluster
