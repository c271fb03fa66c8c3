#pragma once

#include <map>
#include <span>
#include <vector>

#include "tessera/base/dtype.h"
#include "tessera/base/ids.h"
#include "tessera/plan/instruction.h"
#include "tessera/plan/machine.h"
#include "tessera/runtime/report/rehearsal.h"

namespace tessera::runtime {

/// Adds up what planned instructions move and use, without carrying them out.
class instruction_account {
 public:
  /// The account of rank `node`.
  instruction_account(const plan::machine_table& machine, node_id node);

  /// Arrays must be known before instructions that name them; those that the plan declares itself are.
  void know(array_id array, const dtype& type) { sizes_[array] = type.size; }
  void add(const plan::instruction& i);

  /// All but `peak_bytes`.
  [[nodiscard]] rehearsal totals() const;

  /// The elements of an array that are used on a device, where the array is not one of the plan's own.
  struct used_part {
    array_id array;
    std::int32_t device = 0;
    std::vector<box> boxes;
  };
  [[nodiscard]] std::vector<used_part> used() const;
  /// Bytes on a device besides: arrays that the plan declares, all together, and the largest workspace.
  [[nodiscard]] std::int64_t besides(std::int32_t device) const;

 private:
  struct device_load {
    double seconds_in = 0, seconds_out = 0;
    std::int64_t own_arrays = 0, workspace = 0;
  };

  void add_copy(const plan::copy_op& o);
  void add_message(link_kind link, location place, std::span<const plan::message_part> parts);
  void count(link_kind link, std::int64_t bytes);

  std::vector<plan::device_spec> specs_;
  std::vector<device_load> loads_;
  std::map<array_id, std::int64_t> sizes_;  // of elements
  std::map<array_id, bool> own_;            // arrays that the plan declares
  std::map<std::pair<array_id, std::int32_t>, region> used_;
  rehearsal totals_;
};

}  // namespace tessera::runtime
