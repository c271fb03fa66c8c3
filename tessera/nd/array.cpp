#include "tessera/nd/array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/graph/cell.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/indexed_part.h"
#include "tessera/nd/number.h"
#include "tessera/nd/ops/apply.h"
#include "tessera/nd/ops/arrange/assemble.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {

array::array(const std::shared_ptr<graph>& owner, node_ptr version)
    : cell_(std::make_shared<cell>(owner, std::move(version))) {}

void array::refuse_unassigned(call_site here) { refuse(here, "an array that was never assigned has no elements"); }

const extents& array::shape(call_site here) const {
  require_assigned(here);
  return part_ ? part_->elements.shape : cell_->current()->shape;
}

std::int64_t array::size(call_site here) const { return element_count(shape(here)); }

scalar_kind array::type(call_site here) const {
  require_assigned(here);
  return cell_->current()->type;
}

layout array::split(call_site here) const {
  require_assigned(here);
  const layout& whole = cell_->current()->placement;
  if (!part_) return whole;
  return part_->axes ? whole.through(*part_->axes, cell_->current()->shape) : layout();
}

const std::shared_ptr<graph>& array::owner(call_site here) const {
  require_assigned(here);
  return cell_->owner();
}

std::shared_ptr<const cell_part> array::part() const {
  if (part_) return part_;
  const extents& whole = cell_->current()->shape;
  return std::make_shared<cell_part>(cell_part{view::whole(whole), index_map::identity(whole)});
}

array array::seen_through(const index_map& map, call_site here) const {
  require_assigned(here);
  auto made = std::make_shared<cell_part>();
  if (!part_) {  // without the map of all elements, which changes nothing
    made->elements = selected(view::whole(shape(here)), map);
    made->axes = map;
    return {cell_, std::move(made)};
  }
  const auto& old = part_;
  made->elements = selected(old->elements, map);
  if (old->axes) made->axes = compose(*old->axes, map);
  return {cell_, std::move(made)};
}

array array::at(std::span<const index_item> items, call_site here) const {
  require_assigned(here);
  if (part_) {
    index_map map;
    select(map, part_->elements.shape, items, here);
    return seen_through(map, here);
  }
  const extents& shape = cell_->current()->shape;
  auto made = std::make_shared<cell_part>();
  if (const auto number = is_host() ? one_element(shape, items, here) : std::nullopt)
    made->elements.offset = *number;
  else
    select(*made, shape, items, here);
  return {cell_, std::move(made)};
}

void array::assign_at(std::span<const index_item> items, const number& value, call_site here) const {
  require_assigned(here);
  if (!part_ && is_host()) {
    const extents& shape = cell_->current()->shape;
    cell_part part;
    if (const auto number = one_element(shape, items, here))
      part.elements.offset = *number;
    else
      select(part, shape, items, here);
    const auto element = value.element(type(), here);
    if (fill_host(*cell_, &part, element.data(), here)) return;
  }
  at(items, here).assign(value, here);
}

array array::transpose(call_site here) const {
  std::array<int, max_rank> axes{};
  for (int k = 0; k < rank(here); ++k) axes[index(k)] = rank() - 1 - k;
  return seen_through(permutation_map(shape(), std::span(axes).first(index(rank()))));
}

array array::reshape(const extents& wanted, call_site here) const {
  const extents made = complete_shape(wanted, size(here), here);
  if (made == shape()) return *this;
  const auto old = part();
  if (const std::optional<view> same = reshaped(old->elements, made))
    return {cell_, std::make_shared<cell_part>(cell_part{*same, std::nullopt})};
  // Elements move into a whole array, which kernels can take, by one launch.
  const array moved = new_array(made, type(), {this, 1}, layout(), here);
  moved.reshape(shape(), here).assign(*this, here);
  return moved;
}

bool array::is_host() const { return cell_->current()->host != nullptr; }

host_operand array::on_host() const {
  const node& version = *cell_->current();
  return {version.host->data(), version.type, part_ ? part_->elements : view::whole(version.shape)};
}

node_ptr array::expression(call_site here) const {
  require_assigned(here);
  if (!part_) return cell_->current();
  if (part_->axes) return record_view(*cell_->owner(), cell_->current(), *part_->axes, here);
  return record_flat(*cell_->owner(), cell_->current(), part_->elements, here);
}

namespace {

[[noreturn]] void refuse_repeated(call_site here) {
  refuse(here, "a view that shows elements several times cannot be written");
}

}  // namespace

