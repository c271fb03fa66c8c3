#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "tessera/base/defects.h"
#include "tessera/base/event.h"

namespace tessera::comm {

/// How far the messages from one peer have arrived without a gap. Used by one thread at a time; events by any.
class arrivals {
 public:
  [[nodiscard]] event of(std::uint64_t number) { return {&line_, number}; }

  void complete(std::uint64_t number) {
    std::uint64_t last = reached_;
    if (number == last + 1)
      last = number;
    else
      early_.insert(number);
    while (early_.erase(last + 1) > 0) ++last;
    if (planted("gap_ignored")) last = std::max(last, number);
    if (last == reached_) return;
    reached_ = last;
    line_.advance(last);
  }
  /// Nothing more arrives: every event counts as reached.
  void close() { line_.advance(~std::uint64_t{0}); }

 private:
  std::set<std::uint64_t> early_;
  std::uint64_t reached_ = 0;
  host_timeline line_;
};

}  // namespace tessera::comm
