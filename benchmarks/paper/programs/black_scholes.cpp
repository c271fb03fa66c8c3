#include <utility>

#include "benchmarks/paper/programs/ours.h"

namespace tessera::bench::paper {
namespace {

/// Options are independent.
class black_scholes final : public our_program {
 public:
  black_scholes(context where, const problem& p)
      : our_program(std::move(where), p), price_(load_from("benchmarks/kernels/black_scholes.cu", "black_scholes")) {
    const std::int64_t part = rows_of_part(sizeof(float), 256);
    for (array<float>* a : {&price_of_stock_, &strike_, &years_, &call_, &put_}) *a = make<float>({n()}, part);
  }

  void prepare() override {
    fill(price_of_stock_, first_seed, 5, 30);
    fill(strike_, first_seed + 1, 1, 100);
    fill(years_, first_seed + 2, 0.25f, 10);
    ctx().wait();
  }
  void launch() override {
    price_.launch({.threads = {n()}, .block = {256}}, n(), black_scholes_rate, black_scholes_volatility,
                  price_of_stock_, strike_, years_, call_, put_);
  }
  std::vector<double> result() const override { return beginning(call_); }

 private:
  kernel price_;
  array<float> price_of_stock_, strike_, years_, call_, put_;
};

}  // namespace

std::unique_ptr<our_program> our_black_scholes(context ctx, const problem& p) {
  return std::make_unique<black_scholes>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
