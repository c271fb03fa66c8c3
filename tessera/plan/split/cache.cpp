#include "tessera/plan/split/cache.h"

#include <cstdint>
#include <cstring>

#include "tessera/plan/access/codec.h"

namespace tessera::plan {
namespace {

template <class T>
void put(std::string& key, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  key.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void put(std::string& key, const extents& e) {
  put(key, e.rank());
  key.append(reinterpret_cast<const char*>(e.begin()), static_cast<std::size_t>(e.rank()) * sizeof(std::int64_t));
}

void put(std::string& key, const std::string& text) {
  put(key, text.size());
  key += text;
}

void put(std::string& key, const dtype& type) {  // member by member: what lies between them has no value
  put(key, type.kind);
  put(key, type.lanes);
  put(key, type.size);
  put(key, type.alignment);
}

void put(std::string& key, const split_spec& split) {
  put(key, split.how);
  put(key, split.blocks);
  put(key, split.parameter);
  put(key, split.axis);
  put(key, split.device);
  put(key, split.slabs.size());
  for (const slab& s : split.slabs) {
    put(key, s.lo);
    put(key, s.hi);
    put(key, s.device);
  }
}

/// Everything that `split_launch` looks at. Numbers of entries go first, so that no two launches give the same bytes.
void put_key(const launch_shape& shape, std::string& key) {
  key.clear();
  put(key, shape.name);
  put(key, shape.space.size);
  put(key, shape.space.granule);
  put(key, shape.split);
  put(key, reinterpret_cast<std::uintptr_t>(shape.workspace.get()));  // which the plan keeps, too
  put(key, shape.slots.size());
  for (const array_slot& slot : shape.slots) {
    put(key, slot.name);
    put(key, slot.shape);
    put(key, slot.type);
    put(key, reinterpret_cast<std::uintptr_t>(slot.home.get()));
  }
  put(key, shape.uses.size());
  for (const array_use& use : shape.uses) {
    put(key, use.parameter);
    put(key, use.slot);
    put(key, use.slice.lo);
    put(key, use.slice.hi);
  }
  std::vector<std::byte> made;
  if (shape.code.empty()) made = access_codec::encode(*shape.accesses);
  const std::span<const std::byte> code = shape.code.empty() ? made : shape.code;
  key.append(reinterpret_cast<const char*>(code.data()), code.size());
}

}  // namespace

std::shared_ptr<const split_plan> split_cache::split(const launch_shape& shape) {
  thread_local std::string key;
  put_key(shape, key);
  std::unique_lock lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) {
    recent_.splice(recent_.begin(), recent_, found->second);
    return recent_.front().plan;
  }
  lock.unlock();
  auto plan = split_launch(shape, machine_, node_);
  lock.lock();
  if (const auto found = index_.find(key); found != index_.end()) return found->second->plan;
  const std::int64_t cost = plan->grid->size() + 1;
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

partition_ptr split_cache::partition_for(const layout& how, const extents& shape) {
  std::string key;
  put(key, how.how);
  put(key, how.tile);
  put(key, how.cyclic);
  put(key, how.device);
  put(key, how.halo);
  put(key, how.parts.size());
  for (const placed_box& p : how.parts) {
    put(key, p.where.lo);
    put(key, p.where.hi);
    put(key, p.device);
    put(key, p.part);
  }
  put(key, shape);
  std::lock_guard lock(mutex_);
  std::weak_ptr<const partition>& known = partitions_[key];
  if (auto shared = known.lock()) return shared;
  if (partitions_.size() > 4096) std::erase_if(partitions_, [](const auto& p) { return p.second.expired(); });
  auto made = make_partition(how, shape, machine_.device_count());
  partitions_[key] = made;
  return made;
}

}  // namespace tessera::plan
