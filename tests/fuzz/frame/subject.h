#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A differential fuzzer apart from its programs. A front end derives `random_program` and `subject` and calls
/// `run_fuzzer` (command_line.h): drawing in numbered order, running many programs at a time, naming what hangs or
/// crashes, shrinking, reporting and the command line are here.
namespace tessera::fuzz {

/// Where a run gave something else than the reference.
struct failure {
  std::string message;
  std::size_t operation = 0;
  std::int64_t element = -1;  ///< Of the operation's result: the first wrong one; -1: something else went wrong.
};

/// One random program, drawn whole before anything runs, with the results that the reference gives. Does not change;
/// its functions may be called by several threads.
class random_program {
 public:
  using predicate = std::function<bool(const random_program&)>;

  virtual ~random_program() = default;

  /// Runs the program and compares it with the reference. A program whose result is not determined is a failure of
  /// its generator.
  [[nodiscard]] virtual std::optional<failure> run() const = 0;

  /// The program as source text that stands alone. With a failure it checks what was wrong, otherwise all results.
  [[nodiscard]] virtual std::string print(const std::optional<failure>& wrong) const = 0;

  /// The smallest program found within `limit` for which `fails` holds, as it does for this one; `reducer` (reducer.h)
  /// does the search. `fails` is asked only about programs whose result is determined.
  [[nodiscard]] virtual std::unique_ptr<random_program> smaller(const predicate& fails,
                                                                std::chrono::seconds limit) const = 0;
};

/// An option that a subject adds to the command line: `--name`, or `--name NUMBER` where `value` names the number.
struct option {
  std::string name;
  std::string value;
  std::function<void(std::uint64_t)> set;  ///< Gets 0 where there is no number.
};

/// What is fuzzed: a numbered sequence of programs per seed.
class subject {
 public:
  virtual ~subject() = default;

  /// Of the program on the command line.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// What it does, in one or two sentences for its usage text.
  [[nodiscard]] virtual std::string_view about() const = 0;

  /// Program `index` of `seed`: the same on every machine and in every process. Called by several threads at a time,
  /// after all options were set.
  [[nodiscard]] virtual std::unique_ptr<random_program> draw(std::uint64_t seed, std::uint64_t index) const = 0;

  /// Options of its own. They are set before the first draw and live as long as the subject.
  [[nodiscard]] virtual std::vector<option> options() { return {}; }
  /// Draws from now on what a soak wants: programs that use as much of what could leak as they can.
  virtual void prepare_soak() {}
};

}  // namespace tessera::fuzz
