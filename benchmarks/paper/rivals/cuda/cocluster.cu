#include "examples/cocluster/cocluster.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class cocluster_by_hand final : public cuda_program {
 public:
  explicit cocluster_by_hand(const problem& p)
      : cuda_program(p),
        shape_(cocluster_shape(p.n)),
        z_(shape_.rows * shape_.columns),
        row_sums_(shape_.rows * column_clusters),
        column_sums_(shape_.columns * row_clusters),
        averages_(row_clusters * column_clusters),
        row_cluster_(shape_.rows),
        column_cluster_(shape_.columns),
        row_numbers_(row_clusters),
        column_numbers_(column_clusters),
        totals_(row_clusters * column_clusters),
        error_(1) {}
  void prepare() override {
    fill_blocks(z_, shape_.rows, first_seed);
    fill(row_cluster_, first_seed + 1, row_clusters);
    fill(column_cluster_, first_seed + 2, column_clusters);
    by_hand::wait();
  }
  std::vector<double> result() const override {
    std::vector<double> all = beginning(row_cluster_, shape_.rows);
    const std::vector<double> columns = beginning(column_cluster_, shape_.columns);
    all.insert(all.end(), columns.begin(), columns.end());
    all.push_back(error_.at(0));
    return all;
  }

 private:
  void launch() override {
    sum_rows();
    for (int k = 0; k < cocluster_steps; ++k) {
      find_averages();
      clear_error();
      assign_clusters<<<blocks_of(shape_.rows, 256), 256>>>(
          rows(), row_clusters, column_clusters, column_clusters, 1, cocluster_epsilon, row_sums_.data(),
          averages_.data(), column_numbers_.data(), row_cluster_.data(), error_.data());
      sum_columns();
      count(row_cluster_, row_numbers_);
      clear_error();
      assign_clusters<<<blocks_of(shape_.columns, 256), 256>>>(
          columns(), column_clusters, row_clusters, 1, column_clusters, cocluster_epsilon, column_sums_.data(),
          averages_.data(), row_numbers_.data(), column_cluster_.data(), error_.data());
      sum_rows();
    }
    by_hand::check_launch();
  }

  /// A kernel over `n` elements that adds its results up in memory which is clear.
  void count(const by_hand::device_array<int>& cluster, const by_hand::device_array<int>& numbers) const {
    by_hand::clear(numbers.data(), numbers.size() * std::int64_t{sizeof(int)});
    count_members<<<blocks_of(cluster.size(), 256), 256>>>(static_cast<int>(cluster.size()), cluster.data(),
                                                          numbers.data());
  }
  void sum_rows() const {
    sums_of_rows<<<static_cast<unsigned int>(shape_.rows), 256>>>(columns(), column_clusters, z_.data(),
                                                                  column_cluster_.data(), row_sums_.data());
  }
  void sum_columns() const {
    by_hand::clear(column_sums_.data(), column_sums_.size() * std::int64_t{sizeof(float)});
    sums_of_columns<<<dim3(blocks_of(shape_.columns, 256), blocks_of(shape_.rows, 256)), 256>>>(
        rows(), columns(), row_clusters, z_.data(), row_cluster_.data(), column_sums_.data());
  }
  void find_averages() const {
    by_hand::clear(totals_.data(), totals_.size() * std::int64_t{sizeof(double)});
    sums_of_blocks<<<blocks_of(shape_.rows, 256), 256>>>(rows(), row_clusters, column_clusters, row_sums_.data(),
                                                         row_cluster_.data(), totals_.data());
    count(row_cluster_, row_numbers_);
    count(column_cluster_, column_numbers_);
    average_blocks<<<1, 64>>>(row_clusters, column_clusters, whole_average, static_cast<double>(cocluster_epsilon),
                              totals_.data(), row_numbers_.data(), column_numbers_.data(), averages_.data());
  }
  void clear_error() const { by_hand::clear(error_.data(), sizeof(double)); }
  [[nodiscard]] int rows() const { return static_cast<int>(shape_.rows); }
  [[nodiscard]] int columns() const { return static_cast<int>(shape_.columns); }

  matrix_shape shape_;
  by_hand::device_array<float> z_, row_sums_, column_sums_, averages_;
  by_hand::device_array<int> row_cluster_, column_cluster_, row_numbers_, column_numbers_;
  by_hand::device_array<double> totals_, error_;
};

}  // namespace

std::unique_ptr<program> cuda_cocluster(const problem& p) { return std::make_unique<cocluster_by_hand>(p); }

}  // namespace tessera::bench::paper
