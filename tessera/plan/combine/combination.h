#pragma once

#include <map>
#include <vector>

#include "tessera/plan/coherence/mover.h"

namespace tessera::plan {

/// A rule that combines, and the launch that has it.
struct combining_rule {
  access_mode mode = access_mode::reduce;
  combining by;

  combining_rule(const access_rule& rule, const std::shared_ptr<const launch_task>& launch)
      : mode(rule.mode), by{rule.op, is_registered(rule.op) ? launch : nullptr, rule.parameter} {}
};

/// Sets `area` to the identity of the rule's operation; nothing if it is empty.
void fill_identity(instruction_writer& writer, copy_ref target, const region& area, const combining_rule& rule);

/// True if some rule combines through this parameter.
[[nodiscard]] bool combines_parameter(const access_pattern& pattern, int parameter);

/// `area` of an array gets new contents at home, combined with the old ones if the rule is `atomic`: these are there
/// afterwards. Returns which part is at home on which device.
std::map<int, region> replace_at_home(mover& contents, array_id array, const region& area, const combining_rule& rule);

/// What is at home when nothing has been combined yet.
[[nodiscard]] region contents_before(const region& part, const combining_rule& rule);

/// Folds `source` into `target`, both on one device: what is in `covered` already is combined, the rest overwritten.
void fold_into(instruction_writer& writer, copy_ref source, copy_ref target, const region& area, const combining& by,
               region& covered);

/// Combines the devices' private results of one array of a launch into its home: within the device, between the
/// devices of a rank, then along a tree of ranks (rule A4). Always in the same order.
class combination {
 public:
  /// `temporaries`: the private result of each local device, ignored where it declares nothing.
  combination(mover& contents, array_id array, const split_plan& plan, int slot, const combining_rule& rule,
              std::vector<array_id> temporaries);
  void run();

 private:
  /// What each device contributes to one home part.
  using contributions = std::map<int, region>;

  void deliver(int home_device, const region& part);
  [[nodiscard]] contributions contributions_to(const region& part) const;
  void fold_local(const contributions& all, node_id node, copy_ref target, int device, region& covered);
  void fold_children(const contributions& all, const std::vector<node_id>& ranks, std::size_t position, copy_ref target,
                     region& covered);
  [[nodiscard]] region subtree(const contributions& all, const std::vector<node_id>& ranks, std::size_t position) const;

  mover& contents_;
  instruction_writer& writer_;
  array_id array_;
  const split_plan& plan_;
  int slot_;
  const combining_rule& rule_;
  std::vector<array_id> temporaries_;
};

}  // namespace tessera::plan
