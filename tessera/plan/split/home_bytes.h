#pragma once

#include <cstdint>
#include <vector>

#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// Bytes of many superblocks, which may read the same ones: more than 64 bits can count.
using byte_total = __int128;

/// What of a superblock's bytes is at home on one device.
struct home_share {
  int device = 0;
  byte_total bytes = 0;
};

/// Which devices are home to the bytes that decide where superblocks run: those of all arrays that the launch writes;
/// if it writes none, of all that it reads, except arrays of which all of several superblocks read the same; if the
/// split is to follow an array, those of that one alone. The grid must outlive it.
class home_bytes {
 public:
  explicit home_bytes(const launch_grid& grid);

  /// Each device that is home to bytes of `superblock` once, ascending. Valid until the next call.
  [[nodiscard]] const std::vector<home_share>& of(std::int64_t superblock);

  /// True if the user has named the devices of an array that counts.
  [[nodiscard]] bool names_devices() const;

  /// "write" or "read": what is counted.
  [[nodiscard]] const char* verb() const { return verb_; }

 private:
  struct counted {
    int slot;
    touch kind;
  };
  void count_all(touch kind, bool only_different);
  [[nodiscard]] bool all_read_alike(int slot) const;
  void add(int device, byte_total bytes);

  const launch_grid& grid_;
  std::vector<counted> counted_;
  const char* verb_ = "write";
  std::vector<box> boxes_;
  std::vector<home_share> shares_;
};

/// The slot of the array parameter that a launch's split is to follow, -1 if it follows none. Throws `argument_error`
/// for a parameter that is no array.
[[nodiscard]] int followed_slot(const launch_shape& shape);

}  // namespace tessera::plan
