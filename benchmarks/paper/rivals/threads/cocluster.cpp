// Co-clustering on all cores: a pass over the matrix for the sums over rows, one for those over columns.
#include <algorithm>
#include <cmath>
#include <mutex>

#include "benchmarks/paper/kernels/block_element.h"
#include "benchmarks/paper/rivals/threads/threads.h"

extern "C" __attribute__((simd("notinbranch"))) float logf(float) noexcept;

namespace tessera::bench::paper {
namespace {

using blocks_of = double[row_clusters][column_clusters];

class cocluster final : public threads_program {
 public:
  cocluster(thread_team& team, const problem& p)
      : threads_program(team, p),
        shape_(cocluster_shape(p.n)),
        z_(shape_.rows * shape_.columns),
        row_sums_(shape_.rows * column_clusters),
        column_sums_(row_clusters * shape_.columns),
        row_cluster_(shape_.rows),
        column_cluster_(shape_.columns) {}

  void prepare() override {
    parallel(shape_.rows, [this](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t j = 0; j < shape_.columns; ++j)
          z_[i * shape_.columns + j] = block_element(i, j, shape_.columns, first_seed);
    });
    fill(row_cluster_.data(), shape_.rows, first_seed + 1, row_clusters);
    fill(column_cluster_.data(), shape_.columns, first_seed + 2, column_clusters);
  }
  void run() override {
    sum_rows();
    for (int k = 0; k < cocluster_steps; ++k) {
      find_averages();
      assign_rows();
      sum_columns();
      error_ = assign_columns();
      sum_rows();
    }
  }
  std::vector<double> result() const override {
    std::vector<double> all = beginning(row_cluster_.data(), shape_.rows);
    const std::vector<double> columns = beginning(column_cluster_.data(), shape_.columns);
    all.insert(all.end(), columns.begin(), columns.end());
    all.push_back(error_);
    return all;
  }

 private:
  /// One masked sum for each cluster of columns: the compiler keeps them in vector registers.
  void sum_rows() {
    parallel(shape_.rows, [this](std::int64_t begin, std::int64_t end) {
      const int* cluster = column_cluster_.data();
      for (; begin < end; ++begin) {
        const float* row = z_.data() + begin * shape_.columns;
        float sums[column_clusters][16] = {};
        std::int64_t j = 0;
        for (; j + 16 <= shape_.columns; j += 16)
          for (int c = 0; c < column_clusters; ++c)
#pragma omp simd
            for (int k = 0; k < 16; ++k) sums[c][k] += cluster[j + k] == c ? row[j + k] : 0.0f;
        for (; j < shape_.columns; ++j) sums[cluster[j]][0] += row[j];
        for (int c = 0; c < column_clusters; ++c) {
          float total = 0;
          for (const float s : sums[c]) total += s;
          row_sums_[begin * column_clusters + c] = total;
        }
      }
    });
  }
  /// Columns are few enough for a row of sums of each cluster to stay in the cache.
  void sum_columns() {
    const std::int64_t width = shape_.columns;
    std::fill(column_sums_.data(), column_sums_.data() + column_sums_.size(), 0.0f);
    std::mutex merging;
    parallel(shape_.rows, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> own(static_cast<std::size_t>(row_clusters * width));
      for (; begin < end; ++begin) {
        float* to = own.data() + row_cluster_[begin] * width;
        const float* row = z_.data() + begin * width;
#pragma omp simd
        for (std::int64_t j = 0; j < width; ++j) to[j] += row[j];
      }
      const std::lock_guard lock(merging);
      for (std::int64_t k = 0; k < row_clusters * width; ++k) column_sums_[k] += own[static_cast<std::size_t>(k)];
    });
  }
  void find_averages() {
    blocks_of totals = {};
    std::fill_n(row_numbers_, row_clusters, 0);
    std::fill_n(column_numbers_, column_clusters, 0);
    for (std::int64_t i = 0; i < shape_.rows; ++i) {
      ++row_numbers_[row_cluster_[i]];
      for (int c = 0; c < column_clusters; ++c) totals[row_cluster_[i]][c] += row_sums_[i * column_clusters + c];
    }
    for (std::int64_t j = 0; j < shape_.columns; ++j) ++column_numbers_[column_cluster_[j]];
    for (int r = 0; r < row_clusters; ++r)
      for (int c = 0; c < column_clusters; ++c) {
        const double elements = double{1} * row_numbers_[r] * column_numbers_[c];
        const auto average = static_cast<float>((totals[r][c] + whole_average * double{cocluster_epsilon}) /
                                                (elements + double{cocluster_epsilon}));
        average_[r][c] = average + cocluster_epsilon;
        log_average_[r][c] = std::log(average_[r][c]);
      }
  }
  void assign_rows() {
    parallel(shape_.rows, [this](std::int64_t begin, std::int64_t end) {
      for (; begin < end; ++begin) {
        float least = 0;
        for (int r = 0; r < row_clusters; ++r) {
          float cost = 0;
          for (int c = 0; c < column_clusters; ++c)
            cost += static_cast<float>(column_numbers_[c]) * average_[r][c] -
                    row_sums_[begin * column_clusters + c] * log_average_[r][c];
          if (r == 0 || cost < least) least = cost, row_cluster_[begin] = r;
        }
      }
    });
    std::fill_n(row_numbers_, row_clusters, 0);
    for (std::int64_t i = 0; i < shape_.rows; ++i) ++row_numbers_[row_cluster_[i]];
  }
  double assign_columns() {
    double error = 0;
    for (std::int64_t j = 0; j < shape_.columns; ++j) {
      float least = 0;
      for (int c = 0; c < column_clusters; ++c) {
        float cost = 0;
        for (int r = 0; r < row_clusters; ++r)
          cost += static_cast<float>(row_numbers_[r]) * average_[r][c] -
                  column_sums_[r * shape_.columns + j] * log_average_[r][c];
        if (c == 0 || cost < least) least = cost, column_cluster_[j] = c;
      }
      error += double{least};
    }
    return error;
  }

  matrix_shape shape_;
  plain_array<float> z_, row_sums_, column_sums_;
  plain_array<int> row_cluster_, column_cluster_;
  int row_numbers_[row_clusters] = {}, column_numbers_[column_clusters] = {};
  float average_[row_clusters][column_clusters] = {}, log_average_[row_clusters][column_clusters] = {};
  double error_ = 0;
};

}  // namespace

std::unique_ptr<program> threads_cocluster(thread_team& team, const problem& p) {
  return std::make_unique<cocluster>(team, p);
}

}  // namespace tessera::bench::paper
