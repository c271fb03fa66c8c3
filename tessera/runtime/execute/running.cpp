#include "tessera/runtime/execute/running.h"

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/runtime/stream_check.h"

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
  if (rewrap<compile_error>(reason, context, out) || rewrap<argument_error>(reason, context, out) ||
      rewrap<out_of_memory>(reason, context, out) || rewrap<comm_error>(reason, context, out) ||
      rewrap<divergence_error>(reason, context, out) || rewrap<io_error>(reason, context, out) ||
      rewrap<device_error>(reason, context, out))
    return out;
  return std::make_exception_ptr(device_error(context + ": " + what_of(reason)));
}

std::string describe(const plan::instruction& i) {
  if (const auto* launch = std::get_if<plan::launch_op>(&i.what))
    return cat(launch->launch->where.file, ":", launch->launch->where.line, ": kernel '", launch->launch->name,
               "', superblock ", launch->superblock, " (blocks ", to_string(launch->part), ") on device ",
               launch->where.index);
  return to_string(i);
}

bool executor::running::admit() noexcept {
  if (!with_.failures.any() && !lost_ && !with_.network.failed()) return true;
  try {
    if (!lost_ && with_.network.failed()) {
      const std::exception_ptr reason = network_failure(with_.network);
      with_.failures.poison(instruction_.operands, {reason, reason});
      lost_ = true;
    }
    if (!lost_) {
      if (const failure why = with_.failures.reason_for(instruction_.operands)) {
        with_.failures.pass_on(instruction_.operands, why);
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

void executor::running::started() noexcept {
  if (with_.timeline == nullptr || begun_) return;
  begun_ = true;
  begin_ = trace::clock::now();
}

void executor::running::failed(std::exception_ptr reason) noexcept {
  lost_ = true;
  try {
    const std::exception_ptr full = with_context(reason, describe());
    with_.failures.poison(instruction_.operands, {full, reason});
    if (with_.network.size() > 1) with_.network.abort(cat("rank ", with_.network.rank().value, ": ", what_of(full)));
  } catch (...) {
    with_.failures.poison({}, {reason, reason});
  }
  finish_step();
}

void executor::running::finish_step() noexcept {
  if (--steps_ > 0) return;
  if (!lost_ && with_.failures.any()) with_.failures.heal(instruction_.operands);
  if (with_.timeline != nullptr && begun_) {
    const auto* launch = std::get_if<plan::launch_op>(&instruction_.what);
    const std::string line = to_string(instruction_);
    const std::size_t verb = line.find(' ') + 1;
    with_.timeline->add(row_, launch ? launch->launch->name : line.substr(verb, line.find(' ', verb) - verb), line,
                        begin_, trace::clock::now());
  }
  live_statistics::add(with_.statistics.ended, 1);
  next_ = ended_.load(std::memory_order_relaxed);
  while (!ended_.compare_exchange_weak(next_, this, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

}  // namespace tessera::runtime
