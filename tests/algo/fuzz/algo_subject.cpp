#include "tests/algo/fuzz/algo_subject.h"

#include "tests/algo/fuzz/expression/expression_program.h"
#include "tests/algo/fuzz/program/generate.h"
#include "tests/algo/fuzz/program/print.h"
#include "tests/algo/fuzz/run/run.h"
#include "tests/fuzz/frame/reducer.h"

namespace tessera::fuzz {
namespace {

class container_program final : public random_program {
 public:
  explicit container_program(program p) : program_(std::move(p)) {}

  [[nodiscard]] std::optional<failure> run() const override { return run_program(program_); }
  [[nodiscard]] std::string print(const std::optional<failure>& wrong) const override {
    return as_cpp(program_, wrong);
  }
  [[nodiscard]] std::unique_ptr<random_program> smaller(const predicate& fails,
                                                        std::chrono::seconds limit) const override {
    reducer<program> search(
        program_, [&](program& p) { return fails(container_program(p)); }, limit);
    search.repeat([&] {
      bool any = search.drop_runs([](program & p) -> auto& { return p.operations; });
      any = search.lower(
                [](program & p) -> auto& { return p.ranks; }, 1) ||
            any;
      any = search.lower(
                [](program & p) -> auto& { return p.devices; }, 1) ||
            any;
      any = search.attempt_change([](program& p) { return std::exchange(p.budget, 0) > 0; }) || any;
      any = search.attempt_change([](program& p) { return std::exchange(p.portion, 0) > 0; }) || any;
      for (std::size_t i = 0; i < search.best().operations.size(); ++i) {
        any = search.attempt_change([i](program& p) { return !std::exchange(p.operations[i].whole, true); }) || any;
        for (std::size_t k = 0; k < search.best().operations[i].numbers.size(); ++k)
          any = search.lower(
                    [ i, k ](program & p) -> auto& { return p.operations[i].numbers[k]; }, 0) ||
                any;
      }
      return any;
    });
    return std::make_unique<container_program>(search.take());
  }

 private:
  program program_;
};

}  // namespace

std::string_view algo_subject::about() const {
  return "Runs random programs on containers and skeletons and compares what they read with plain loops; with "
         "--expressions\ntexts of 64 random functions, recorded and compiled, against the same functions on the host.";
}

std::unique_ptr<random_program> algo_subject::draw(std::uint64_t seed, std::uint64_t index) const {
  if (has_expressions_) return draw_expressions(seed, index, kind_);
  program drawn = generate(seed, index, is_short_of_memory_);
  drawn.kind = kind_;
  return std::make_unique<container_program>(std::move(drawn));
}

std::vector<option> algo_subject::options() {
  return {{"--expressions", "", [this](std::uint64_t) { has_expressions_ = true; }},
          {"--memory", "", [this](std::uint64_t) { is_short_of_memory_ = true; }},
          {"--cuda", "", [this](std::uint64_t) { kind_ = "cuda:0"; }}};
}

}  // namespace tessera::fuzz