void array::assign(const array& value, call_site here) const {
  if (value.owner(here) != owner(here) && !value.is_host()) refuse_different_contexts(here);
  if (!can_store(type(), value.type()))
    refuse<type_error>(here, "elements of type ", to_string(dtype::make(value.type())), " for an array of ",
                       to_string(dtype::make(type())));
  const array fitting = broadcast_to(as_type(value, type(), here), shape(), here);
  // Between host values elements are copied at once.
  const bool is_host_copy = is_host() && fitting.is_host() && fitting.part_;
  write((is_host_copy ? copy(fitting, here) : fitting).expression(here), here);
}

void array::assign_result(array result, call_site here) const {
  if (result.type() != type(here) || result.shape() != shape()) return assign(result, here);
  const node_ptr value = std::exchange(result, array()).expression(here);
  write(value, here);
}

void array::assign(const number& value, call_site here) const {
  require_assigned(here);
  const auto element = value.element(type(), here);
  if (part_ && part_->elements.repeats()) refuse_repeated(here);
  if (!fill_host(*cell_, part_.get(), element.data(), here))
    write(make_fill(type(), shape(), element, layout(), here), here);
}

void array::write(const node_ptr& value, call_site here) const {
  if (part_ && part_->elements.repeats()) refuse_repeated(here);
  if (size() == 0) return;
  const node_ptr old = cell_->current();
  const bool is_whole =
      !part_ || (part_->axes && part_->axes->is_identity(old->shape)) || part_->elements == view::whole(old->shape);
  if (write_host(*cell_, is_whole ? nullptr : part_.get(), value, here)) return;
  if (!is_whole) {
    const bool is_stale = planted("stale_version") && old->kind == node_kind::update;
    const node_ptr& base = is_stale ? old->operands[0] : old;
    cell_->set_current(record_update(*cell_->owner(), base, value, {part_->elements, part_->axes}, here));
    return;
  }
  // A version of its own, even where the value is another array's.
  node_ptr made = value;
  if (made->is_stored() || (made->handles > 0 && !planted("version_shared")) || made->over ||
      made->kind != node_kind::map)
    made = record_copy(*cell_->owner(), value, here);
  made->over = old;
  cell_->set_current(std::move(made));
}

void array::read_item(std::span<std::byte> to, scalar_kind wanted, call_site here) const {
  if (size(here) != 1) refuse(here, "item() of an array with ", size(), " elements");
  if (is_host() && type() == wanted) {
    const host_operand own = on_host();
    const std::uint32_t size = size_of(wanted);
    std::memcpy(to.data(), own.data + own.elements.offset * size, size);
    return;
  }
  const std::vector<std::byte> bytes = as_type(*this, wanted, here).read_bytes(wanted, here);
  std::copy(bytes.begin(), bytes.end(), to.begin());
}

std::vector<std::byte> array::read_bytes(scalar_kind wanted, call_site here) const {
  if (wanted != type(here))
    refuse<type_error>(here, "reading ", to_string(dtype::make(wanted)), " of an array of ",
                       to_string(dtype::make(type())));
  return elements_of(*this, here);
}

bool array::is_whole() const { return !part_ || part_->elements == view::whole(cell_->current()->shape); }

array_base array::engine_array(call_site here) const {
  require_assigned(here);
  node_ptr version = cell_->current();
  if (!is_whole()) refuse(here, "a kernel takes whole arrays, not views; copy() makes one");
  graph& home = *cell_->owner();
  home.flush({&version, 1}, flush_reason::look, here);
  home.flush_all(here);
  // What others may still compute from this version, or know of it on the host, stays as it is.
  if (version->readers > 0 || version->host || version->array.record() == nullptr) {
    version = record_copy(home, version, here);
    home.flush({&version, 1}, flush_reason::look, here);
    cell_->set_current(version);
  }
  return home.array_of(*version);
}

namespace {

/// Calls `run(graph, versions)` for the arrays of each context.
template <class Run>
void for_each_context(std::span<const array> arrays, call_site here, Run run) {
  std::vector<std::pair<graph*, std::vector<node_ptr>>> lists;
  for (const array& a : arrays) {
    node_ptr version = a.expression(here);
    graph* const owner = a.owner(here).get();
    const auto is_own = [&](const auto& list) { return list.first == owner; };
    auto found = std::find_if(lists.begin(), lists.end(), is_own);
    if (found == lists.end()) found = lists.insert(found, {owner, {}});
    found->second.push_back(std::move(version));
  }
  for (const auto& [owner, versions] : lists) run(*owner, versions);
}

}  // namespace

void eval(std::span<const array> arrays, call_site here) {
  for_each_context(arrays, here,
                   [&](graph& owner, const auto& versions) { owner.flush(versions, flush_reason::eval, here); });
}

void fetch(std::span<const array> arrays, call_site here) {
  for_each_context(arrays, here, [&](graph& owner, const auto& versions) { owner.fetch(versions, here); });
}

std::string explain(const array& a, call_site here) { return a.owner(here)->explain(a.expression(here)); }

}  // namespace tessera::nd
