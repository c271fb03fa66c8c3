#include <utility>

#include "benchmarks/paper/programs/ours.h"

namespace tessera::bench::paper {
namespace {

/// Channels are independent: parts are channels.
class correlator final : public our_program {
 public:
  correlator(context where, const problem& p)
      : our_program(std::move(where), p), correlate_(load("correlator.cu", "correlate")) {
    constexpr std::int64_t columns = correlator_samples / 2;
    const std::int64_t part = rows_of_part(columns * std::int64_t{sizeof(four)});
    samples_ = make<four>({n(), columns}, part);
    sums_ = make<four>({n(), 64, 258}, part);
  }

  void prepare() override {
    fill(samples_, first_seed, -1, 1);
    ctx().wait();
  }
  void launch() override { correlate_.launch({.threads = {64, n()}, .block = {64}}, n(), samples_, sums_); }
  std::vector<double> result() const override { return beginning(sums_); }

 private:
  kernel correlate_;
  array<four> samples_, sums_;
};

}  // namespace

std::unique_ptr<our_program> our_correlator(context ctx, const problem& p) {
  return std::make_unique<correlator>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
