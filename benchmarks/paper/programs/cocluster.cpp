#include "benchmarks/frame/inputs.h"
#include "benchmarks/paper/programs/ours.h"
#include "examples/cocluster/clustering.h"

namespace tessera::bench::paper {
namespace {

/// The example's clustering, for the paper's number of iterations.
class co_clustering final : public our_program {
 public:
  co_clustering(context where, const problem& p)
      : our_program(std::move(where), p),
        shape_(cocluster_shape(p.n)),
        made_(ctx(),
              {shape_.rows, shape_.columns, row_clusters, column_clusters,
               rows_of_part(shape_.columns * std::int64_t{sizeof(float)}, cocluster::clustering::rows_of_block)},
              source_path("examples/cocluster/cocluster.cu")) {}

  void prepare() override {
    fill_blocks(made_.matrix(), first_seed);
    fill(made_.row_labels(), first_seed + 1, row_clusters);
    fill(made_.column_labels(), first_seed + 2, column_clusters);
    ctx().wait();
  }

  void launch() override {
    made_.begin(whole_average);
    for (int k = 0; k < cocluster_steps; ++k) made_.iterate();
  }

  std::vector<double> result() const override {
    std::vector<double> all = beginning(made_.row_labels()), columns = beginning(made_.column_labels());
    all.insert(all.end(), columns.begin(), columns.end());
    all.push_back(made_.cost().read()[0]);
    return all;
  }

 private:
  matrix_shape shape_;
  cocluster::clustering made_;
};

}  // namespace

std::unique_ptr<our_program> our_cocluster(context ctx, const problem& p) {
  return std::make_unique<co_clustering>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
