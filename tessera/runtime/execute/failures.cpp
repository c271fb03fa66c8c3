#include "tessera/runtime/execute/failures.h"

#include <algorithm>
#include <utility>

#include "tessera/base/error.h"

namespace tessera::runtime {
namespace {

template <class Error>
bool rewrap(const std::exception_ptr& reason, const std::string& context, std::exception_ptr& out) {
  try {
    std::rethrow_exception(reason);
  } catch (const Error& e) {
    out = std::make_exception_ptr(Error(context + ": " + e.what()));
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::string what_of(const std::exception_ptr& reason) {
  try {
    std::rethrow_exception(reason);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

std::exception_ptr with_context(const std::exception_ptr& reason, const std::string& context) {
  std::exception_ptr out;
  if (rewrap<compile_error>(reason, context, out) || rewrap<annotation_error>(reason, context, out) ||
      rewrap<argument_error>(reason, context, out) || rewrap<out_of_memory>(reason, context, out) ||
      rewrap<comm_error>(reason, context, out) || rewrap<divergence_error>(reason, context, out) ||
      rewrap<io_error>(reason, context, out) || rewrap<missing_library>(reason, context, out) ||
      rewrap<device_error>(reason, context, out))
    return out;
  return std::make_exception_ptr(device_error(context + ": " + what_of(reason)));
}

failure failure_table::reason_for(std::span<const plan::operand> operands) const {
  std::lock_guard lock(mutex_);
  for (const plan::operand& o : operands) {
    if (o.written) continue;
    const auto found = poisoned_.find(o.copy.array);
    if (found == poisoned_.end()) continue;
    for (const poisoned_range& r : found->second)
      if (r.place == o.copy.place && r.part.overlaps(o.bounds)) return r.problem;
  }
  return {};
}

void failure_table::add_ranges(std::span<const plan::operand> operands, const failure& problem) {
  for (const plan::operand& o : operands)
    if (o.written) poisoned_[o.copy.array].push_back({o.copy.place, o.bounds, problem});
  any_.store(true, std::memory_order_relaxed);
}

void failure_table::pass_on(std::span<const plan::operand> operands, const failure& problem) {
  std::lock_guard lock(mutex_);
  add_ranges(operands, problem);
}

void failure_table::poison(std::span<const plan::operand> operands, const failure& problem) {
  std::lock_guard lock(mutex_);
  add_ranges(operands, problem);
  if (!unreported_ && std::find(reported_.begin(), reported_.end(), problem.cause) == reported_.end())
    unreported_ = problem;
}

void failure_table::heal(std::span<const plan::operand> operands) {
  std::lock_guard lock(mutex_);
  for (const plan::operand& o : operands) {
    const auto found = poisoned_.find(o.copy.array);
    if (!o.written || found == poisoned_.end()) continue;
    std::vector<poisoned_range> left;
    std::vector<box> parts;
    for (const poisoned_range& r : found->second) {
      if (r.place != o.copy.place || !r.part.overlaps(o.bounds)) {
        left.push_back(r);
        continue;
      }
      parts.clear();
      subtract(r.part, o.bounds, parts);
      for (const box& b : parts) left.push_back({r.place, b, r.problem});
    }
    found->second = std::move(left);
  }
}

void failure_table::forget(array_id array) {
  std::lock_guard lock(mutex_);
  poisoned_.erase(array);
}

failure failure_table::reason_for(array_id array) const {
  std::lock_guard lock(mutex_);
  const auto found = poisoned_.find(array);
  return found == poisoned_.end() || found->second.empty() ? failure{} : found->second.front().problem;
}

void failure_table::note_reported(const std::exception_ptr& cause) {
  reported_.push_back(cause);
  if (reported_.size() > most_reported) reported_.pop_front();
}

std::exception_ptr failure_table::take_unreported() {
  std::lock_guard lock(mutex_);
  if (unreported_) note_reported(unreported_.cause);
  return std::exchange(unreported_, {}).reason;
}

void failure_table::reported(const failure& problem) {
  std::lock_guard lock(mutex_);
  note_reported(problem.cause);
  if (unreported_.cause == problem.cause) unreported_ = {};
}

}  // namespace tessera::runtime
