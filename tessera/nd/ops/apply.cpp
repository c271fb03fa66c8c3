#include "tessera/nd/ops/apply.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/graph/cell.h"
#include "tessera/nd/graph/record.h"
#include "tessera/nd/refuse.h"
#include "tessera/nd/small.h"

namespace tessera::nd {
namespace {

using kernels::opcode;

extents common_shape(std::span<const operand> operands, call_site here) {
  extents shape;
  bool is_first = true;
  for (const operand& each : operands) {
    if (each.is_number()) continue;
    shape = is_first ? each.elements().shape() : broadcast_shape(shape, each.elements().shape(), here);
    is_first = false;
  }
  return shape;
}

scalar_kind result_type(opcode operation, scalar_kind last) {
  switch (kernels::facts_of(operation).result) {
    case kernels::result_rule::boolean:
      return scalar_kind::boolean;
    case kernels::result_rule::real:
      return kernels::real_kind(last);
    default:
      break;
  }
  if (operation == opcode::make_complex)
    return last == scalar_kind::float64 ? scalar_kind::complex128 : scalar_kind::complex64;
  return last;
}

/// A number as an operand of type `type`. Throws `argument_error` for an integer that the type does not have.
std::array<std::byte, 16> operand_bytes(const number& value, scalar_kind type, call_site here) {
  return value.fits(type) ? value.converted(type) : value.element(type, here);
}

bool all_on_host(std::span<const operand> operands) {
  return std::all_of(operands.begin(), operands.end(),
                     [](const operand& each) { return each.is_number() || each.elements().is_host(); });
}

array apply_here(opcode operation, scalar_kind result, std::span<const operand> operands,
                 std::span<const scalar_kind> types, const extents& shape, const std::shared_ptr<graph>& owner,
                 call_site here) {
  std::array<std::array<std::byte, 16>, 3> numbers{};
  std::array<host_operand, 3> list{};
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].is_number()) {
      numbers[k] = operand_bytes(operands[k].value(), types[k], here);
      list[k] = {numbers[k].data(), types[k], {shape, extents::uniform(shape.rank(), 0), 0}};
      continue;
    }
    list[k] = operands[k].elements().on_host();
    if (list[k].elements.shape != shape)
      list[k].elements = selected(list[k].elements, broadcast_map(list[k].elements.shape, shape));
  }
  ++owner->counters().inline_operations;
  auto value = evaluate_here(operation, result, types, std::span(list).first(operands.size()), shape);
  return {owner, make_host(result, shape, std::move(value), here)};
}

node_ptr node_of(graph& owner, const operand& given, scalar_kind type, const extents& shape, call_site here) {
  if (given.is_number()) return make_fill(type, shape, operand_bytes(given.value(), type, here), layout(), here);
  node_ptr made = given.elements().expression(here);
  if (made->type != type) {
    made = record_map(owner, opcode::convert, type, {&made, 1}, here);
    made->is_internal = true;
  }
  return made->shape == shape ? made : record_view(owner, made, broadcast_map(made->shape, shape), here);
}

}  // namespace

void refuse_different_contexts(call_site here) {
  refuse(here, "the arrays belong to different contexts; nd::fetch makes a host value of one, which all contexts take");
}

const std::shared_ptr<graph>& common_owner(std::span<const operand> operands, call_site here) {
  const std::shared_ptr<graph>* found = nullptr;
  bool is_bound = false;
  for (const operand& each : operands) {
    if (each.is_number()) continue;
    const bool binds = !each.elements().is_host();
    if (found != nullptr && is_bound && binds && *found != each.elements().owner()) refuse_different_contexts(here);
    if (found == nullptr || (binds && !is_bound)) found = &each.elements().owner();
    is_bound = is_bound || binds;
  }
  return *found;
}

scalar_kind common_type(std::span<const operand> operands) {
  bool has_array = false, has_type = false;
  scalar_kind type{};
  for (const operand& each : operands)
    if (!each.is_number()) {
      type = has_array ? promoted(type, each.type()) : each.type();
      has_array = true;
    }
  for (const operand& each : operands) {
    if (!each.is_number()) continue;
    if (has_array)
      type = promoted(type, each.value().kind());
    else
      type = std::exchange(has_type, true) ? promoted(type, each.type()) : each.type();
  }
  return type;
}

array apply(opcode operation, std::span<const operand> operands, std::span<const scalar_kind> types, call_site here) {
  const scalar_kind result = result_type(operation, types.back());
  const extents shape = common_shape(operands, here);
  const std::shared_ptr<graph>& owner = common_owner(operands, here);
  if (all_on_host(operands) && owner->is_host_size(element_count(shape), result))
    return apply_here(operation, result, operands, types, shape, owner, here);
  return in_call(here, [&]() -> array {
    std::array<node_ptr, 3> nodes;
    for (std::size_t k = 0; k < operands.size(); ++k) nodes[k] = node_of(*owner, operands[k], types[k], shape, here);
    const auto list = std::span<const node_ptr>(nodes).first(operands.size());
    return {owner, record_map(*owner, operation, result, list, here)};
  });
}

array apply(opcode operation, std::initializer_list<operand> operands, scalar_kind type, call_site here) {
  const std::array<scalar_kind, 3> types{type, type, type};
  return apply(operation, std::span(operands.begin(), operands.size()), std::span(types).first(operands.size()), here);
}

