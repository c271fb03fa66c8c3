#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tessera/base/ids.h"
#include "tessera/plan/machine.h"
#include "tessera/plan/split/fit.h"
#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// A launch cut and placed: the commands of all ranks in a form that each rank expands for its own part only.
/// A pure function of the launch's shape and the machine, so it is made once for a launch that is repeated.
struct split_plan {
  std::shared_ptr<const launch_grid> grid;
  std::shared_ptr<const std::vector<int>> devices;  ///< Of each superblock, numbered through all ranks.

  /// What the launch does to one array as a whole.
  struct slot_summary {
    partition_ptr readers, writers, combiners;  ///< Null where the array is not touched so.
    region written;                             ///< All that some superblock writes.
    region combined;                            ///< All that gets new contents by combining.
    bool combined_in_part = false;              ///< Private results hold more than that: there are gaps between.
    box read_bounds;                            ///< Around all that some superblock reads.
    region read_by_all;                         ///< Read on every rank, if there are more than two.
  };
  std::vector<slot_summary> slots;

  /// This rank's superblocks, ascending, with what they declare.
  struct local_part {
    std::int64_t superblock = 0;
    int device = 0;  ///< Within this rank.
    box granules;
    std::vector<footprint> footprints;  ///< Per slot.
    std::vector<launch_piece> pieces;   ///< What is launched, in order; none: all of it.
    std::int64_t workspace = 0;         ///< Of all of it.
  };
  std::vector<local_part> local;

  std::vector<std::string> notes;  ///< Why it is cut and placed like this, for `explain`.

  /// It could be cut but is one superblock, whose device is decided here: it is small, or all of it is at home on one
  /// device. The planner places other launches of one superblock where most of their bytes are (rule A6).
  bool whole_by_choice = false;

  /// Results are combined in an order that depends on the launch alone (rule F3): superblocks are the same on every
  /// machine, each has private results of its own, and its blocks are combined in their order.
  bool in_order = false;
};

/// Cuts a launch and places its superblocks (rules A9, B3 to B5). Throws `argument_error` if the user's own split
/// makes two superblocks write, or one read what another writes, the same element, or cuts a launch declared as one
/// piece (rule A6); if an array is combined in two ways, or combined and written; and if floats are combined by atomics
/// where the same bits are wanted everywhere; and as `check_tables`. Throws `out_of_memory` if it can never fit into
/// the memory of every device. What it throws is the same on all ranks.
[[nodiscard]] std::shared_ptr<const split_plan> split_launch(const launch_shape& shape, const machine_table& machine,
                                                             node_id node);

/// The plan of a launch that is one superblock, moved to another device. Never throws `out_of_memory`: what
/// `split_launch` has let pass fits into the memory of every device.
[[nodiscard]] std::shared_ptr<const split_plan> placed_on(const split_plan& plan, int device,
                                                          const machine_table& machine, node_id node);

}  // namespace tessera::plan
