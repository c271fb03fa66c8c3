#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace tessera::memory {

/// The positions in the instruction stream at which a page will be used, as far as they are known.
class use_times {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  /// An instruction to come will use the page. Positions ascend.
  void expect(std::uint64_t position) {
    if (times_.size() == first_ || times_.back() != position) times_.push_back(position);
  }
  /// The stream has come to `position`, which uses the page.
  void reach(std::uint64_t position) {
    while (first_ < times_.size() && times_[first_] <= position) ++first_;
    if (first_ == times_.size()) times_.clear(), first_ = 0;
    if (last_ != 0 && position > last_) interval_ = position - last_;
    last_ = position;
  }
  /// The next use; beyond what is known, as far away again as the last two uses were from each other; of two pages
  /// that were used but once, the one that was used longer ago is taken to be used later.
  [[nodiscard]] std::uint64_t next(std::uint64_t now) const {
    if (first_ < times_.size()) return times_[first_];
    constexpr std::uint64_t far = std::uint64_t{1} << 62;
    return interval_ != 0 ? std::max(last_ + interval_, now + 1) : far + (now - std::min(now, last_));
  }

  /// The position that used it last; 0 if none did.
  [[nodiscard]] std::uint64_t last() const { return last_; }

 private:
  std::vector<std::uint64_t> times_;  // ascending; those before first_ have passed
  std::size_t first_ = 0;
  std::uint64_t last_ = 0, interval_ = 0;
};

}  // namespace tessera::memory
