#include "tests/fuzz/frame/campaign.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tessera/device/host/launcher.h"
#include "tests/fuzz/frame/soak.h"
#include "tests/fuzz/frame/watchdog.h"

namespace tessera::fuzz {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds shrink_limit(30);

class campaign {
 public:
  campaign(const subject& tested, const campaign_options& options)
      : subject_(tested),
        options_(options),
        next_(options.first),
        guard_(options.seed, std::chrono::seconds(options.hang_seconds)),
        begin_(clock::now()) {
    if (options.soak) growth_.emplace(std::chrono::seconds(options.seconds));
  }

  campaign_result run() {
    if (!options_.silent)
      std::printf("seed %llu, programs %llu to %llu\n", number(options_.seed), number(options_.first),
                  number(options_.first + options_.programs));
    std::fflush(stdout);
    std::vector<std::thread> workers;
    for (int j = 0; j < jobs(); ++j) workers.emplace_back([this] { work(); });
    for (std::thread& w : workers) w.join();
    if (growth_ && !growth_->report()) ++result_.failed;
    const double spent = std::chrono::duration<double>(clock::now() - begin_).count();
    const auto all = static_cast<double>(result_.passed + result_.failed);
    if (!options_.silent)
      std::printf("%.1f s, %.2f ms per program\n%llu passed, %llu failed\n", spent, all > 0 ? spent * 1000 / all : 0.0,
                  number(result_.passed), number(result_.failed));
    std::fflush(stdout);
    return result_;
  }

 private:
  static unsigned long long number(std::uint64_t n) { return n; }

  [[nodiscard]] int jobs() const {
    if (options_.soak) return 1;
    return options_.jobs > 0 ? options_.jobs : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  }

  void work() {
    while (true) {
      const std::uint64_t index = next_++;
      if (index >= options_.first + options_.programs) return;
      if (options_.stop && stopped_) return;
      if (options_.seconds > 0 && clock::now() - begin_ > std::chrono::seconds(options_.seconds)) return;
      run_one(index);
      if (growth_) growth_->between_programs();
    }
  }

  std::optional<failure> watched_run(const random_program& p, std::uint64_t index) {
    const watchdog::watch watch(guard_, index, p);
    return p.run();
  }

  void run_one(std::uint64_t index) {
    const std::unique_ptr<random_program> p = subject_.draw(options_.seed, index);
    const std::optional<failure> wrong = watched_run(*p, index);
    const std::lock_guard lock(mutex_);
    ++(wrong ? result_.failed : result_.passed);
    if (wrong) stopped_ = true;
    if (wrong) report(*p, index, *wrong);
    const std::uint64_t done = result_.passed + result_.failed;
    constexpr std::uint64_t often = 1000;
    if (done % often == 0 && !options_.silent)
      std::printf("%llu programs, %llu failed\n", number(done), number(result_.failed));
    std::fflush(stdout);
  }

  void report(const random_program& p, std::uint64_t index, const failure& wrong) {
    std::printf("program %llu of seed %llu failed at operation %zu: %s\n", number(index), number(options_.seed),
                wrong.operation, wrong.message.c_str());
    std::fflush(stdout);
    if (this_process().ranks > 1) std::_Exit(1);
    if (result_.failed > 1 || !options_.shrink) return;
    failure last = wrong;
    const auto fails = [&](const random_program& candidate) {
      constexpr int tries = 3;  // what depends on timing does not show every time
      for (int n = 0; n < tries; ++n)
        if (const auto f = watched_run(candidate, index)) return last = *f, true;
      return false;
    };
    const std::unique_ptr<random_program> small = p.smaller(fails, shrink_limit);
    std::printf("%s\n", small->print(last).c_str());
    std::fflush(stdout);
  }

  const subject& subject_;
  const campaign_options& options_;
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> stopped_{false};
  watchdog guard_;
  clock::time_point begin_;
  std::optional<soak> growth_;
  std::mutex mutex_;
  campaign_result result_;
};

}  // namespace

campaign_result run_campaign(const subject& tested, const campaign_options& options) {
  if (this_process().ranks == 1) return campaign(tested, options).run();
  campaign_options together = options;
  together.jobs = 1;
  together.seconds = 0;  // the clocks of the ranks would not agree on the last program
  together.shrink = false;
  together.stop = true;
  together.silent = this_process().local_rank > 0;
  return campaign(tested, together).run();
}

}  // namespace tessera::fuzz
