#include "tests/nd/fuzz/nd_subject.h"

#include <cstdlib>

#include "tests/fuzz/frame/reducer.h"
#include "tests/nd/fuzz/program/print.h"
#include "tests/nd/fuzz/program/shrink.h"
#include "tests/nd/fuzz/run/run.h"

namespace tessera::fuzz {
namespace {

class array_program final : public random_program {
 public:
  explicit array_program(program p) : program_(std::move(p)) {}

  [[nodiscard]] std::optional<failure> run() const override { return run_program(program_); }
  [[nodiscard]] std::string print(const std::optional<failure>& wrong) const override {
    return as_python(program_, wrong);
  }
  [[nodiscard]] std::unique_ptr<random_program> smaller(const predicate& fails,
                                                        std::chrono::seconds limit) const override {
    reducer<program> search(
        program_, [&](program& p) { return is_valid(p) && fails(array_program(p)); }, limit);
    shrink(search);
    return std::make_unique<array_program>(search.take());
  }

 private:
  program program_;
};

}  // namespace

nd_subject::nd_subject() {
  if (const char* chosen = std::getenv("TESSERA_CXX")) compiler_ = chosen;
  setenv("TESSERA_CXX", "none", 1);
}

std::string_view nd_subject::about() const {
  return "Runs random programs on arrays and compares what they read with a plain interpreter of NumPy's semantics. "
         "Kernels are\nevaluated; with --compiled they are compiled, with --cuda for logical devices of the first GPU.";
}

std::unique_ptr<random_program> nd_subject::draw(std::uint64_t seed, std::uint64_t index) const {
  return std::make_unique<array_program>(generate(seed, index, wanted_));
}

void nd_subject::compile() {
  wanted_.is_compiled = true;
  setenv("TESSERA_CXX", compiler_.c_str(), 1);
}

std::vector<option> nd_subject::options() {
  return {{"--memory", "", [this](std::uint64_t) { wanted_.is_short_of_memory = true; }},
          {"--compiled", "", [this](std::uint64_t) { compile(); }},
          {"--cuda", "", [this](std::uint64_t) {
             compile();
             wanted_.kind = "cuda:0";
           }}};
}

}  // namespace tessera::fuzz
