#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>

namespace tessera {

/// Objects by key that others own, for as long as they do. Not thread-safe.
template <class Key, class T>
class weak_map {
 public:
  /// The object of `key`, or null if nothing owns it any more.
  [[nodiscard]] std::shared_ptr<T> find(const Key& key) const {
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second.lock();
  }

  void insert(const Key& key, const std::shared_ptr<T>& object) {
    if (objects_.size() >= sweep_at_) sweep();
    objects_[key] = object;
  }

  /// Places taken, also by objects that are gone: at most twice as many as there ever were objects at a time.
  [[nodiscard]] std::size_t size() const { return objects_.size(); }

 private:
  void sweep() {
    std::erase_if(objects_, [](const auto& o) { return o.second.expired(); });
    sweep_at_ = std::max<std::size_t>(64, 2 * objects_.size());
  }

  std::map<Key, std::weak_ptr<T>> objects_;
  std::size_t sweep_at_ = 64;
};

}  // namespace tessera
