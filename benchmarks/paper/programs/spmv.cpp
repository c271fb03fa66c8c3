#include <iterator>
#include <utility>

#include "benchmarks/paper/programs/ours.h"
#include "tessera/base/checked.h"

namespace tessera::bench::paper {
namespace {

constexpr std::int64_t block = 256;

/// Rows of the matrix lie in parts; in ELL format they are columns of its two arrays. Every device reads the vector.
class spmv final : public our_program {
 public:
  spmv(context where, const problem& p)
      : our_program(std::move(where), p), shape_(spmv_shape(p.n)), multiply_(load("spmv.cu", "ell_product")) {
    const std::int64_t bytes = shape_.width * std::int64_t{sizeof(float)}, chosen = rows_of_part(bytes, block);
    const std::int64_t part = chosen > 0 ? chosen : ceil_div(ceil_div(shape_.rows, all_devices()), block) * block;
    const extents shape{shape_.width, shape_.rows};
    values_ = ctx().empty<float>(shape, columns(part));
    columns_ = ctx().empty<int>(shape, columns(part));
    x_ = ctx().empty<float>({shape_.rows});
    y_ = ctx().empty<float>({shape_.rows});
  }

  void prepare() override {
    const auto width = static_cast<float>(shape_.width);
    fill(values_, first_seed, 0, 2 / width);  // products stay near the vector's elements
    fill(columns_, first_seed + 1, static_cast<int>(shape_.rows));
    fill(x_, first_seed + 2, 0, 1);
    ctx().wait();
  }
  void launch() override {
    for (int k = 0; k < spmv_steps; ++k) {
      multiply_.launch({.threads = {shape_.rows}, .block = {block}}, shape_.rows, shape_.width, values_, columns_, x_,
                       y_);
      std::swap(x_, y_);
    }
  }
  std::vector<double> result() const override { return beginning(x_); }

 private:
  [[nodiscard]] std::int64_t all_devices() { return std::ssize(ctx().machine().devices); }

  ell_shape shape_;
  kernel multiply_;
  array<float> values_, x_, y_;
  array<int> columns_;
};

}  // namespace

std::unique_ptr<our_program> our_spmv(context ctx, const problem& p) {
  return std::make_unique<spmv>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
