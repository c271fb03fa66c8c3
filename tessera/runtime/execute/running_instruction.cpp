#include "tessera/runtime/execute/running_instruction.h"

#include <utility>

#include "tessera/base/bytes/fixed_text.h"
#include "tessera/base/text.h"
#include "tessera/runtime/stream_check.h"

namespace tessera::runtime {

namespace {

/// `Text`: `std::string`, or `fixed_text` where no memory may be taken.
template <class Text>
void append_launch(Text& text, const plan::launch_op& o) {
  text.append(o.launch->site.file).append(":");
  append_number(text, o.launch->site.line);
  text.append(": kernel '").append(o.launch->name).append("', superblock ");
  append_number(text, o.superblock);
  text.append(" (blocks [");
  for (int a = 0; a < o.part.rank(); ++a) {
    if (a > 0) text.append(", ");
    append_number(text, o.part.lo[a]);
    text.append(":");
    append_number(text, o.part.hi[a]);
  }
  text.append("]) on device ");
  append_number(text, o.place.index);
}

}  // namespace

std::string describe(const plan::instruction& i) {
  const auto* launch = std::get_if<plan::launch_op>(&i.action);
  if (launch == nullptr) return to_string(i);
  std::string text;
  append_launch(text, *launch);
  return text;
}

void running_instruction::describe(fixed_text& text) const noexcept {
  if (const auto* launch = std::get_if<plan::launch_op>(&instruction_.action)) return append_launch(text, *launch);
  text.append("#");
  append_number(text, static_cast<std::int64_t>(instruction_.id.value));
  text.append(" ").append(plan::verb_of(instruction_));
}

bool running_instruction::admit() noexcept {
  if (!with_.failures.any() && !lost_ && !with_.network.failed()) return true;
  try {
    if (!lost_ && with_.network.failed()) {
      const std::exception_ptr reason = network_failure(with_.network);
      with_.failures.poison(instruction_.operands, {reason, reason});
      lost_ = true;
    }
    if (!lost_) {
      if (const failure problem = with_.failures.reason_for(instruction_.operands)) {
        with_.failures.pass_on(instruction_.operands, problem);
        lost_ = true;
      }
    }
  } catch (...) {
    lost_ = true;  // out of memory while noting a failure: the work is not run
  }
  if (!lost_) return true;
  finish_step();
  return false;
}

void running_instruction::started() noexcept {
  if (with_.timeline == nullptr || begun_) return;
  begun_ = true;
  begin_ = trace::clock::now();
}

void running_instruction::failed(std::exception_ptr reason) noexcept {
  lost_ = true;
  try {
    const std::exception_ptr full = with_context(reason, runtime::describe(instruction_));
    with_.failures.poison(instruction_.operands, {full, reason});
    if (with_.network.size() > 1) with_.network.abort(cat("rank ", with_.network.rank().value, ": ", what_of(full)));
  } catch (...) {
    with_.failures.poison({}, {reason, reason});
  }
  finish_step();
}

void running_instruction::finish_step() noexcept {
  if (--steps_ > 0) return;
  if (!lost_ && with_.failures.any()) with_.failures.heal(instruction_.operands);
  if (with_.timeline != nullptr && begun_) record();
  live_statistics::add(with_.statistics.ended, 1);
  std::atomic<running_instruction*>& first = ended_.first_;
  next_ = first.load(std::memory_order_relaxed);
  while (!first.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

void running_instruction::record() noexcept {
  const auto* launch = std::get_if<plan::launch_op>(&instruction_.action);
  with_.timeline->add(row_, launch ? launch->launch->name : std::string(plan::verb_of(instruction_)),
                      to_string(instruction_), begin_, trace::clock::now());
}

void running_instruction::ended_list::clear() noexcept {
  if (first_.load(std::memory_order_relaxed) == nullptr) return;
  for (running_instruction* r = first_.exchange(nullptr, std::memory_order_acquire); r != nullptr;)
    delete std::exchange(r, r->next_);
}

}  // namespace tessera::runtime
