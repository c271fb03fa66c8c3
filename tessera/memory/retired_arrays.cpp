#include "tessera/memory/retired_arrays.h"

#include <algorithm>
#include <utility>

namespace tessera::memory {

void retired_arrays::add(array_id id) {
  const auto same = [&](const expected_release& e) { return e.id == id; };
  if (const auto found = std::find_if(expected_.begin(), expected_.end(), same); found != expected_.end())
    expected_.erase(found);
  released_.push_back(id);
}

bool retired_arrays::await_release(std::int32_t device, std::int64_t bytes, memory_lock& held) {
  std::int64_t to_come = 0;
  for (const expected_release& e : expected_)
    if ((to_come += spans_.held_bytes(e.id, device)) >= bytes) break;
  if (expected_.empty() || to_come < bytes) return false;
  const expected_release first = std::move(expected_.front());
  expected_.pop_front();
  held.wait([&] {
    for (const event& e : first.last_uses) e.wait();
  });
  released_.push_back(first.id);
  collect();
  return true;
}

void retired_arrays::collect() noexcept {
  if (released_.empty() && busy_.empty()) return;
  if (!released_.empty()) images_.forget_choice();
  for (const array_id id : std::exchange(released_, {}))
    if (auto node = spans_.take(id)) busy_.push_back(std::move(node));
  busy_.remove_if([&](auto& node) {
    if (node.mapped().busy()) return false;
    destroy(node.mapped());
    return true;
  });
}

void retired_arrays::destroy(array_entry& e) noexcept {
  for (copy_span& s : e.copies)
    for (tracked_page& b : s.pages) images_.discard(b);
  spans_.free(e);
}

std::vector<event> retired_arrays::movements() const {
  std::vector<event> all;
  for (const auto& node : busy_) node.mapped().append_movements(all);
  return all;
}

std::vector<event> retired_arrays::movements_of_first() const {
  std::vector<event> all;
  busy_.front().mapped().append_movements(all);
  return all;
}

void retired_arrays::finish() noexcept {
  for (; !busy_.empty(); busy_.pop_front()) {
    for (const event& e : movements_of_first()) e.wait();
    destroy(busy_.front().mapped());
  }
}

}  // namespace tessera::memory
