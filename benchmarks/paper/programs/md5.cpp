#include "benchmarks/paper/md5_key.h"
#include "benchmarks/paper/programs/ours.h"

namespace tessera::bench::paper {
namespace {

/// No data but the hash that is searched and the number that is found: superblocks follow the devices.
class md5 final : public our_program {
 public:
  md5(context where, const problem& p)
      : our_program(std::move(where), p),
        wanted_(digest_of_key(md5_wanted(p.n))),
        search_(load("md5.cu", "md5_search")),
        found_(ctx().zeros<std::uint64_t>({1})) {}

  void prepare() override {
    found_.fill(0);
    ctx().wait();
  }
  void launch() override {
    search_.launch({.threads = {n()}, .block = {256}}, n(), wanted_[0], wanted_[1], wanted_[2], wanted_[3], found_);
  }
  std::vector<double> result() const override { return {static_cast<double>(found_.read()[0])}; }

 private:
  std::array<std::uint32_t, 4> wanted_;
  kernel search_;
  array<std::uint64_t> found_;
};

}  // namespace

std::unique_ptr<our_program> our_md5(context ctx, const problem& p) { return std::make_unique<md5>(std::move(ctx), p); }

}  // namespace tessera::bench::paper
