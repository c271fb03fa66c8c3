#include "tessera/memory/retired_arrays.h"

#include <utility>

namespace tessera::memory {

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
