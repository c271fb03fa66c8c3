#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "tessera/plan/access/bound_accesses.h"

namespace tessera::runtime {

/// Remembers the accesses of the last launches of one kernel together with those to variables of its file, so that a
/// loop pays for them once. Thread-safe.
class variable_accesses {
 public:
  using accesses_ptr = std::shared_ptr<const plan::bound_accesses>;

  /// `own` with the variables `used`: what `make()` gives.
  template <class Make>
  accesses_ptr find(const accesses_ptr& own, const std::vector<std::size_t>& used, Make make) {
    {
      const std::lock_guard lock(mutex_);
      for (const entry& e : recent_)
        if (e.used == used && (e.own == own || (e.own->hash == own->hash && e.own->code == own->code))) return e.all;
    }
    accesses_ptr made = make();
    const std::lock_guard lock(mutex_);
    if (recent_.size() == most) recent_.erase(recent_.begin());
    recent_.push_back({own, used, made});
    return made;
  }

 private:
  static constexpr std::size_t most = 16;
  struct entry {
    accesses_ptr own;
    std::vector<std::size_t> used;
    accesses_ptr all;
  };

  std::mutex mutex_;
  std::vector<entry> recent_;
};

}  // namespace tessera::runtime
