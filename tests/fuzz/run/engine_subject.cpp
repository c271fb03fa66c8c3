#include "tests/fuzz/run/engine_subject.h"

#include "tessera/device/host/launcher.h"
#include "tests/fuzz/generate/shrink.h"
#include "tests/fuzz/print/program.h"
#include "tests/fuzz/run/execute.h"

namespace tessera::fuzz {
namespace {

class engine_program final : public random_program {
 public:
  explicit engine_program(program p) : program_(std::move(p)), expected_(expected_outcomes(program_)) {}

  [[nodiscard]] std::optional<failure> run() const override {
    if (!expected_) return failure{"the generator made a program without a determined result", 0, -1};
    return run_program(program_, *expected_);
  }

  [[nodiscard]] std::string print(const std::optional<failure>& wrong) const override {
    return expected_ ? as_cpp(program_, *expected_, wrong) : "// this program has no determined result\n";
  }

  [[nodiscard]] std::unique_ptr<random_program> smaller(const predicate& fails,
                                                        std::chrono::seconds limit) const override {
    const auto still = [&](const program& candidate) { return fails(engine_program(candidate)); };
    return std::make_unique<engine_program>(shrink(program_, still, limit));
  }

 private:
  program program_;
  std::optional<std::vector<outcome>> expected_;
};

}  // namespace

engine_subject::engine_subject() {
  if (this_process().ranks > 1) limits_.ranks = this_process().ranks;
}

std::string_view engine_subject::about() const {
  return "Runs random programs on Tessera and compares what they read with a sequential interpreter; with --soak at a "
         "tenth\nof the memory they use, and nothing that the process holds may grow.";
}

std::unique_ptr<random_program> engine_subject::draw(std::uint64_t seed, std::uint64_t index) const {
  return std::make_unique<engine_program>(generate(seed, index, limits_));
}

std::vector<option> engine_subject::options() {
  return {{"--ranks", "R",
           [this](std::uint64_t n) {
             if (this_process().ranks == 1) limits_.ranks = static_cast<int>(n);
           }},
          {"--devices", "D", [this](std::uint64_t n) { limits_.devices = static_cast<int>(n); }},
          {"--memory", "PERCENT", [this](std::uint64_t n) { limits_.memory = static_cast<int>(n); }},
          {"--cuda", "", [this](std::uint64_t) { limits_.kind = "cuda:0"; }},
          {"--no-sources", "", [this](std::uint64_t) { limits_.sources = false; }}};
}

void engine_subject::prepare_soak() {
  limits_.memory = 100;
  limits_.share = 10;
}

}  // namespace tessera::fuzz
