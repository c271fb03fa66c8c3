#pragma once

#include <utility>

#include "tessera/plan/machine.h"

namespace tessera::plan {

/// The machine as one of its ranks sees it. Its devices have local numbers 0, 1, ...; so have its memories, of which
/// the host's is the last.
class local_machine {
 public:
  local_machine(machine_table table, node_id node)
      : table_(std::move(table)), node_(node), devices_(table_.devices_of(node)) {}

  [[nodiscard]] const machine_table& table() const { return table_; }
  [[nodiscard]] node_id node() const { return node_; }
  [[nodiscard]] int device_count() const { return devices_; }
  [[nodiscard]] device_range devices() const { return table_.devices(node_); }
  [[nodiscard]] location device(int index) const { return {node_, index}; }
  [[nodiscard]] location host() const { return {node_, location::host_index}; }
  [[nodiscard]] bool has(location place) const { return place.node == node_; }
  [[nodiscard]] bool is_alone() const { return table_.node_count() == 1; }

  [[nodiscard]] int memory_count() const { return devices_ + 1; }
  [[nodiscard]] int host_memory() const { return devices_; }
  [[nodiscard]] int memory_of(location place) const { return place.is_host() ? devices_ : place.index; }

 private:
  machine_table table_;
  node_id node_;
  int devices_;
};

}  // namespace tessera::plan
