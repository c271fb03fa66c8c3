#pragma once

#include <memory>
#include <string>

#include "tessera/base/dtype.h"
#include "tessera/plan/machine.h"
#include "tessera/plan/partition.h"

namespace tessera::plan {

/// The copies of an array that its distribution promises to keep up to date (rule C2): every device has its own parts
/// and what lies around them, or everything. As a partition: which device wants which elements; its pieces overlap, and
/// a piece's ordinal is its device.
class promised_copies final : public partition {
 public:
  /// The parts in `parts`, grown by `halo` on both sides of every axis of `shape`. Widths are not negative.
  promised_copies(partition_ptr parts, const extents& shape, const extents& halo);
  /// Everything on each of `devices` devices.
  promised_copies(const extents& shape, int devices);

  void pieces(const box& query, std::vector<piece>& out) const override;
  void pieces_of(int first, int last, const box& query, std::vector<piece>& out) const override;

  [[nodiscard]] bool everything() const { return parts_ == nullptr; }
  [[nodiscard]] const extents& halo() const { return halo_; }

 private:
  [[nodiscard]] box grown(box b) const;

  partition_ptr parts_;  // null: everything
  box whole_;
  extents halo_;
  int devices_ = 0;
};

using promised_ptr = std::shared_ptr<const promised_copies>;

/// The copies of such an array that are kept up to date on `machine`: those that its home promises; null if none, and
/// where copies of everything would take more than half of a device's memory. Equal on all ranks.
[[nodiscard]] promised_ptr kept_copies(const partition& home, const extents& shape, const dtype& type,
                                       const machine_table& machine);

/// What is done about the promise for array `name` behind a launch that writes it, in one line for `explain`; empty if
/// its home promises nothing.
[[nodiscard]] std::string promise_note(const std::string& name, const partition& home, const extents& shape,
                                       const dtype& type, const machine_table& machine);

}  // namespace tessera::plan
