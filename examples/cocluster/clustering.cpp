#include "examples/cocluster/clustering.h"

#include <utility>

namespace ts = tessera;

namespace cocluster {
namespace {

constexpr float epsilon = 1e-8f;

const problem& checked(const problem& p) {
  const auto check = [](int clusters, std::int64_t of, const char* items) {
    const std::string these = std::to_string(clusters) + " clusters of " + items;
    if (clusters < 1) throw ts::argument_error(these + ": there must be one at least");
    if (clusters > of) throw ts::argument_error(these + " are more than " + std::to_string(of) + " " + items);
    if (clusters > clustering::most_clusters)
      throw ts::argument_error(these + ": the kernels are made for " + std::to_string(clustering::most_clusters));
  };
  check(p.row_clusters, p.rows, "rows");
  check(p.column_clusters, p.columns, "columns");
  return p;
}

/// An array whose rows lie in parts.
template <class T>
ts::array<T> make(ts::context& ctx, const ts::extents& shape, std::int64_t rows_of_part) {
  return rows_of_part > 0 ? ctx.empty<T>(shape, ts::rows(rows_of_part)) : ctx.empty<T>(shape);
}

ts::kernel load(ts::context& ctx, const std::string& path, const char* name) {
  ts::kernel_options settings;
  settings.name = name;
  settings.fused = true;
  return ctx.load_kernel(path, settings);
}

std::int64_t blocks_of(std::int64_t n, std::int64_t each) { return (n + each - 1) / each; }

}  // namespace

clustering::clustering(ts::context ctx, const problem& p, const std::string& kernels)
    : ctx_(std::move(ctx)),
      p_(checked(p)),
      sums_of_rows_(load(ctx_, kernels, "sums_of_rows")),
      sums_of_columns_(load(ctx_, kernels, "sums_of_columns")),
      sums_of_blocks_(load(ctx_, kernels, "sums_of_blocks")),
      count_(load(ctx_, kernels, "count_members")),
      average_(load(ctx_, kernels, "average_blocks")),
      assign_(load(ctx_, kernels, "assign_clusters")),
      z_(make<float>(ctx_, {p.rows, p.columns}, p.rows_of_part)),
      row_sums_(make<float>(ctx_, {p.rows, p.column_clusters}, p.rows_of_part)),
      column_sums_(ctx_.empty<float>({p.columns, p.row_clusters})),
      averages_(ctx_.empty<float>({p.row_clusters * p.column_clusters})),
      row_cluster_(make<int>(ctx_, {p.rows}, p.rows_of_part)),
      column_cluster_(ctx_.empty<int>({p.columns})),
      row_numbers_(ctx_.empty<int>({p.row_clusters})),
      column_numbers_(ctx_.empty<int>({p.column_clusters})),
      totals_(ctx_.empty<double>({p.row_clusters * p.column_clusters})),
      cost_(ctx_.empty<double>({1})) {}

void clustering::begin(double average) {
  whole_ = average;
  sum_rows();
}

void clustering::iterate() {
  find_averages();
  assign_.launch({.threads = {p_.rows}}, p_.rows, p_.row_clusters, p_.column_clusters, p_.column_clusters, 1, epsilon,
                 row_sums_, averages_, column_numbers_, row_cluster_, cost_);
  sums_of_columns_.launch({.grid = {blocks_of(p_.columns, 256), blocks_of(p_.rows, rows_of_block)}}, p_.rows,
                          p_.columns, p_.row_clusters, z_, row_cluster_, column_sums_);
  count_.launch({.threads = {p_.rows}}, p_.rows, row_cluster_, row_numbers_);
  assign_.launch({.threads = {p_.columns}}, p_.columns, p_.column_clusters, p_.row_clusters, 1, p_.column_clusters,
                 epsilon, column_sums_, averages_, row_numbers_, column_cluster_, cost_);
  sum_rows();
}

void clustering::sum_rows() {
  sums_of_rows_.launch({.grid = {p_.rows}}, p_.columns, p_.column_clusters, z_, column_cluster_, row_sums_);
}

void clustering::find_averages() {
  const int blocks = p_.row_clusters * p_.column_clusters;
  sums_of_blocks_.launch({.threads = {p_.rows}}, p_.rows, p_.row_clusters, p_.column_clusters, row_sums_, row_cluster_,
                         totals_);
  count_.launch({.threads = {p_.rows}}, p_.rows, row_cluster_, row_numbers_);
  count_.launch({.threads = {p_.columns}}, p_.columns, column_cluster_, column_numbers_);
  average_.launch({.threads = {blocks}, .block = {64}}, p_.row_clusters, p_.column_clusters, whole_, double{epsilon},
                  totals_, row_numbers_, column_numbers_, averages_);
}

}  // namespace cocluster
