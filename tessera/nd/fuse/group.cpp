#include "tessera/nd/fuse/group.h"

#include <algorithm>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/number.h"

namespace tessera::nd {

using kernels::expression;
using kernels::opcode;

bool group::uses_places() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const group_parameter& p) { return p.from == group_parameter::source::place; });
}

group_builder::group_builder(const extents& domain, boundary& edge) : edge_(edge) { made_.domain = domain; }

void group_builder::check_size() const {
  if (made_.body.steps().size() > group::most_steps || made_.arrays.size() > group::most_arrays ||
      made_.accesses.size() >= most_accesses_)
    throw group_too_large();
}

std::vector<bool> needed_parameters(const group& made, std::span<const expression::value> values) {
  const std::vector<kernels::scalar_step>& steps = made.body.steps();
  std::vector<bool> needed(made.parameters.size()), is_step(steps.size());
  for (const expression::value each : values) is_step[each] = true;
  for (std::size_t k = steps.size(); k-- > 0;) {
    if (!is_step[k]) continue;
    if (steps[k].operation == opcode::parameter) needed[steps[k].place] = true;
    const auto operands = static_cast<std::size_t>(kernels::facts_of(steps[k].operation).operands);
    for (std::size_t o = 0; o < operands; ++o) is_step[steps[k].operands[o]] = true;
  }
  return needed;
}

int group_builder::number_of(const index_map& map) {
  const auto found = std::find(maps_.begin(), maps_.end(), map);
  const auto number = static_cast<int>(found - maps_.begin());
  if (found == maps_.end()) maps_.push_back(map);
  return number;
}

expression::value group_builder::value(const node_ptr& n, const index_map& map) {
  const int own_number = number_of(map);
  const int number = planted("places_merged") && n->kind == node_kind::map ? 0 : own_number;
  const std::pair key(static_cast<const node*>(n.get()), number);
  if (const auto there = known_.find(key); there != known_.end()) return there->second;
  const int at_hand = n->is_stored() ? -1 : edge_.result_at(*n, map);
  const bool is_loaded = n->is_stored() || edge_.is_loaded(*n);
  if (at_hand < 0 && !is_loaded) edge_.note_computed(*n, number);
  const value_type made = at_hand >= 0 ? add_parameter({group_parameter::source::result, at_hand, n->type})
                          : is_loaded  ? loaded(n, map)
                                       : computed(n, map);
  known_.emplace(key, made);
  check_size();
  return made;
}

expression::value group_builder::computed(const node_ptr& n, const index_map& map) {
  switch (n->kind) {
    case node_kind::fill:
      return constant(n->type, std::get<std::array<std::byte, 16>>(n->detail).data());
    case node_kind::place:
      return place_along(map.terms[index(std::get<int>(n->detail))]);
    case node_kind::view:
      return value(n->operands[0], compose(std::get<index_map>(n->detail), map));
    case node_kind::flat:
      return loaded_flat(n->operands[0], std::get<view>(n->detail), map);
    default:
      break;
  }
  made_.note_operation(*n);
  std::array<value_type, 3> operands{};
  std::size_t count = 0;
  for (const node_ptr& operand : n->operands)
    if (operand) operands[count++] = value(operand, map);
  const auto list = std::span(operands).first(count);
  const bool is_given = kernels::facts_of(n->operation).result == kernels::result_rule::given;
  const scalar_kind own = is_given ? n->type : made_.body.type_of(list[0]);
  switch (count) {
    case 1:
      return made_.body.apply(n->operation, own, {list[0]});
    case 2:
      return made_.body.apply(n->operation, own, {list[0], list[1]});
    default:
      return made_.body.apply(n->operation, own, {list[0], list[1], list[2]});
  }
}

expression::value group_builder::constant(scalar_kind type, const std::byte* bytes) {
  return made_.body.constant(type, {bytes, size_of(type)});
}

/// The index on an axis of a source: first + step * index of the domain.
expression::value group_builder::place_along(const index_map::term& term) {
  const auto whole = [&](std::int64_t n) {
    return constant(scalar_kind::int64, reinterpret_cast<const std::byte*>(&n));
  };
  if (term.axis < 0) return whole(term.first);
  value_type made = place(term.axis);
  if (term.step != 1) made = made_.body.apply(opcode::multiply, scalar_kind::int64, {made, whole(term.step)});
  if (term.first != 0) made = made_.body.apply(opcode::add, scalar_kind::int64, {made, whole(term.first)});
  return made;
}

