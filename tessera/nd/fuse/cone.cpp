#include "tessera/nd/fuse/cone.h"

#include <algorithm>
#include <optional>

namespace tessera::nd {
namespace {

constexpr int heaviest = 90;  // operations of one function, so that numbers and parameters find room beside them

int own_weight(const node& n) { return n.kind == node_kind::map ? 1 : 0; }

/// For a value that is met again: it was computed before on the way to something else, or it is a version of an array
/// in place that more is made of than the next one.
std::optional<keep_reason> worth_keeping(const node& operand, const node& user) {
  if (operand.kind != node_kind::map && !operand.over) return std::nullopt;
  if (operand.over && user.over.get() != &operand) return keep_reason::replaced;
  if (operand.passes > 0 && user.passes == 0) return keep_reason::met_again;
  return std::nullopt;
}

}  // namespace

const char* text_of(keep_reason why) {
  switch (why) {
    case keep_reason::asked:
      return "it was asked for";
    case keep_reason::kind:
      return "results of this kind are not computed on the way to others";
    case keep_reason::whole:
      return "what is made of it needs all of its elements";
    case keep_reason::replaced:
      return "more is made of this version of the array than the next one";
    case keep_reason::met_again:
      return "it was computed on the way before, and is needed again";
    case keep_reason::many_steps:
      return "what is made of it would take too many operations";
    case keep_reason::several:
      return "several launches need it, and it takes many operations";
    case keep_reason::no_room:
      break;
  }
  return "a launch had no room for it";
}

bool is_pointwise(const node& n) {
  switch (n.kind) {
    case node_kind::fill:
    case node_kind::place:
    case node_kind::map:
    case node_kind::view:
    case node_kind::flat:
      return true;
    default:
      return false;
  }
}

cone::cone(std::span<const node_ptr> roots) {
  for (const node_ptr& root : roots) roots_.insert(root.get());
  for (const node_ptr& root : roots) visit(root);
  for (const node_ptr& root : roots) keep(*root, keep_reason::asked);
  for (const node_ptr& n : order_) mark(*n);
}

void cone::visit(const node_ptr& n) {
  if (n->is_stored() || !visited_.insert(n.get()).second) return;
  for (const node_ptr& operand : n->operands)
    if (operand) visit(operand);
  order_.push_back(n);
}

/// Called for operands first.
void cone::mark(const node& n) {
  if (!is_pointwise(n)) keep(n, keep_reason::kind);
  if (n.kind == node_kind::flat || n.kind == node_kind::update || n.kind == node_kind::gather)
    keep(*n.operands[0], keep_reason::whole);
  for (const node_ptr& operand : n.operands)
    if (const auto why = operand ? worth_keeping(*operand, n) : std::nullopt) keep(*operand, *why);
  int sum = own_weight(n);
  for (const node_ptr& operand : n.operands)
    if (operand) sum += weight(*operand);
  weights_[&n] = sum;
  if (sum <= heaviest) return;
  while (exact_weight(n) > heaviest && keep_part_of(n, keep_reason::many_steps)) {
  }
  weights_[&n] = exact_weight(n);
}

int cone::weight(const node& n) const {
  if (n.is_stored() || is_kept(n)) return 0;
  const auto found = weights_.find(&n);
  return found == weights_.end() ? 0 : found->second;
}

int cone::exact_weight(const node& n) const {
  std::unordered_set<const node*> seen;
  std::vector<const node*> open{&n};
  int sum = 0;
  while (!open.empty()) {
    const node* next = open.back();
    open.pop_back();
    if (!seen.insert(next).second) continue;
    sum += own_weight(*next);
    for (const node_ptr& operand : next->operands)
      if (operand && !operand->is_stored() && !is_kept(*operand)) open.push_back(operand.get());
  }
  return sum;
}

bool cone::keep_part_of(const node& n, keep_reason why) {
  const node* heavy = nullptr;
  for (const node_ptr& operand : n.operands) {
    const node* each = operand.get();
    // A view has the weight of what it shows.
    while (each != nullptr && each->kind == node_kind::view && !is_kept(*each)) each = each->operands[0].get();
    if (each == nullptr || each->is_stored() || is_kept(*each) || each->kind == node_kind::fill ||
        each->kind == node_kind::place)
      continue;
    if (heavy == nullptr || weight(*each) > weight(*heavy)) heavy = each;
  }
  if (heavy == nullptr) return false;
  keep(*heavy, why);
  return true;
}

}  // namespace tessera::nd
