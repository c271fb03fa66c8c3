#include "benchmarks/kernels/black_scholes.cu"

#include <utility>

#include "benchmarks/paper/rivals/cuda/by_hand_program.h"

namespace tessera::bench::paper {
namespace {

class black_scholes_by_hand final : public cuda_program {
 public:
  explicit black_scholes_by_hand(const problem& p) : cuda_program(p), price_(p.n), strike_(p.n), years_(p.n), call_(p.n), put_(p.n) {}
  void prepare() override {
    fill(price_, first_seed, 5, 30);
    fill(strike_, first_seed + 1, 1, 100);
    fill(years_, first_seed + 2, 0.25f, 10);
    by_hand::wait();
  }
  std::vector<double> result() const override {
    return beginning(call_, n());
  }

 private:
  void launch() override {
    black_scholes<<<blocks_of(n(), 256), 256>>>(static_cast<int>(n()), black_scholes_rate, black_scholes_volatility,
                                                price_.data(), strike_.data(), years_.data(), call_.data(), put_.data());
    by_hand::check_launch();
  }

  by_hand::device_array<float> price_, strike_, years_, call_, put_;
};

}  // namespace

std::unique_ptr<program> cuda_black_scholes(const problem& p) { return std::make_unique<black_scholes_by_hand>(p); }

}  // namespace tessera::bench::paper
