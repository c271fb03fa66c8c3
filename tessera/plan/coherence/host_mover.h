#pragma once

#include <vector>

#include "tessera/plan/coherence/mover.h"

namespace tessera::plan {

/// Emits what exchanges contents with host memory, of which no state is kept: instructions that use it are named.
class host_mover {
 public:
  explicit host_mover(mover& devices) : devices_(devices), writer_(devices.writer()) {}

  /// Brings contents to host memory; the ids of the last instructions on this rank, and what has no contents.
  std::vector<instruction_id> gather(const host_exchange& request, std::vector<box>& nothing);
  /// New contents from host memory, at home; the ids of the instructions that use it.
  std::vector<instruction_id> scatter(const host_exchange& request);

 private:
  std::vector<instruction_id> gather_everywhere(const host_exchange& request, std::vector<box>& nothing);
  std::vector<instruction_id> gather_on_one(const host_exchange& request, std::vector<box>& nothing);
  std::vector<instruction_id> gather_own(const host_exchange& request, std::vector<box>& nothing);
  std::vector<instruction_id> send_to_one(const host_exchange& request);
  [[nodiscard]] std::vector<box> own_boxes_of(const host_exchange& request);
  /// Copies between host memory, which holds `outer`, and the parts of it that are at home on devices of this rank.
  void copy_own(const host_exchange& request, array_id buffer, const box& outer, bool out,
                std::vector<instruction_id>& done);
  [[nodiscard]] const local_machine& machine() const { return writer_.machine(); }

  mover& devices_;
  instruction_writer& writer_;
};

}  // namespace tessera::plan
