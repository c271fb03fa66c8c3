#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tessera/plan/coherence/mover.h"
#include "tessera/plan/combine/combination.h"

namespace tessera::plan {

/// Plans one launch on one rank: contents in, the launches themselves, private results out, and copies that were
/// promised of what is new.
class launch_planner {
 public:
  launch_planner(mover& contents, std::shared_ptr<const launch_task> launch);
  void run();

 private:
  /// A private result of this launch on one local device.
  struct partial {
    int device = 0;
    array_id array;   ///< A temporary, or the array itself if the launch works in place.
    region declared;  ///< What the superblocks that share it declare.
  };
  struct slot_state {
    array_id array;
    bool in_place = false;          ///< Combined directly into the array: there is one superblock.
    std::vector<partial> partials;  ///< If the slot is combined.
  };

  /// Which partial a local superblock works on: its device's, or its own if results are combined in order.
  [[nodiscard]] std::size_t partial_of(std::size_t part) const {
    return plan_->in_order ? part : static_cast<std::size_t>(plan_->local[part].device);
  }

  void place_single();
  void bring_in();
  void exchange();
  void prepare_results();
  void emit_launches();
  /// Launches some blocks of a local superblock, which declare `footprints`.
  void emit_piece(std::size_t part, const box& granules, const std::vector<footprint>& footprints,
                  std::int64_t workspace);
  void make_partials(std::size_t slot, const combining_rule& rule);
  void deliver_results();
  void keep_promises();
  [[nodiscard]] combining_rule rule_of(int slot) const;

  mover& contents_;
  instruction_writer& writer_;
  const local_machine& machine_;
  std::shared_ptr<const launch_task> launch_;
  std::shared_ptr<const split_plan> plan_;
  bool check_uninitialised_;
  std::vector<slot_state> slots_;
  std::vector<std::string> rejections_;  // per local superblock, empty if fine
};

}  // namespace tessera::plan