expression::value group_builder::place(int axis) {
  const auto is_it = [&](const group_parameter& p) {
    return p.from == group_parameter::source::place && p.which == axis;
  };
  const auto found = std::find_if(made_.parameters.begin(), made_.parameters.end(), is_it);
  const int at = static_cast<int>(found - made_.parameters.begin());
  if (found == made_.parameters.end())
    made_.parameters.push_back({group_parameter::source::place, axis, scalar_kind::int64});
  return made_.body.parameter(at, scalar_kind::int64);
}

expression::value group_builder::position() {
  return add_parameter({group_parameter::source::position, 0, scalar_kind::int64});
}

expression::value group_builder::loaded(const node_ptr& n, const index_map& map) {
  const bool is_one = n->size() == 1;
  if (is_one && n->is_stored() && n->host) return constant(n->type, n->host->data());
  if (n->shape.rank() == 0) return scalar(n);
  return load(array_access::through(array_index(n, n->shape, false), map), n->type);
}

expression::value group_builder::loaded_flat(const node_ptr& n, const view& elements, const index_map& map) {
  if (n->size() == 1 && n->is_stored() && n->host) return constant(n->type, n->host->data());
  if (n->shape.rank() == 0) return scalar(n);
  return load(access_to(n, elements, map, false), n->type);
}

expression::value group_builder::load(array_access access, scalar_kind type) {
  auto found = std::find(made_.accesses.begin(), made_.accesses.end(), access);
  const int which = static_cast<int>(found - made_.accesses.begin());
  if (found == made_.accesses.end()) made_.accesses.push_back(std::move(access));
  return add_parameter({group_parameter::source::element, which, type});
}

expression::value group_builder::scalar(const node_ptr& n) {
  const auto found = std::find(made_.scalars.begin(), made_.scalars.end(), n);
  const int which = static_cast<int>(found - made_.scalars.begin());
  if (found == made_.scalars.end()) made_.scalars.push_back(n);
  return add_parameter({group_parameter::source::scalar, which, n->type});
}

expression::value group_builder::add_parameter(group_parameter made) {
  made_.parameters.push_back(made);
  return made_.body.parameter(static_cast<int>(made_.parameters.size()) - 1, made.type);
}

void group_builder::keep(const node_ptr& n, const index_map& map, int which) {
  known_.insert_or_assign({n.get(), number_of(map)}, add_parameter({group_parameter::source::kept, which, n->type}));
}

/// An array in another shape is seen in that, without axes of one element, which launches do not have; one of which a
/// view shows a part, as one axis.
array_access group_builder::access_to(const node_ptr& version, const view& elements, const index_map& map,
                                      bool written) {
  const bool is_whole = elements == view::whole(elements.shape) && elements.size() == version->size();
  if (!is_whole || elements.size() == 1)
    return array_access::through(array_index(version, {version->size()}, written), elements, map);
  index_map kept{map.domain, 0, {}};
  extents seen;
  for (int k = 0; k < elements.rank(); ++k) {
    if (elements.shape[k] == 1) continue;
    seen = with_extent(seen, kept.source_rank, elements.shape[k]);
    kept.terms[index(kept.source_rank++)] = map.terms[index(k)];
  }
  return array_access::through(array_index(version, seen, written), kept);
}

int group_builder::array_index(const node_ptr& version, const extents& seen, bool written) {
  const auto same = [&](const group_array& a) {
    return a.version == version && a.seen == seen && a.is_written == written && !a.is_whole;
  };
  const auto found = std::find_if(made_.arrays.begin(), made_.arrays.end(), same);
  const int at = static_cast<int>(found - made_.arrays.begin());
  if (found == made_.arrays.end()) made_.arrays.push_back({version, version->type, seen, written});
  return at;
}

int group_builder::add_store(const node_ptr& version, const index_map& map) {
  made_.accesses.push_back(array_access::through(array_index(version, version->shape, true), map));
  return static_cast<int>(made_.accesses.size()) - 1;
}

int group_builder::add_source(const node_ptr& version, const index_map& map) {
  made_.arrays.push_back({version, version->type, version->shape, false, true});
  made_.accesses.push_back(array_access::through(static_cast<int>(made_.arrays.size()) - 1, map));
  return static_cast<int>(made_.accesses.size()) - 1;
}

int group_builder::add_store(const node_ptr& version, const view& elements) {
  made_.accesses.push_back(access_to(version, elements, index_map::identity(elements.shape), true));
  return static_cast<int>(made_.accesses.size()) - 1;
}

}  // namespace tessera::nd