array as_type(const array& a, scalar_kind type, call_site here) {
  if (a.type(here) == type) return a;
  using namespace kernels::type_sets;
  if (kernels::contains(complexes, a.type()) && !kernels::contains(complexes | booleans, type))
    refuse<type_error>(here, "elements of type ", to_string(dtype::make(a.type())), " cannot become ",
                       to_string(dtype::make(type)), "; real() and imag() take their parts");
  const std::shared_ptr<graph>& owner = a.owner();
  if (a.is_host() && owner->is_host_size(a.size(), type)) {
    const host_operand from = a.on_host();
    return {owner, make_host(type, a.shape(),
                             evaluate_here(opcode::convert, type, {&from.type, 1}, {&from, 1}, a.shape()), here)};
  }
  const node_ptr from = a.expression(here);
  const bool is_bounded = kernels::contains(floats, a.type()) && kernels::contains(integers, type);
  return in_call(here, [&]() -> array {
    return {owner, record_map(*owner, is_bounded ? opcode::saturate : opcode::convert, type, {&from, 1}, here)};
  });
}

node_ptr record_copy(graph& owner, const node_ptr& value, call_site here) {
  return record_copy(owner, value, value->placement, here);
}

node_ptr record_copy(graph& owner, const node_ptr& value, const layout& placement, call_site here) {
  in_call(here, [&] { static_cast<void>(byte_count(value->shape, size_of(value->type))); });
  auto made = std::make_shared<node>();
  made->kind = node_kind::view;
  made->type = value->type;
  made->shape = value->shape;
  made->operands[0] = value;
  made->detail = index_map::identity(value->shape);
  made->placement = placement;
  made->site = here;
  return owner.add(std::move(made));
}

array copy(const array& a, call_site here) {
  const std::shared_ptr<graph>& owner = a.owner(here);
  if (a.is_host() && owner->is_host_size(a.size(), a.type())) {
    const host_operand from = a.on_host();
    return {owner, make_host(from.type, a.shape(),
                             evaluate_here(opcode::convert, from.type, {&from.type, 1}, {&from, 1}, a.shape()), here)};
  }
  return {owner, record_copy(*owner, a.expression(here), here)};
}

array broadcast_to(const array& a, const extents& shape, call_site here) {
  return a.shape(here) == shape ? a : a.seen_through(broadcast_map(a.shape(), shape, here), here);
}

namespace {

/// The elements of a version, to be changed where they are: null if anything else knows them.
std::shared_ptr<host_value> own_elements(const node& version) {
  const bool is_alone = version.readers == 0 && version.array.record() == nullptr && version.host.use_count() == 1;
  return is_alone || planted("host_value_changed") ? std::const_pointer_cast<host_value>(version.host) : nullptr;
}

bool is_host_version(const cell& of) {
  const node& version = *of.current();
  return version.host && of.owner()->is_host_size(version.size(), version.type);
}

/// Changes a version by `change(elements)`, where they are or, if `by` are the same ones, as a copy.
template <class Change>
void change_host(cell& to, const host_value* by, Change change, call_site here) {
  const node& old = *to.current();
  if (by != old.host.get())
    if (const auto own = own_elements(old)) return change(own->data());
  auto made = std::make_shared<host_value>(*old.host);
  change(made->data());
  to.set_current(make_host(old.type, old.shape, std::move(made), here));
}

}  // namespace

bool fill_host(cell& to, const cell_part* part, const std::byte* element, call_site here) {
  if (!is_host_version(to)) return false;
  const node& old = *to.current();
  const std::uint32_t size = size_of(old.type);
  change_host(
      to, nullptr,
      [&](std::byte* elements) {
        if (part != nullptr && part->elements.rank() == 0)
          std::memcpy(elements + part->elements.offset * size, element, size);
        else
          fill_elements(elements, part != nullptr ? part->elements : view::whole(old.shape), element, size);
      },
      here);
  return true;
}

bool write_host(cell& to, const cell_part* part, const node_ptr& value, call_site here) {
  if (!value->host || !is_host_version(to)) return false;
  const node& old = *to.current();
  if (part == nullptr)
    to.set_current(value->handles == 0 ? value : make_host(old.type, old.shape, value->host, here));
  else
    change_host(
        to, value->host.get(),
        [&](std::byte* elements) {
          scatter_elements(elements, part->elements, value->host->data(), size_of(old.type));
        },
        here);
  return true;
}

std::vector<std::byte> elements_of(const array& a, call_site here) {
  const std::uint32_t size = size_of(a.type());
  if (a.size() > 0 && !a.is_host()) {
    node_ptr version = a.expression(here);
    graph& owner = *a.owner();
    owner.flush({&version, 1}, flush_reason::look, here);
    owner.run_checks(here);
    auto bytes = std::make_shared<std::vector<std::byte>>(index(a.size()) * size);
    owner.read(owner.array_of(*version), *bytes, bytes, here);
    return std::move(*bytes);
  }
  std::vector<std::byte> bytes(index(a.size()) * size);
  if (bytes.empty()) return bytes;
  const host_operand from = a.on_host();
  gather_elements(bytes.data(), from.data, from.elements, size);
  return bytes;
}

}  // namespace tessera::nd
