#include "examples/cocluster/hidden_matrix.h"

#include <algorithm>

namespace cocluster {
namespace {

int pick(std::uint64_t seed, std::int64_t place, int clusters) {
  return std::min(static_cast<int>(chance(seed, static_cast<std::uint64_t>(place)) * clusters), clusters - 1);
}

}  // namespace

double chance(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t x = place + seed * 0x9e3779b97f4a7c15U + 0x632be59bd9b4e019U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

std::vector<int> random_labels(std::int64_t count, int clusters, std::uint64_t seed) {
  std::vector<int> labels;
  for (std::int64_t i = 0; i < count; ++i) labels.push_back(pick(seed, i, clusters));
  return labels;
}

int hidden_matrix::cluster_of_row(std::int64_t i) const { return pick(seed + 1, i, row_clusters); }
int hidden_matrix::cluster_of_column(std::int64_t j) const { return pick(seed + 2, j, column_clusters); }

/// Levels lie evenly between 0 and 1, in a random order.
float hidden_matrix::level(int row_cluster, int column_cluster) const {
  const int blocks = row_clusters * column_clusters, own = row_cluster * column_clusters + column_cluster;
  const auto key = [&](int block) { return chance(seed + 3, static_cast<std::uint64_t>(block)); };
  int below = 0;
  for (int other = 0; other < blocks; ++other) below += key(other) < key(own) ? 1 : 0;
  return (static_cast<float>(below) + 0.5f) / static_cast<float>(blocks);
}

void hidden_matrix::write(const std::string& path) const {
  matrix_writer file(path, shape);
  std::vector<float> row(static_cast<std::size_t>(shape.columns));
  std::vector<int> clusters;
  for (std::int64_t j = 0; j < shape.columns; ++j) clusters.push_back(cluster_of_column(j));
  std::vector<float> levels;
  for (int r = 0; r < row_clusters; ++r)
    for (int c = 0; c < column_clusters; ++c) levels.push_back(level(r, c));
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    const float* own = levels.data() + cluster_of_row(i) * column_clusters;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const auto place = static_cast<std::uint64_t>(i) * row.size() + j;
      row[j] = 0.8f * own[clusters[j]] + 0.2f * static_cast<float>(chance(seed, place));
    }
    file.add_rows(row);
  }
  file.finish();
}

}  // namespace cocluster
