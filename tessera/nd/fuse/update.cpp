#include "tessera/nd/fuse/update.h"

#include <algorithm>
#include <map>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {
namespace {

/// True if every reader of `old` is carried out together with `made` and can never be asked for again. With several
/// ranks handles do not count: they may live on one rank and not on another.
bool is_last_reader(const graph& owner, const node& made, const node& old) {
  std::map<std::uint64_t, const node*, std::greater<>> open{{made.number, &made}};  // users before operands
  std::map<const node*, int> edges;
  while (!open.empty()) {
    const node* next = open.begin()->second;
    open.erase(open.begin());
    if (next != &made) {
      const bool looks = !owner.has_ranks() || planted("handles_decide");
      const bool has_handle = looks ? next->handles > 0 : !next->is_internal;
      if (has_handle || edges[next] != next->readers) continue;
    }
    for (const node_ptr& operand : next->operands) {
      if (!operand) continue;
      ++edges[operand.get()];
      if (!operand->is_stored()) open.emplace(operand->number, operand.get());
    }
  }
  return edges[&old] == old.readers || planted("old_version_overwritten");
}

/// True if the group loads `old` only where access `store` writes. One element that is loaded by value is not: a launch
/// that gets it so cannot write it.
bool reads_where_it_writes(const group& with, const node& old, int store) {
  const auto is_old = [&](const node_ptr& scalar) { return scalar.get() == &old; };
  if (std::any_of(with.scalars.begin(), with.scalars.end(), is_old)) return false;
  const array_access& written = with.accesses[index(store)];
  const extents& seen = with.arrays[index(written.array)].seen;
  for (const array_access& access : with.accesses) {
    const group_array& from = with.arrays[index(access.array)];
    if (from.is_written || from.version.get() != &old) continue;
    if (from.seen != seen || access.axes != written.axes) return false;
  }
  return true;
}

/// Several versions that replace one may be carried out together; one of them takes its array.
bool has_own_array(const node& n) {
  return n.is_stored() && !n.is_overwritten && !n.is_taken && n.array.record() != nullptr;
}

/// The indices of the written part for those of the whole array, where these are the same one by one; nothing for a
/// diagonal, and where steps leave gaps.
struct inverse_map {
  index_map indices;
  box window;
};
std::optional<inverse_map> invert(const index_map& part, const extents& whole) {
  inverse_map made{{whole, part.domain.rank(), {}}, box::whole(whole)};
  std::array<bool, max_rank> used{};
  for (int k = 0; k < part.source_rank; ++k) {
    const index_map::term& t = part.terms[index(k)];
    if (t.axis < 0 || part.domain[t.axis] == 1) {
      made.window.lo[k] = t.first;
      made.window.hi[k] = t.first + 1;
      continue;
    }
    if ((t.step != 1 && t.step != -1) || used[index(t.axis)]) return std::nullopt;
    used[index(t.axis)] = true;
    made.indices.terms[index(t.axis)] = {planted("flip_not_inverted") ? -t.first : -t.first * t.step, t.step, k};
    made.window.lo[k] = t.step > 0 ? t.first : t.first - part.domain[t.axis] + 1;
    if (planted("window_shifted") && made.window.lo[k] + part.domain[t.axis] < whole[k]) ++made.window.lo[k];
    made.window.hi[k] = made.window.lo[k] + part.domain[t.axis];
  }
  return made;
}

/// The launches of an update.
struct update_launches {
  enum class form : std::uint8_t { in_place, beside, copied };
  form as{};
  std::vector<group> groups;
};

group finished(group_builder& builder, kernels::expression::value value, int store) {
  builder.made().outputs.push_back({value, store, nullptr});
  return std::move(builder.made());
}

/// One launch over the whole array: new elements inside of the part, copies of the old ones around it.
group made_beside(const node_ptr& made, const inverse_map& inverse, group_builder::boundary& edge) {
  group_builder builder(made->shape, edge);
  const auto value = builder.value(made->operands[1], inverse.indices);
  const auto old = builder.value(made->operands[0]);
  builder.made().window = inverse.window;
  builder.made().outside = builder.made().body.steps()[old].place;
  return finished(builder, value, builder.add_store(made, index_map::identity(made->shape)));
}

group copy_of_all(const node_ptr& made, group_builder::boundary& edge) {
  group_builder builder(made->shape, edge);
  const auto old = builder.value(made->operands[0]);
  return finished(builder, old, builder.add_store(made, index_map::identity(made->shape)));
}

/// `has_array` tells whether the old version has, or will have, an array that can be taken.
update_launches launches_of(const graph& owner, const node_ptr& made, bool has_array, group_builder::boundary& edge) {
  using form = update_launches::form;
  const update_part& part = std::get<update_part>(made->detail);
  const node_ptr old = made->operands[0];
  group_builder builder(part.elements.shape, edge);
  const auto value = builder.value(made->operands[1]);
  const int store = part.axes ? builder.add_store(made, *part.axes) : builder.add_store(made, part.elements);
  const bool is_free =
      has_array && is_last_reader(owner, *made, *old) && reads_where_it_writes(builder.made(), *old, store);
  const std::optional<inverse_map> inverse =
      !is_free && part.axes && old->size() > 1 ? invert(*part.axes, made->shape) : std::nullopt;
  update_launches all{is_free ? form::in_place : inverse ? form::beside : form::copied, {}};
  if (inverse) {
    all.groups.push_back(made_beside(made, *inverse, edge));
    return all;
  }
  if (!is_free) all.groups.push_back(copy_of_all(made, edge));
  all.groups.push_back(finished(builder, value, store));
  return all;
}

}  // namespace

