#include "tessera/runtime/failures.h"

#include <algorithm>

namespace tessera::runtime {

std::exception_ptr failure_book::reason_for(std::span<const plan::operand> operands) const {
  std::lock_guard lock(mutex_);
  for (const plan::operand& o : operands) {
    if (o.written) continue;
    const auto found = wounds_.find(o.copy.array);
    if (found == wounds_.end()) continue;
    for (const wound& w : found->second)
      if (w.where == o.copy.where && w.part.overlaps(o.where)) return w.reason;
  }
  return nullptr;
}

void failure_book::poison(std::span<const plan::operand> operands, const std::exception_ptr& reason) {
  std::lock_guard lock(mutex_);
  for (const plan::operand& o : operands)
    if (o.written) wounds_[o.copy.array].push_back({o.copy.where, o.where, reason});
  if (!unreported_) unreported_ = reason;
  any_.store(true, std::memory_order_relaxed);
}

void failure_book::heal(std::span<const plan::operand> operands) {
  std::lock_guard lock(mutex_);
  for (const plan::operand& o : operands) {
    const auto found = wounds_.find(o.copy.array);
    if (!o.written || found == wounds_.end()) continue;
    std::vector<wound> left;
    std::vector<box> parts;
    for (const wound& w : found->second) {
      if (w.where != o.copy.where || !w.part.overlaps(o.where)) {
        left.push_back(w);
        continue;
      }
      parts.clear();
      subtract(w.part, o.where, parts);
      for (const box& b : parts) left.push_back({w.where, b, w.reason});
    }
    found->second = std::move(left);
  }
}

void failure_book::forget(array_id array) {
  std::lock_guard lock(mutex_);
  wounds_.erase(array);
}

std::exception_ptr failure_book::reason_for(array_id array) const {
  std::lock_guard lock(mutex_);
  const auto found = wounds_.find(array);
  return found == wounds_.end() || found->second.empty() ? nullptr : found->second.front().reason;
}

std::exception_ptr failure_book::take_unreported() {
  std::lock_guard lock(mutex_);
  return std::exchange(unreported_, nullptr);
}

void failure_book::reported(const std::exception_ptr& reason) {
  std::lock_guard lock(mutex_);
  if (unreported_ == reason) unreported_ = nullptr;
}

}  // namespace tessera::runtime
