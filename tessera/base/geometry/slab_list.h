#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace tessera {

/// Items on a line, each from its start to the start of the next. Kept in short runs, so that finding takes
/// logarithmic time and inserting moves a bounded number of items, while small lists stay in two allocations.
template <class Item>
class slab_list {
 public:
  /// A place in the list; insertions make all places invalid, removals those behind them.
  struct place {
    std::size_t run = 0;
    std::size_t index = 0;
  };

  [[nodiscard]] bool empty() const { return runs_.empty(); }
  [[nodiscard]] std::size_t size() const {
    std::size_t sum = 0;
    for (const run& r : runs_) sum += r.starts.size();
    return sum;
  }
  bool operator==(const slab_list& other) const {
    if (size() != other.size()) return false;
    place a = first(), b = other.first();
    for (; !at_end(a); a = next(a), b = other.next(b))
      if (start(a) != other.start(b) || !(item(a) == other.item(b))) return false;
    return true;
  }

  void push_back(std::int64_t at, Item value) {
    if (runs_.empty() || runs_.back().starts.size() == run_capacity) runs_.emplace_back().first = at;
    runs_.back().starts.push_back(at);
    runs_.back().items.push_back(std::move(value));
  }

  /// The item that covers `x`; requires one that starts at or before it.
  [[nodiscard]] place find(std::int64_t x) const {
    std::size_t r = 0;
    if (runs_.size() > 1) {
      const auto after = std::upper_bound(runs_.begin(), runs_.end(), x,
                                          [](std::int64_t at, const run& other) { return at < other.first; });
      r = static_cast<std::size_t>(after - runs_.begin()) - 1;
    }
    const std::vector<std::int64_t>& starts = runs_[r].starts;
    const auto after = std::upper_bound(starts.begin(), starts.end(), x);
    return {r, static_cast<std::size_t>(after - starts.begin()) - 1};
  }

  [[nodiscard]] place first() const { return {}; }
  [[nodiscard]] bool at_end(place p) const { return p.run == runs_.size(); }
  [[nodiscard]] place next(place p) const {
    if (++p.index < runs_[p.run].starts.size()) return p;
    return {p.run + 1, 0};
  }
  /// Requires a place that is not the first.
  [[nodiscard]] place previous(place p) const {
    if (p.index > 0) return {p.run, p.index - 1};
    return {p.run - 1, runs_[p.run - 1].starts.size() - 1};
  }
  [[nodiscard]] bool is_first(place p) const { return p.run == 0 && p.index == 0; }
  [[nodiscard]] std::int64_t start(place p) const { return runs_[p.run].starts[p.index]; }
  [[nodiscard]] Item& item(place p) { return runs_[p.run].items[p.index]; }
  [[nodiscard]] const Item& item(place p) const { return runs_[p.run].items[p.index]; }

  /// Puts `value`, from `at` on, behind `p`, and returns its place.
  place insert_after(place p, std::int64_t at, Item value) {
    run& r = runs_[p.run];
    const auto position = static_cast<std::ptrdiff_t>(p.index) + 1;
    r.starts.insert(r.starts.begin() + position, at);
    r.items.insert(r.items.begin() + position, std::move(value));
    ++p.index;
    if (r.starts.size() <= run_capacity) return p;
    halve(p.run);
    return p.index < run_capacity / 2 ? p : place{p.run + 1, p.index - run_capacity / 2};
  }

  void erase(place p) {
    run& r = runs_[p.run];
    r.starts.erase(r.starts.begin() + static_cast<std::ptrdiff_t>(p.index));
    r.items.erase(r.items.begin() + static_cast<std::ptrdiff_t>(p.index));
    if (r.starts.empty())
      runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(p.run));
    else
      r.first = r.starts.front();
  }

 private:
  static constexpr std::size_t run_capacity = 64;

  struct run {
    std::int64_t first = 0;  // of `starts`: a search among runs stays within one allocation
    std::vector<std::int64_t> starts;
    std::vector<Item> items;
  };

  void halve(std::size_t number) {
    run upper;
    run& r = runs_[number];
    constexpr auto half = static_cast<std::ptrdiff_t>(run_capacity / 2);
    upper.starts.assign(r.starts.begin() + half, r.starts.end());
    upper.first = upper.starts.front();
    upper.items.assign(std::make_move_iterator(r.items.begin() + half), std::make_move_iterator(r.items.end()));
    r.starts.erase(r.starts.begin() + half, r.starts.end());
    r.items.erase(r.items.begin() + half, r.items.end());
    runs_.insert(runs_.begin() + static_cast<std::ptrdiff_t>(number) + 1, std::move(upper));
  }

  std::vector<run> runs_;  // none is empty
};

}  // namespace tessera
