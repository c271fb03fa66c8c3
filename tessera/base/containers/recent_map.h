#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <optional>
#include <utility>

namespace tessera {

/// Values by key, of which the `most` used last are kept. Not thread-safe.
template <class Key, class Value>
class recent_map {
 public:
  explicit recent_map(std::size_t most) : most_(most) {}

  /// The value of `key`, or null. Counts as a use of it. Valid until the next `insert`.
  [[nodiscard]] Value* find(const Key& key) {
    const auto found = index_.find(key);
    if (found == index_.end()) return nullptr;
    if (found->second != order_.begin()) order_.splice(order_.begin(), order_, found->second);
    return &found->second->second;
  }

  /// Adds a value under a key that has none. Gives the value that had to go for it, if one had to: the caller chooses
  /// where it is destroyed.
  [[nodiscard]] std::optional<Value> insert(const Key& key, Value value) {
    order_.emplace_front(key, std::move(value));
    index_.emplace(key, order_.begin());
    if (order_.size() <= most_) return std::nullopt;
    index_.erase(order_.back().first);
    std::optional<Value> gone(std::move(order_.back().second));
    order_.pop_back();
    return gone;
  }

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  /// Calls `use(key, value)` for all, the one used last first.
  template <class Use>
  void for_each(Use use) const {
    for (const auto& [key, value] : order_) use(key, value);
  }

 private:
  using entries = std::list<std::pair<Key, Value>>;

  const std::size_t most_;
  entries order_;  // last used first
  std::map<Key, typename entries::iterator> index_;
};

}  // namespace tessera
