#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tessera/base/text.h"
#include "tests/fuzz/frame/command_line.h"
#include "tests/fuzz/frame/random.h"
#include "tests/fuzz/frame/reducer.h"
#include "tests/fuzz/frame/watchdog.h"

// A fuzzer as small as it can be: programs on a list of numbers, against a list that is right by its form.

namespace tessera::fuzz {
namespace {

struct list_op {
  enum class kind : std::uint8_t { push, drop, reverse, hang, crash } action = kind::push;
  std::int64_t value = 0;  ///< Of a push.
};
using list_ops = std::vector<list_op>;

/// What is wrong with the list under test.
enum class defect : std::uint8_t { none, reverse_swaps_one_pair };

std::vector<std::int64_t> expected_list(const list_ops& operations) {
  std::vector<std::int64_t> list;
  for (const list_op& o : operations) {
    if (o.action == list_op::kind::push) list.push_back(o.value);
    if (o.action == list_op::kind::drop && !list.empty()) list.pop_back();
    if (o.action == list_op::kind::reverse) list = {list.rbegin(), list.rend()};
  }
  return list;
}

std::vector<std::int64_t> tested_list(const list_ops& operations, defect planted) {
  std::vector<std::int64_t> list;
  for (const list_op& o : operations) {
    if (o.action == list_op::kind::push) list.push_back(o.value);
    if (o.action == list_op::kind::drop) list.resize(list.empty() ? 0 : list.size() - 1);
    if (o.action == list_op::kind::reverse && planted == defect::none) std::reverse(list.begin(), list.end());
    if (o.action == list_op::kind::reverse && planted != defect::none && !list.empty())
      std::swap(list.front(), list.back());
    if (o.action == list_op::kind::hang) std::this_thread::sleep_for(std::chrono::hours(1));
    if (o.action == list_op::kind::crash) std::raise(SIGSEGV);
  }
  return list;
}

class list_program final : public random_program {
 public:
  list_program(list_ops operations, defect planted) : operations_(std::move(operations)), planted_(planted) {}

  [[nodiscard]] const list_ops& operations() const { return operations_; }

  [[nodiscard]] std::optional<failure> run() const override {
    const auto want = expected_list(operations_), got = tested_list(operations_, planted_);
    const auto [w, g] = std::mismatch(want.begin(), want.end(), got.begin(), got.end());
    if (w == want.end() && g == got.end()) return std::nullopt;
    return failure{"the list is wrong", operations_.size() - 1, w - want.begin()};
  }

  [[nodiscard]] std::string print(const std::optional<failure>& wrong) const override {
    std::string text;
    for (const list_op& o : operations_)
      text += o.action == list_op::kind::push      ? cat("list.push(", o.value, ");\n")
              : o.action == list_op::kind::drop    ? "list.drop();\n"
              : o.action == list_op::kind::reverse ? "list.reverse();\n"
                                                   : "// does not end well\n";
    if (wrong)
      text +=
          cat("check(list[", wrong->element, "] == ", expected_list(operations_).at(std::size_t(wrong->element)), ");");
    return text;
  }

  [[nodiscard]] std::unique_ptr<random_program> smaller(const predicate& fails,
                                                        std::chrono::seconds limit) const override {
    reducer<list_ops> search(
        operations_, [&](list_ops& candidate) { return fails(list_program(candidate, planted_)); }, limit);
    search.repeat([&] {
      bool any = search.drop_runs([](list_ops & all) -> auto& { return all; });
      for (std::size_t i = 0; i < search.best().size(); ++i)
        any = search.lower(
                  [i](list_ops & all) -> auto& { return all[i].value; }, 0) ||
              any;
      return any;
    });
    return std::make_unique<list_program>(search.take(), planted_);
  }

 private:
  list_ops operations_;
  defect planted_;
};

class list_subject final : public subject {
 public:
  explicit list_subject(defect planted = defect::none) : planted_(planted) {}

  [[nodiscard]] std::string_view name() const override { return "list_fuzz"; }
  [[nodiscard]] std::string_view about() const override { return "Runs random programs on a list."; }

