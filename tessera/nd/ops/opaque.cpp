#include "tessera/nd/ops/opaque.h"

#include <algorithm>

#include "tessera/nd/graph/record.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/refuse.h"

namespace tessera::nd {

opaque_operation::opaque_operation(std::span<const array> operands, call_site here)
    : operands_(operands.begin(), operands.end()), here_(here) {
  const std::vector<operand> list(operands_.begin(), operands_.end());
  owner_ = common_owner(list, here);
}

bool opaque_operation::is_here(std::span<const std::pair<extents, scalar_kind>> results) const {
  return std::all_of(operands_.begin(), operands_.end(), [](const array& a) { return a.is_host(); }) &&
         std::all_of(results.begin(), results.end(),
                     [&](const auto& made) { return owner_->is_host_size(element_count(made.first), made.second); });
}

std::vector<array_base> opaque_operation::stored() const {
  const std::lock_guard lock(owner_->mutex());
  std::vector<node_ptr> versions;
  for (const array& each : operands_) versions.push_back(each.expression(here_));
  owner_->flush(versions, flush_reason::eval, here_);
  std::vector<array_base> found;
  for (const node_ptr& each : versions) found.push_back(owner_->array_of(*each));
  return found;
}

array_base opaque_operation::make(const extents& shape, scalar_kind type) const {
  in_call(here_, [&] { static_cast<void>(byte_count(shape, size_of(type))); });
  const simple_distribution where = layout().distribution_of(shape, owner_->devices());
  return owner_->ctx().empty(shape, dtype::make(type), where, here_);
}

array opaque_operation::result(const array_base& elements) const {
  const node_ptr stored = make_stored(elements, layout(), here_);
  owner_->note_elements(*stored);
  return {owner_, stored};
}

std::vector<std::byte> opaque_operation::elements(std::size_t operand) const {
  return elements_of(operands_[operand], here_);
}

array opaque_operation::result(const extents& shape, scalar_kind type,
                               std::shared_ptr<const host_value> elements) const {
  ++owner_->counters().inline_operations;
  return {owner_, make_host(type, shape, std::move(elements), here_)};
}

}  // namespace tessera::nd
