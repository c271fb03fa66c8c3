#pragma once

#include <cstdint>
#include <utility>

#include "tessera/array/value.h"
#include "tessera/base/call_site.h"

namespace tessera {

/// How many elements an algorithm keeps, or drops, which devices find out. It converts to a number: that waits, the
/// first time, for the launches that count, unless the number is known already. Copies share it.
class counted_size {
 public:
  counted_size() = default;
  explicit counted_size(std::int64_t known) : known_(known) {}
  /// Those that have been counted.
  explicit counted_size(value<std::int64_t> counted) : counted_(std::move(counted)), sign_(1) {}

  [[nodiscard]] std::int64_t get(call_site here = call_site::current()) const {
    return sign_ == 0 ? known_ : known_ + sign_ * counted_.get(here);
  }
  operator std::int64_t() const { return get({}); }  // NOLINT: calls that return one are used as numbers
  /// True if `get()` may wait.
  [[nodiscard]] bool is_open() const { return sign_ != 0; }
  /// `all` less this many.
  [[nodiscard]] counted_size taken_from(std::int64_t all) const {
    counted_size others = *this;
    others.known_ = all - known_;
    others.sign_ = -sign_;
    return others;
  }

 private:
  std::int64_t known_ = 0;
  value<std::int64_t> counted_{};
  int sign_ = 0;  // of what is counted; 0: nothing is
};

/// Algorithms with two outputs return pairs of them.
[[nodiscard]] inline bool operator==(const std::pair<counted_size, counted_size>& a,
                                     const std::pair<std::int64_t, std::int64_t>& b) {
  return a.first == b.first && a.second == b.second;
}

}  // namespace tessera
