#include "tests/fuzz/run/campaign.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "tessera/device/host/launcher.h"
#include "tests/fuzz/generate/shrink.h"
#include "tests/fuzz/print/program.h"
#include "tests/fuzz/run/soak.h"
#include "tests/fuzz/run/watchdog.h"

namespace tessera::fuzz {
namespace {

using clock = std::chrono::steady_clock;

class campaign {
 public:
  explicit campaign(const campaign_options& how)
      : how_(how), next_(how.first), guard_(how.seed, std::chrono::seconds(how.hang_seconds)), begin_(clock::now()) {
    if (how.soak) growth_.emplace(std::chrono::seconds(how.seconds));
  }

  campaign_result run() {
    if (!how_.silent)
      std::printf("seed %llu, programs %llu to %llu\n", number(how_.seed), number(how_.first),
                  number(how_.first + how_.programs));
    std::fflush(stdout);
    const int jobs = how_.soak       ? 1
                     : how_.jobs > 0 ? how_.jobs
                                     : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<std::thread> workers;
    for (int j = 0; j < jobs; ++j) workers.emplace_back([this] { work(); });
    for (std::thread& w : workers) w.join();
    if (growth_ && !growth_->report()) ++result_.failed;
    const double spent = std::chrono::duration<double>(clock::now() - begin_).count();
    const auto all = static_cast<double>(result_.passed + result_.failed);
    if (!how_.silent)
      std::printf("%.1f s, %.2f ms per program\n%llu passed, %llu failed\n", spent, all > 0 ? spent * 1000 / all : 0.0,
                  number(result_.passed), number(result_.failed));
    std::fflush(stdout);
    return result_;
  }

 private:
  static unsigned long long number(std::uint64_t n) { return n; }

  void work() {
    while (true) {
      const std::uint64_t index = next_++;
      if (index >= how_.first + how_.programs) return;
      if (how_.stop && stopped_) return;
      if (how_.seconds > 0 && clock::now() - begin_ > std::chrono::seconds(how_.seconds)) return;
      run_one(index);
      if (growth_) growth_->between_programs();
    }
  }

  /// What is wrong with `p`, which must have a determined result.
  std::optional<failure> outcome_of(const program& p, std::uint64_t index) {
    const auto expected = expected_outcomes(p);
    if (!expected) return failure{"the generator made a program without a determined result", 0, -1};
    const watchdog::watch watch(guard_, index, p, *expected);
    return run_program(p, *expected);
  }

  void run_one(std::uint64_t index) {
    const program p = generate(how_.seed, index, how_.limits);
    const std::optional<failure> wrong = outcome_of(p, index);
    const std::lock_guard lock(mutex_);
    ++(wrong ? result_.failed : result_.passed);
    if (wrong) stopped_ = true;
    if (wrong) report(p, index, *wrong);
    const std::uint64_t done = result_.passed + result_.failed;
    constexpr std::uint64_t often = 1000;
    if (done % often == 0 && !how_.silent)
      std::printf("%llu programs, %llu failed\n", number(done), number(result_.failed));
    std::fflush(stdout);
  }

  void report(const program& p, std::uint64_t index, const failure& wrong) {
    std::printf("program %llu of seed %llu failed at operation %zu: %s\n", number(index), number(how_.seed),
                wrong.operation, wrong.message.c_str());
    std::fflush(stdout);
    if (this_process().ranks > 1) std::_Exit(1);
    if (result_.failed > 1 || !how_.shrink) return;
    failure last = wrong;
    const auto fails = [&](const program& candidate) {
      constexpr int tries = 3;  // what depends on timing does not show every time
      for (int n = 0; n < tries; ++n)
        if (const auto f = outcome_of(candidate, index)) return last = *f, true;
      return false;
    };
    const program small = shrink(p, fails);
    const auto expected = expected_outcomes(small);
    std::printf("%s\n", as_cpp(small, *expected, last).c_str());
    std::fflush(stdout);
  }

  const campaign_options& how_;
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> stopped_{false};
  watchdog guard_;
  clock::time_point begin_;
  std::optional<soak> growth_;
  std::mutex mutex_;
  campaign_result result_;
};

}  // namespace

campaign_result run_campaign(const campaign_options& how) {
  if (this_process().ranks == 1) return campaign(how).run();
  // All ranks run the same programs, one after the other. One that fails ends the job: the others cannot follow it.
  campaign_options together = how;
  together.limits.ranks = this_process().ranks;
  together.jobs = 1;
  together.seconds = 0;  // their clocks would not agree on the last program
  together.shrink = false;
  together.stop = true;
  together.silent = this_process().local_rank > 0;
  return campaign(together).run();
}

std::string show_program(const campaign_options& how, std::uint64_t index) {
  const program p = generate(how.seed, index, how.limits);
  const auto expected = expected_outcomes(p);
  return expected ? as_cpp(p, *expected, std::nullopt) : "// this program has no determined result\n";
}

}  // namespace tessera::fuzz
