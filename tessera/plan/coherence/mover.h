#pragma once

#include <map>
#include <span>
#include <vector>

#include "tessera/plan/coherence/instruction_writer.h"
#include "tessera/plan/coherence/message_batch.h"
#include "tessera/plan/coherence/sources.h"

namespace tessera::plan {

/// Emits what brings current contents to where they are wanted, for one task (section D). Ranks must agree on it: both
/// sides of a message compute the same region from what they know, and canonical regions make its boxes equal.
class mover {
 public:
  mover(plan_state& state, instruction_writer& writer)
      : writer_(writer), crossings_(state.crossings), promises_(state.promises), search_(state.search) {}

  /// Brings what superblocks read of `bounds`, which do not overlap, to their ranks: sends what this rank owns and they
  /// do not have, receives what others own and this rank does not have.
  void exchange(array_id id, const partition_ptr& readers, std::span<const box> bounds, message_batch& messages);

  /// What must be current in the copy on a device of this rank.
  struct need {
    array_id array;
    int device = 0;
    const region* area = nullptr;
  };
  /// Makes it current from what is on this rank after an exchange: fills and local copies. Returns what has no contents
  /// at all.
  std::vector<box> pull(const need& wanted);

  /// A part of an array that concerns all ranks alike.
  struct common_need {
    array_id array;
    const region* area = nullptr;
  };
  /// Brings to this rank what all ranks want and not all of them have, through local device `device`; collective.
  void spread(std::span<const common_need> wanted, int device);

  /// Brings up to date the copies that the distributions of arrays promise of what was just written; collective.
  void keep_promises(std::span<const common_need> written);

  /// Makes `area` current where it is at home, on all ranks. Returns what has no contents on this one, and which part
  /// is at home on which device.
  std::map<int, region> bring_home(array_id id, const region& area, std::vector<box>* nothing = nullptr);

  /// Gives an array of one element what is at one element of another one now, on every rank. False if nothing is.
  bool keep_value(const snapshot_task& value);

  /// Copies what `found` lists of an array into `target`, moved by `shift`, but for what is on other ranks. Appends the
  /// ids of the instructions to `emitted`, if given.
  void fetch(array_id id, sources&& found, copy_ref target, const extents& shift,
             std::vector<instruction_id>* emitted = nullptr);

  /// Adds where `missing` of an array is, as seen from local memory `memory`.
  void find_sources(array_id id, const box& missing, int memory, sources& found) {
    search_.find(machine(), writer_.array(id), missing, memory, found);
  }

  [[nodiscard]] instruction_writer& writer() { return writer_; }

 private:
  void exchange(array_id id, const crossings& all, message_batch& messages);
  void exchange_promised(std::span<const common_need> written);
  [[nodiscard]] std::vector<box> not_yet_sent(array_state& a, const crossing& c) const;
  [[nodiscard]] std::vector<box> not_yet_here(const array_state& a, const crossing& c,
                                              std::vector<box>& requested) const;
  [[nodiscard]] const local_machine& machine() const { return writer_.machine(); }

  instruction_writer& writer_;
  crossing_cache& crossings_;
  promised_parts& promises_;
  source_search& search_;
};

}  // namespace tessera::plan