  [[nodiscard]] std::unique_ptr<random_program> draw(std::uint64_t seed, std::uint64_t index) const override {
    ++drawn[index % drawn.size()];
    random_source random = random_source::of_program(seed, index);
    list_ops operations;
    for (std::int64_t n = random.in(1, 30); n > 0; --n)
      operations.push_back({static_cast<list_op::kind>(random.weighted({6, 2, 2})), random.in(0, 1000)});
    if (index == bad_index) operations.push_back({bad_action, 0});
    return std::make_unique<list_program>(std::move(operations), planted_);
  }
  [[nodiscard]] std::vector<option> options() override {
    return {{"--length", "N", [this](std::uint64_t n) { length = n; }}};
  }
  void prepare_soak() override { soaks = true; }

  std::uint64_t length = 0;
  bool soaks = false;
  std::uint64_t bad_index = ~std::uint64_t{0};
  list_op::kind bad_action = list_op::kind::hang;
  mutable std::array<std::atomic<int>, 64> drawn{};

 private:
  defect planted_;
};

struct ended_process {
  std::string output;
  int status = 0;
};

/// Runs a fuzzer with these words in a process of its own.
ended_process run_alone(subject& tested, std::vector<const char*> words) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  std::fflush(stdout);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int from : {STDOUT_FILENO, STDERR_FILENO}) dup2(ends[1], from);
    words.insert(words.begin(), "list_fuzz");
    const int status = run_fuzzer(static_cast<int>(words.size()), const_cast<char**>(words.data()), tested);
    std::fflush(stdout);
    _exit(status);
  }
  close(ends[1]);
  ended_process result;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    result.output.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(child, &result.status, 0);
  return result;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

int exit_code(const ended_process& p) { return WIFEXITED(p.status) ? WEXITSTATUS(p.status) : -1; }

}  // namespace

TEST_CASE("a program is a function of seed and number, in any frame") {
  const list_subject subject;
  const auto text = [&](std::uint64_t seed, std::uint64_t index) { return subject.draw(seed, index)->print({}); };
  CHECK(text(1, 2) == text(1, 2));
  CHECK(text(1, 2) != text(2, 1));
  CHECK(text(1, 2) != text(1, 3));
  CHECK(text(1, 2) != text(1 + (std::uint64_t{1} << 32), 2));
}

TEST_CASE("a planted wrong operation is found, shrunk to the smallest program and printed") {
  list_subject subject(defect::reverse_swaps_one_pair);
  const ended_process ended = run_alone(subject, {"--programs", "200", "--seed", "1", "--jobs", "1", "--stop"});
  CHECK(exit_code(ended) == 1);
  CHECK(contains(ended.output, "of seed 1 failed at operation "));
  CHECK(contains(ended.output, ": the list is wrong\n"));
  CHECK(contains(ended.output, " passed, 1 failed\n"));
  // Four elements, the middle two different: fewer or smaller ones come out right.
  const std::string head = "list.push(0);\n", tail = "list.push(0);\nlist.reverse();\ncheck(list[1] == ";
  const bool rising = contains(ended.output, "\n" + head + "list.push(0);\nlist.push(1);\n" + tail + "1);\n");
  const bool falling = contains(ended.output, "\n" + head + "list.push(1);\nlist.push(0);\n" + tail + "0);\n");
  INFO(ended.output);
  CHECK((rising || falling));
}

TEST_CASE("programs without a defect pass, each is run once by some job, and the numbers begin at the first") {
  list_subject subject;
  campaign_options options;
  options.programs = 40, options.first = 10, options.jobs = 4, options.silent = true;
  const campaign_result result = run_campaign(subject, options);
  CHECK(result.passed == 40);
  CHECK(result.failed == 0);
  for (std::size_t i = 0; i < subject.drawn.size(); ++i) CHECK(subject.drawn[i] == (i >= 10 && i < 50 ? 1 : 0));
}

TEST_CASE("all failures are counted, and the campaign ends with the first one if it shall") {
  list_subject subject(defect::reverse_swaps_one_pair);
  campaign_options options;
  options.programs = 50, options.jobs = 1, options.silent = true, options.shrink = false;
  const campaign_result all = run_campaign(subject, options);
  CHECK(all.failed > 1);
  CHECK(all.passed + all.failed == 50);
  options.stop = true;
  CHECK(run_campaign(subject, options).failed == 1);
}

