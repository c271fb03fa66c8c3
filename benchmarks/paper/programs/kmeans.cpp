#include <utility>

#include "benchmarks/paper/programs/ours.h"
#include "tessera/base/checked.h"

namespace tessera::bench::paper {
namespace {

/// Records lie in parts; centres and sums are small.
class kmeans final : public our_program {
 public:
  kmeans(context where, const problem& p)
      : our_program(std::move(where), p),
        assign_(load("kmeans.cu", "assign")),
        move_(load("kmeans.cu", "move_centres")),
        records_(make<four>({n()}, rows_of_part(sizeof(four), kmeans_records_of_block))),
        centres_(ctx().empty<four>({kmeans_centres})),
        sums_(ctx().empty<double>({5 * kmeans_centres})) {}

  void prepare() override {
    fill(records_, first_seed, 0, 1);
    fill(centres_, first_seed, 0, 1);  // the first records
    ctx().wait();
  }
  void launch() override {
    const std::int64_t blocks = ceil_div(n(), kmeans_records_of_block);
    for (int k = 0; k < kmeans_steps; ++k) {
      assign_.launch({.grid = {blocks}, .block = {256}}, n(), kmeans_centres, records_, centres_, sums_);
      move_.launch({.threads = {kmeans_centres}, .block = {64}}, kmeans_centres, sums_, centres_);
    }
  }
  std::vector<double> result() const override { return beginning(centres_); }

 private:
  kernel assign_, move_;
  array<four> records_, centres_;
  array<double> sums_;
};

}  // namespace

std::unique_ptr<our_program> our_kmeans(context ctx, const problem& p) {
  return std::make_unique<kmeans>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
