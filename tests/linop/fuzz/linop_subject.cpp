#include "tests/linop/fuzz/linop_subject.h"

#include <cstdlib>
#include <utility>

#include "tests/fuzz/frame/reducer.h"
#include "tests/linop/fuzz/run.h"

namespace tessera::fuzz {
namespace {

void shrink(reducer<program>& search) {
  search.repeat([&] {
    bool any = search.drop_runs([](program & p) -> auto& { return p.stages; });
    any = search.attempt_change([](program& p) { return std::exchange(p.ranks, 1) > 1; }) || any;
    any = search.attempt_change([](program& p) { return std::exchange(p.devices, 1) > 1; }) || any;
    any = search.attempt_change([](program& p) { return std::exchange(p.batch, 0) > 0; }) || any;
    any = search.attempt_change([](program& p) { return std::exchange(p.budget, 0) > 0; }) || any;
    any = search.attempt_change([](program& p) { return p.in.size() > 1 && (p.in.erase(p.in.begin()), true); }) || any;
    for (std::size_t k = 0; k < search.best().in.size(); ++k)
      any =
          search.attempt_change([&](program& p) { return k < p.in.size() && p.in[k] > 1 && (--p.in[k], true); }) || any;
    for (std::size_t k = 0; k < search.best().stages.size(); ++k)
      for (int n = 0; n < 4; ++n)
        any = search.attempt_change([&](program& p) { return std::exchange(p.stages[k].numbers[n], 0) > 0; }) || any;
    return any;
  });
}

class operator_program final : public random_program {
 public:
  explicit operator_program(program p) : program_(std::move(p)) {}

  [[nodiscard]] std::optional<failure> run() const override { return run_program(program_); }
  [[nodiscard]] std::string print(const std::optional<failure>& wrong) const override {
    return text_of(program_) + (wrong ? "  // " + wrong->message + "\n" : "");
  }
  [[nodiscard]] std::unique_ptr<random_program> smaller(const predicate& fails,
                                                        std::chrono::seconds limit) const override {
    reducer<program> search(
        program_, [&](program& p) { return fails(operator_program(p)); }, limit);
    shrink(search);
    return std::make_unique<operator_program>(search.take());
  }

 private:
  program program_;
};

}  // namespace

linop_subject::linop_subject() {
  if (const char* chosen = std::getenv("TESSERA_CXX")) compiler_ = chosen;
  setenv("TESSERA_CXX", "none", 1);
}

std::string_view linop_subject::about() const {
  return "Runs random expressions of linear operators and compares what they, their adjoints and apply give with dense "
         "matrices. Kernels\nare functions; with --compiled they are compiled.";
}

std::unique_ptr<random_program> linop_subject::draw(std::uint64_t seed, std::uint64_t index) const {
  return std::make_unique<operator_program>(generate(seed, index, wanted_));
}

std::vector<option> linop_subject::options() {
  return {{"--memory", "", [this](std::uint64_t) { wanted_.is_short_of_memory = true; }},
          {"--compiled", "", [this](std::uint64_t) {
             wanted_.is_compiled = true;
             setenv("TESSERA_CXX", compiler_.c_str(), 1);
           }}};
}

}  // namespace tessera::fuzz
