#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "tessera/plan/distribution.h"
#include "tessera/plan/split/launch_grid.h"

namespace tessera::plan {

/// Everything that `split_launch` looks at, as bytes: two launches are cut alike if and only if their keys are equal.
/// It can be written from a launch's parts without making a `launch_shape`, whose copies cost more than all the rest of
/// a launch that was cut before. Partitions, workspaces and tables are told apart by address; a remembered plan owns
/// them.
class split_key {
 public:
  void begin(std::string_view name, const domain& space, const split_spec& split, const workspace_function* workspace);
  /// An array parameter. Before the first use of a slot comes the description of the slot.
  void add_use(int parameter, int slot, const box& slice);
  void add_slot(std::string_view name, const extents& shape, const dtype& type, const partition* home);
  /// The access rules, as `access_codec::code_of` gives them, and their tables; they come last.
  void end(std::span<const std::byte> accesses, std::span<const std::shared_ptr<const interval_table>> tables);

  /// The key of a whole shape.
  void set(const launch_shape& shape);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Everything that `make_partition` looks at, as bytes.
[[nodiscard]] std::string partition_key(const layout& distribution, const extents& shape);

}  // namespace tessera::plan
