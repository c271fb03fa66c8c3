#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "tessera/plan/distribution.h"
#include "tessera/plan/split/key.h"
#include "tessera/plan/split/split.h"

namespace tessera::plan {

/// Remembers how launches were cut, so that a loop pays for it once. Bounded: the plans unused for longest go first.
/// Also makes equal distributions of equal shapes share one partition, which lets their launches share plans.
/// Thread-safe.
class split_cache {
 public:
  split_cache(machine_table machine, node_id node) : machine_(std::move(machine)), node_(node) {}

  /// How the launch of that key was cut; null if it is not remembered.
  [[nodiscard]] std::shared_ptr<const split_plan> find(const split_key& key);
  /// As `split_launch`, and remembered.
  [[nodiscard]] std::shared_ptr<const split_plan> split(const launch_shape& shape);
  /// As `make_partition`.
  [[nodiscard]] partition_ptr partition_for(const layout& home, const extents& shape);

  [[nodiscard]] const machine_table& machine() const { return machine_; }

 private:
  struct entry {
    std::string key;
    std::shared_ptr<const split_plan> plan;
    std::int64_t cost = 0;  // superblocks kept, or rows of tables
  };
  static constexpr std::int64_t max_cost = 1 << 18;

  machine_table machine_;
  node_id node_;
  std::mutex mutex_;
  std::list<entry> recent_;  // last used first
  std::unordered_map<std::string_view, std::list<entry>::iterator> index_;
  std::int64_t cost_ = 0;
  std::unordered_map<std::string, std::weak_ptr<const partition>> partitions_;
};

}  // namespace tessera::plan
