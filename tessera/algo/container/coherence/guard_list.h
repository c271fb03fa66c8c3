#pragma once

#include <cstdint>
#include <vector>

#include "tessera/algo/container/access.h"
#include "tessera/base/call_site.h"
#include "tessera/base/geometry/box.h"

namespace tessera::algo {

/// Which boxes of a container the program holds as spans of host memory.
class guard_list {
 public:
  struct guard {
    std::uint64_t ticket = 0;
    access mode = access::read;
    box part;
    call_site site;
    bool apart = false;  ///< Its elements are not in the window.
  };

  /// Throws `argument_error` with both lines if a span that is held and the access to `part` exclude each other: one of
  /// them writes. `call`: the noun of the access.
  void refuse(access mode, const box& part, const char* call, call_site here) const;
  /// Throws `argument_error` if anything is held at all.
  void refuse_all(const char* call, call_site here) const;

  std::uint64_t add(guard made);
  guard remove(std::uint64_t ticket);
  [[nodiscard]] bool empty() const { return guards_.empty(); }
  /// True if elements may be elsewhere than in the window.
  [[nodiscard]] bool any_apart() const;

 private:
  std::vector<guard> guards_;
  std::uint64_t last_ = 0;
};

}  // namespace tessera::algo
