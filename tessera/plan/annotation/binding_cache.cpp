#include "tessera/plan/annotation/binding_cache.h"

#include <algorithm>

namespace tessera::plan {
namespace {

/// Everything that decides what `bind` gives besides tables, as numbers.
void put_key(const bind_context& context, std::vector<std::int64_t>& key) {
  key.clear();
  for (const std::optional<std::int64_t>& c : context.constants) {
    key.push_back(c.has_value() ? 1 : 0);
    key.push_back(c.value_or(0));
  }
  for (const array_argument& a : context.arrays) {
    key.push_back(a.shape == nullptr ? -1 : a.shape->rank());
    key.push_back((a.contiguous ? 1 : 0) + (a.by_value ? 2 : 0));
    if (a.shape == nullptr) continue;
    key.insert(key.end(), a.shape->begin(), a.shape->end());
  }
}

}  // namespace

std::shared_ptr<const bound_accesses> binding_cache::bind(const annotation& a, const bind_context& context) {
  thread_local std::vector<std::int64_t> key;
  put_key(context, key);
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const entry& e) {
      return e.key == key && std::ranges::equal(e.tables, context.tables);
    });
    if (found != recent_.end()) {
      std::rotate(recent_.begin(), found, found + 1);
      return recent_.front().bound;
    }
  }
  auto made = bind_accesses(plan::bind(a, context));
  const std::lock_guard lock(mutex_);
  if (recent_.size() == most) recent_.pop_back();
  recent_.insert(recent_.begin(), {key, {context.tables.begin(), context.tables.end()}, made});
  return made;
}

}  // namespace tessera::plan
