#include "tessera/kernel/flat/flatten.h"

#include "tessera/kernel/barrier/barrier_plan.h"
#include "tessera/kernel/barrier/structure.h"
#include "tessera/kernel/flat/hoist.h"
#include "tessera/kernel/flat/loop_forms.h"
#include "tessera/kernel/flat/meeting.h"
#include "tessera/kernel/wrap/index_parameters.h"

namespace tessera::kernels {
namespace {

constexpr std::size_t most_changes = 500;  // far beyond kernels that people write

/// Changes the text one step at a time, until nothing is left to do.
template <class Step>
void repeat(kernel_text& kernel, std::size_t& number, Step step) {
  while (true) {
    const parsed_kernel source = take_apart(kernel);
    const std::optional<std::string> next = step(source, number++);
    if (!next) return;
    if (number > most_changes) throw cut_refused{"too many calls at which threads meet"};
    kernel.source = *next;
  }
}

}  // namespace

namespace {

/// Whether a flat text can be cut.
bool is_cut(const kernel_text& flat) {
  const parsed_kernel source = take_apart(flat);
  return plan_barriers(source.parsed, source.needed).refusal.empty();
}

}  // namespace

kernel_text flatten(const kernel_text& kernel) {
  kernel_text flat = kernel;
  std::size_t number = 0;
  repeat(flat, number, [&](const parsed_kernel& source, std::size_t n) {
    return hoist_call(flat.source, source, meeting_points(source), n);
  });
  repeat(flat, number, [&](const parsed_kernel& source, std::size_t n) {
    return give_counter(flat.source, source, meeting_points(source), n);
  });
  repeat(flat, number, [&](const parsed_kernel& source, std::size_t) { return split_condition(flat.source, source); });
  // Whether a loop's bounds are the same for all threads shows when the text is cut.
  kernel_text turned = flat;
  repeat(turned, number, [&](const parsed_kernel& source, std::size_t n) {
    return turn_loop(turned.source, source, meeting_points(source), n);
  });
  return turned.source == flat.source || !is_cut(turned) ? flat : turned;
}

std::string find_refusal(const kernel_text& kernel) try {
  const kernel_text flat = flatten(kernel);
  const parsed_kernel source = take_apart(flat);
  std::string refusal = plan_barriers(source.parsed, source.needed).refusal;
  if (refusal.empty() && !can_pass_indices(source)) refusal = "indices of threads where none can be passed";
  return refusal;
} catch (const cut_refused& refused) {
  return refused.reason;
}

}  // namespace tessera::kernels
