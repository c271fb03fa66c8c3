#pragma once

#include <vector>

#include "tessera/plan/combine/combination.h"

namespace tessera::plan {

/// Combines the superblocks' private results of one array of a launch into its home, along a binary tree over the
/// numbers of the superblocks: which results meet, and in which order, depends on the launch alone (rule F3). Each
/// inner node is made where its left child is.
class ordered_combination {
 public:
  /// `temporaries`: the private result of each local superblock, in the order of `plan.local`; ignored where it
  /// declares nothing.
  ordered_combination(mover& contents, array_id array, const split_plan& plan, int slot, const combining_rule& rule,
                      std::vector<array_id> temporaries);
  void run();

 private:
  /// What the superblocks of a subtree contribute.
  struct node {
    location place;
    array_id array;  ///< Known on its own rank only.
    region covered;
  };

  void deliver(int home_device, const region& part);
  [[nodiscard]] node leaf(std::int64_t superblock, const region& part) const;
  node subtree(std::int64_t first, std::int64_t last, const region& part);
  /// Makes `from` lie in memory `to`; on other ranks than that one it only sends. The array it lies in is a temporary
  /// to be released if it came as a message.
  copy_ref bring(const node& from, location to, array_id& message);

  mover& contents_;
  instruction_writer& writer_;
  array_id array_;
  const split_plan& plan_;
  const region& combined_;
  const combining_rule& rule_;
  std::vector<array_id> temporaries_;  // per superblock
  std::vector<region> declared_;       // per superblock
};

}  // namespace tessera::plan
