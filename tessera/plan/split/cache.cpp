#include "tessera/plan/split/cache.h"

namespace tessera::plan {
namespace {

/// In superblocks, of which a plan keeps about as many bytes as of 32 rows of a table.
std::int64_t cost_of(const split_plan& plan) {
  std::int64_t rows = 0;
  for (const auto& table : tables_of(*plan.grid->shape().accesses)) rows += table->rows.size();
  return plan.grid->size() + 1 + rows / 32;
}

}  // namespace

std::shared_ptr<const split_plan> split_cache::find(const split_key& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key.bytes());
  if (found == index_.end()) return nullptr;
  recent_.splice(recent_.begin(), recent_, found->second);
  return recent_.front().plan;
}

std::shared_ptr<const split_plan> split_cache::split(const launch_shape& shape) {
  thread_local split_key made_key;
  made_key.set(shape);
  if (auto known = find(made_key)) return known;
  const std::string& key = made_key.bytes();
  auto plan = split_launch(shape, machine_, node_);
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) return found->second->plan;
  const std::int64_t cost = cost_of(*plan);
  recent_.push_front({key, plan, cost});
  index_.emplace(recent_.front().key, recent_.begin());
  cost_ += cost;
  while (cost_ > max_cost && recent_.size() > 1) {
    cost_ -= recent_.back().cost;
    index_.erase(recent_.back().key);
    recent_.pop_back();
  }
  return plan;
}

partition_ptr split_cache::partition_for(const layout& home, const extents& shape) {
  const std::string key = partition_key(home, shape);
  std::lock_guard lock(mutex_);
  std::weak_ptr<const partition>& known = partitions_[key];
  if (auto shared = known.lock()) return shared;
  if (partitions_.size() > 4096) std::erase_if(partitions_, [](const auto& p) { return p.second.expired(); });
  auto made = make_partition(home, shape, machine_);
  partitions_[key] = made;
  return made;
}

}  // namespace tessera::plan
