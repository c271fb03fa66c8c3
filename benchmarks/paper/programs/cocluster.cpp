#include "benchmarks/paper/programs/ours.h"
#include "tessera/base/checked.h"

namespace tessera::bench::paper {
namespace {

/// Rows of the matrix lie in parts. An iteration has three reductions: along rows, along columns, and over everything.
class cocluster final : public our_program {
 public:
  cocluster(context where, const problem& p)
      : our_program(std::move(where), p),
        shape_(cocluster_shape(p.n)),
        sums_of_rows_(load("cocluster.cu", "sums_of_rows")),
        sums_of_columns_(load("cocluster.cu", "sums_of_columns")),
        sums_of_blocks_(load("cocluster.cu", "sums_of_blocks")),
        count_(load("cocluster.cu", "count_members")),
        average_(load("cocluster.cu", "average_blocks")),
        assign_(load("cocluster.cu", "assign_clusters")) {
    const std::int64_t part = rows_of_part(shape_.columns * std::int64_t{sizeof(float)}, rows_of_block);
    z_ = make<float>({shape_.rows, shape_.columns}, part);
    row_sums_ = make<float>({shape_.rows, column_clusters}, part);
    row_cluster_ = make<int>({shape_.rows}, part);
  }

  void prepare() override {
    fill_blocks(z_, first_seed);
    fill(row_cluster_, first_seed + 1, row_clusters);
    fill(column_cluster_, first_seed + 2, column_clusters);
    ctx().wait();
  }

  void launch() override {
    sum_rows();
    for (int k = 0; k < cocluster_steps; ++k) {
      find_averages();
      assign_.launch({.threads = {shape_.rows}}, shape_.rows, row_clusters, column_clusters, column_clusters, 1,
                     cocluster_epsilon, row_sums_, averages_, column_numbers_, row_cluster_, error_);
      sums_of_columns_.launch({.grid = {ceil_div(shape_.columns, 256), ceil_div(shape_.rows, rows_of_block)}},
                              shape_.rows, shape_.columns, row_clusters, z_, row_cluster_, column_sums_);
      count_.launch({.threads = {shape_.rows}}, shape_.rows, row_cluster_, row_numbers_);
      assign_.launch({.threads = {shape_.columns}}, shape_.columns, column_clusters, row_clusters, 1, column_clusters,
                     cocluster_epsilon, column_sums_, averages_, row_numbers_, column_cluster_, error_);
      sum_rows();
    }
  }

  std::vector<double> result() const override {
    std::vector<double> all = beginning(row_cluster_), columns = beginning(column_cluster_);
    all.insert(all.end(), columns.begin(), columns.end());
    all.push_back(error_.read()[0]);
    return all;
  }

 private:
  static constexpr std::int64_t rows_of_block = 256;

  void sum_rows() {
    sums_of_rows_.launch({.grid = {shape_.rows}}, shape_.columns, column_clusters, z_, column_cluster_, row_sums_);
  }
  void find_averages() {
    constexpr int blocks = row_clusters * column_clusters;
    sums_of_blocks_.launch({.threads = {shape_.rows}}, shape_.rows, row_clusters, column_clusters, row_sums_,
                           row_cluster_, totals_);
    count_.launch({.threads = {shape_.rows}}, shape_.rows, row_cluster_, row_numbers_);
    count_.launch({.threads = {shape_.columns}}, shape_.columns, column_cluster_, column_numbers_);
    average_.launch({.threads = {blocks}, .block = {64}}, row_clusters, column_clusters, whole_average,
                    double{cocluster_epsilon}, totals_, row_numbers_, column_numbers_, averages_);
  }

  matrix_shape shape_;
  kernel sums_of_rows_, sums_of_columns_, sums_of_blocks_, count_, average_, assign_;
  array<float> z_, row_sums_;
  array<int> row_cluster_, column_cluster_ = ctx().empty<int>({shape_.columns});
  array<float> column_sums_ = ctx().empty<float>({shape_.columns, row_clusters});
  array<double> totals_ = ctx().empty<double>({row_clusters * column_clusters}), error_ = ctx().empty<double>({1});
  array<int> row_numbers_ = ctx().empty<int>({row_clusters}), column_numbers_ = ctx().empty<int>({column_clusters});
  array<float> averages_ = ctx().empty<float>({row_clusters * column_clusters});
};

}  // namespace

std::unique_ptr<our_program> our_cocluster(context ctx, const problem& p) {
  return std::make_unique<cocluster>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
