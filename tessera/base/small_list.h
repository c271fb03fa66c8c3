#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace tessera {

/// A list that needs no memory of its own while it holds at most `N` items. For small trivially copyable items.
template <class T, std::size_t N>
class small_list {
 public:
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const T* begin() const { return size_ <= N ? few_.data() : many_.data(); }
  [[nodiscard]] const T* end() const { return begin() + size_; }

  void push_back(const T& value) {
    if (size_ < N) {
      few_[size_] = value;
    } else {
      if (size_ == N) many_.assign(few_.begin(), few_.end());
      many_.push_back(value);
    }
    ++size_;
  }

  /// Into its place in an ascending list.
  void insert_ascending(const T& value) {
    push_back(value);
    T* const first = size_ <= N ? few_.data() : many_.data();
    T* const last = first + size_ - 1;
    std::rotate(std::upper_bound(first, last, value), last, last + 1);
  }

  void clear() {
    many_.clear();
    size_ = 0;
  }

  template <class Predicate>
  void erase_if(Predicate drop) {
    if (size_ <= N) {
      size_ = static_cast<std::size_t>(std::remove_if(few_.begin(), few_.begin() + size_, drop) - few_.begin());
      return;
    }
    std::erase_if(many_, drop);
    size_ = many_.size();
    if (size_ > N) return;
    std::copy(many_.begin(), many_.end(), few_.begin());
    many_.clear();
  }

  bool operator==(const small_list& other) const {
    return size_ == other.size_ && std::equal(begin(), end(), other.begin());
  }

 private:
  std::size_t size_ = 0;
  std::array<T, N> few_{};
  std::vector<T> many_;  // all items, once there are more than N
};

}  // namespace tessera
