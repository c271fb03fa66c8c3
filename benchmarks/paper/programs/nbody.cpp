#include <utility>

#include "benchmarks/paper/programs/ours.h"

namespace tessera::bench::paper {
namespace {

/// The bodies are few: each device reads all of them, and moves its own.
class nbody final : public our_program {
 public:
  nbody(context where, const problem& p)
      : our_program(std::move(where), p),
        bodies_(square_root(p.n)),
        step_(load("nbody.cu", "nbody_step")),
        old_(ctx().empty<four>({bodies_})),
        fresh_(ctx().empty<four>({bodies_})),
        velocity_(ctx().empty<four>({bodies_})) {}

  void prepare() override {
    fill(old_, first_seed, 0, 1);
    fill(velocity_, first_seed + 1, 0, 0.1f);
    ctx().wait();
  }
  void launch() override {
    for (int k = 0; k < nbody_steps; ++k) {
      step_.launch({.threads = {bodies_}, .block = {256}}, bodies_, nbody_time, nbody_damping, old_, fresh_, velocity_);
      std::swap(old_, fresh_);
    }
  }
  std::vector<double> result() const override { return beginning(old_); }

 private:
  std::int64_t bodies_;
  kernel step_;
  array<four> old_, fresh_, velocity_;
};

}  // namespace

std::unique_ptr<our_program> our_nbody(context ctx, const problem& p) {
  return std::make_unique<nbody>(std::move(ctx), p);
}

}  // namespace tessera::bench::paper
