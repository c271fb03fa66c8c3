#include <utility>

#include "benchmarks/paper/programs/ours.h"
#include "tessera/base/checked.h"

namespace tessera::bench::paper {
namespace {

/// Rows of a and of the result lie in parts; all of b is read everywhere.
class gemm final : public our_program {
 public:
  gemm(context where, const problem& p)
      : our_program(std::move(where), p), side_(cube_root(p.n)), multiply_(load("gemm.cu", "gemm")) {
    const std::int64_t part = rows_of_part(side_ * std::int64_t{sizeof(float)}, 64);
    a_ = make<float>({side_, side_}, part);
    b_ = make<float>({side_, side_}, part);
    c_ = make<float>({side_, side_}, part);
  }

  void prepare() override {
    fill(a_, first_seed, -1, 1);
    fill(b_, first_seed + 1, -1, 1);
    ctx().wait();
  }
  void launch() override {
    const extents blocks{ceil_div(side_, 16), ceil_div(side_, 256)};
    multiply_.launch({.grid = blocks, .block = {64}}, side_, a_, b_, c_);
  }
  std::vector<double> result() const override { return beginning(c_); }

 private:
  std::int64_t side_;
  kernel multiply_;
  array<float> a_, b_, c_;
};

}  // namespace

std::unique_ptr<our_program> our_gemm(context ctx, const problem& p) {
  return std::make_unique<gemm>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