void take_old_array(graph& owner, const node_ptr& made, const group& with) {
  const node* old = made->over.get();
  while (old != nullptr && !old->is_stored()) old = old->over.get();
  if (old == nullptr || !has_own_array(*old) || old->shape != made->shape || old->type != made->type) return;
  if (!owner.has_ranks() && old->handles > 0) return;
  if (!is_last_reader(owner, *made, *old)) return;
  const auto own = [&](const group_output& output) { return output.made == made; };
  const int store = std::find_if(with.outputs.begin(), with.outputs.end(), own)->access;
  if (!reads_where_it_writes(with, *old, store)) return;
  made->array = old->array;
  made->took = std::const_pointer_cast<node>(old->shared_from_this());
  made->took->is_taken = true;
}

void finish_overwriting(const node& made) {
  const node_ptr old = std::exchange(const_cast<node&>(made).took, nullptr);
  if (!old) return;
  old->array = array_base();
  old->is_taken = false;
  old->is_overwritten = old->host == nullptr;
}

std::string describe_update(graph& owner, const node_ptr& made, group_builder::boundary& edge) {
  const node& old = *made->operands[0];
  const update_launches all = launches_of(owner, made, has_own_array(old) || !old.is_stored(), edge);
  std::string text;
  switch (all.as) {
    case update_launches::form::in_place:
      text = "  in place: nothing else needs the elements before\n";
      break;
    case update_launches::form::beside:
      text = "  beside the elements before, which stay or are read at other indices\n";
      break;
    case update_launches::form::copied:
      text = "  a copy of the elements before, and a launch that writes the part\n";
      break;
  }
  for (const group& each : all.groups) text += describe_pointwise(owner, each);
  return text;
}

void run_update(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here) {
  const node_ptr old = made->operands[0];
  const update_launches all = launches_of(owner, made, has_own_array(*old), edge);
  if (all.as == update_launches::form::in_place) {
    made->array = old->array;
    made->took = old;
  }
  for (const group& each : all.groups) launch_pointwise(owner, each, here);
  finish_overwriting(*made);
}

}  // namespace tessera::nd
