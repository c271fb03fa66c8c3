#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

namespace tessera::fuzz {

/// Searches for a smaller program that still fails. `Program` is any value; what can be left out or made simpler is
/// told by the caller, one change at a time; every change that keeps the failure is kept. Used by one thread.
template <class Program>
class reducer {
 public:
  using clock = std::chrono::steady_clock;
  /// Whether a candidate still fails. May first repair what a change broke in it; the repaired candidate is kept.
  using predicate = std::function<bool(Program&)>;

  /// `first` fails. Once `limit` has passed, no more candidates are tried.
  reducer(Program first, predicate fails, clock::duration limit)
      : best_(std::move(first)), fails_(std::move(fails)), end_(clock::now() + limit) {}

  /// The smallest program so far.
  [[nodiscard]] const Program& best() const { return best_; }
  [[nodiscard]] Program take() { return std::move(best_); }

  /// Calls pass(), which says whether it made the program smaller, until it does not any more or time is over.
  template <class Pass>
  void repeat(Pass pass) {
    while (!late() && pass()) {
    }
  }

  /// Applies change(program) to a copy and keeps it if it still fails. A change that returns false changed nothing.
  template <class Change>
  bool attempt_change(Change change) {
    if (late()) return false;
    Program candidate = best_;
    if (!change(candidate) || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }

  /// Leaves out runs of the sequence list(program), long ones first, from the end to the beginning.
  template <class List>
  bool drop_runs(List list) {
    bool any = false;
    for (std::size_t length = std::max<std::size_t>(list(best_).size() / 2, 1); length > 0; length /= 2)
      for (std::size_t end = list(best_).size(); end >= length && end > 0;) {
        const std::size_t begin = end - length;
        const bool gone = attempt_change([&](Program& p) {
          auto& items = list(p);
          items.erase(items.begin() + static_cast<std::ptrdiff_t>(begin),
                      items.begin() + static_cast<std::ptrdiff_t>(end));
          return true;
        });
        any = any || gone;
        end = std::min(begin, list(best_).size());
      }
    return any;
  }

  /// Halves the number at(program), or takes 1 from it, as long as it stays above or at `least` and the failure stays.
  template <class Reference>
  bool lower(Reference at, std::int64_t least) {
    const auto number = [&] { return static_cast<std::int64_t>(at(best_)); };
    // A repaired candidate may be as large as before: that is no progress.
    const auto to = [&](std::int64_t value) {
      const std::int64_t before = number();
      return value >= least && attempt_change([&](Program& p) {
               auto& target = at(p);
               target = static_cast<std::decay_t<decltype(target)>>(value);
               return value < before;
             }) &&
             number() < before;
    };
    bool any = false;
    while (number() > least && (to(number() / 2) || to(number() - 1))) any = true;
    return any;
  }

 private:
  [[nodiscard]] bool late() const { return clock::now() > end_; }

  Program best_;
  predicate fails_;
  clock::time_point end_;
};

}  // namespace tessera::fuzz
