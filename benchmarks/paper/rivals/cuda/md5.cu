#include "benchmarks/paper/kernels/md5.cu"

#include <utility>

#include "benchmarks/paper/md5_key.h"
#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class md5_by_hand final : public cuda_program {
 public:
  explicit md5_by_hand(const problem& p) : cuda_program(p), wanted_(digest_of_key(md5_wanted(p.n))), found_(1) {}
  void prepare() override {
    by_hand::clear(found_.data(), sizeof(unsigned long long));
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return {static_cast<double>(found_.at(0))};
  }

 private:
  void launch() override {
    by_hand::clear(found_.data(), sizeof(unsigned long long));
    md5_search<<<blocks_of(n(), 256), 256>>>(static_cast<unsigned long long>(n()), wanted_[0], wanted_[1], wanted_[2],
                                             wanted_[3], found_.data());
    by_hand::check_launch();
  }

  std::array<std::uint32_t, 4> wanted_;
  by_hand::device_array<unsigned long long> found_;
};

}  // namespace

std::unique_ptr<program> cuda_md5(const problem& p) { return std::make_unique<md5_by_hand>(p); }

}  // namespace tessera::bench::paper
