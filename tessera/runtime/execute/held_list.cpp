#include "tessera/runtime/execute/held_list.h"

#include <algorithm>
#include <utility>

namespace tessera::runtime {

namespace {

bool is_behind_everything(const plan::instruction& i) {
  if (const auto* notify = std::get_if<plan::notify_op>(&i.action)) return notify->everything;
  return std::holds_alternative<plan::receive_op>(i.action) || std::holds_alternative<plan::release_op>(i.action);
}

}  // namespace

void held_list::add(pending_instruction p) {
  count(p, 1);
  const std::uint64_t number = p.instruction().id.value;
  held_.emplace(number, std::move(p));
}

void held_list::count(const pending_instruction& p, int change) {
  size_.fetch_add(static_cast<std::size_t>(change), std::memory_order_relaxed);
  if (const auto* launch = std::get_if<plan::launch_op>(&p.instruction().action))
    workspace_[static_cast<std::size_t>(launch->place.index)] += change * launch->workspace;
}

bool held_list::concerns(const plan::instruction& i) const {
  if (held_.empty()) return false;
  if (is_behind_everything(i)) return held_.begin()->first < i.id.value;
  return std::any_of(i.after.begin(), i.after.end(), [&](instruction_id id) { return held_.contains(id.value); });
}

bool held_list::any_compiled() const {
  return std::any_of(held_.begin(), held_.end(),
                     [&](const auto& h) { return h.second.code.ready() && !concerns(h.second.instruction()); });
}

}  // namespace tessera::runtime