TEST_CASE("a program that hangs is named and printed, and ends the process") {
  list_subject subject;
  subject.bad_index = 5;
  const ended_process ended = run_alone(subject, {"--programs", "8", "--seed", "3", "--jobs", "1", "--hang", "1"});
  CHECK(WIFSIGNALED(ended.status));
  CHECK(contains(ended.output, "program 5 of seed 3 hangs\n"));
  CHECK(contains(ended.output, subject.draw(3, 5)->print({})));
}

TEST_CASE("a program that crashes is named") {
  if (!watchdog::names_crashes) return;
  list_subject subject;
  subject.bad_index = 6;
  subject.bad_action = list_op::kind::crash;
  const ended_process ended = run_alone(subject, {"--programs", "8", "--seed", "3", "--jobs", "1"});
  CHECK(WIFSIGNALED(ended.status));
  CHECK(contains(ended.output, "program 6 may have crashed\n"));
  CHECK_FALSE(contains(ended.output, "program 5 may have crashed\n"));
}

TEST_CASE("a soak that is too short to tell fails, and prints what the process held") {
  list_subject subject;
  const ended_process ended = run_alone(subject, {"--soak", "0", "--programs", "1"});
  CHECK(exit_code(ended) == 1);
  CHECK(contains(ended.output, "resident KiB"));
}

TEST_CASE("the command line sets the options of every fuzzer and those of the subject") {
  list_subject subject;
  const std::array words{"--programs", "7", "--length", "12", "--no-shrink", "--show", "4"};
  const command parsed = parse_command_line(words, subject);
  CHECK(parsed.campaign.programs == 7);
  CHECK_FALSE(parsed.campaign.shrink);
  CHECK(parsed.show == 4);
  CHECK(subject.length == 12);
  CHECK_FALSE(subject.soaks);
  const std::array soak{"--soak", "60"};
  CHECK(parse_command_line(soak, subject).campaign.soak);
  CHECK(subject.soaks);
}

TEST_CASE("a command line that makes no sense ends with 2, --help and --show with 0") {
  list_subject subject;
  const ended_process unknown = run_alone(subject, {"--sed", "1"}), missing = run_alone(subject, {"--seed"});
  CHECK(exit_code(unknown) == 2);
  CHECK(contains(unknown.output, "unknown option '--sed'\n"));
  CHECK(exit_code(missing) == 2);
  CHECK(contains(missing.output, "--seed takes a number\n"));
  const ended_process help = run_alone(subject, {"--help"}), shown = run_alone(subject, {"--seed", "9", "--show", "2"});
  CHECK(exit_code(help) == 0);
  CHECK(contains(help.output, "list_fuzz --programs N --seed S [--length N] [--first K]"));
  CHECK(exit_code(shown) == 0);
  CHECK(shown.output == subject.draw(9, 2)->print({}));
}

TEST_CASE("a search for smaller programs keeps what the failure needs and repairs, and ends in time") {
  using numbers = std::vector<std::int64_t>;
  const auto fails = [](numbers& p) {
    for (std::int64_t& n : p) n += n % 2;  // repaired: only even numbers are programs
    return std::count_if(p.begin(), p.end(), [](std::int64_t n) { return n >= 6; }) >= 2;
  };
  const numbers start{4, 100, 2, 8, 64, 6};
  const auto reduced = [&](std::chrono::seconds limit) {
    reducer<numbers> search(start, fails, limit);
    search.repeat([&] {
      bool any = search.drop_runs([](numbers & p) -> auto& { return p; });
      for (std::size_t i = 0; i < search.best().size(); ++i)
        any = search.lower(
                  [i](numbers & p) -> auto& { return p[i]; }, 0) ||
              any;
      return any;
    });
    return search.take();
  };
  CHECK(reduced(std::chrono::hours(1)) == numbers{8, 8});  // 7 is repaired to 8 again, which is no progress
  CHECK(reduced(std::chrono::seconds(-1)) == start);
}

}  // namespace tessera::fuzz
