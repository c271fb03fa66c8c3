#include "tessera/nd/fuse/grouping.h"

#include <algorithm>

#include "tessera/nd/fuse/reduce.h"

namespace tessera::nd {
namespace {

template <class Visit>
void follow(const Visit& visit, const node_ptr& n, bool aligned) {
  for (const node_ptr& operand : n->operands)
    if (operand) visit(visit, operand, aligned && n->kind == node_kind::map);
}

bool shares_input(const work_item& item, const std::set<const node*>& list) {
  return std::any_of(list.begin(), list.end(), [&](const node* n) { return item.inputs.contains(n); });
}

}  // namespace

bool work_item::makes(const node& n) const {
  return std::any_of(made.begin(), made.end(), [&](const node_ptr& m) { return m.get() == &n; });
}

std::vector<node_ptr> work_item::reductions() const {
  std::vector<node_ptr> list;
  for (const node_ptr& n : made)
    if (n->kind == node_kind::reduce) list.push_back(n);
  return list;
}

bool grouping::boundary::is_loaded(const node& n) const {
  return all_.cone_.is_kept(n) && !(is_pointwise(n) && all_.items_[item_].makes(n));
}

int grouping::boundary::result_at(const node& n, const index_map& map) const {
  const work_item& own = all_.items_[item_];
  if (own.as != work_item::form::reduce || n.kind != node_kind::reduce || !map.is_identity(n.shape)) return -1;
  int place = 0;
  for (const node_ptr& each : own.made) {
    if (each.get() == &n) return place;
    if (each->kind == node_kind::reduce) ++place;
  }
  return -1;
}

void grouping::assign_all() {
  items_.clear();
  item_of_.clear();
  for (const node_ptr& n : cone_.order())
    if (cone_.is_kept(*n)) assign(n);
}

grouping::dependencies grouping::find_dependencies(const node_ptr& n) const {
  dependencies found;
  std::pmr::set<std::pair<const node*, bool>> seen{&memory_};
  const auto visit = [&](const auto& self, const node_ptr& each, bool aligned) -> void {
    if (!seen.insert({each.get(), aligned}).second) return;
    if (each->is_stored()) {
      found.stored.insert(each.get());
    } else if (cone_.is_kept(*each)) {
      (aligned ? found.aligned : found.displaced).insert(each.get());
    } else {
      follow(self, each, aligned);
    }
  };
  follow(visit, n, true);
  for (const node* each : found.displaced) found.aligned.erase(each);
  return found;
}

void grouping::assign(const node_ptr& n) {
  if (n->kind == node_kind::fill) return add_item(work_item::form::fill, n, {});
  const dependencies needs = find_dependencies(n);
  if (n->kind == node_kind::reduce) return assign_reduction(n, needs);
  if (!is_pointwise(*n)) return add_item(work_item::form::other, n, needs);
  if (assign_behind_reduction(n, needs)) return;
  std::size_t first = 0;  // the earliest item that may take it
  for (const node* each : needs.displaced) first = std::max(first, item_of(each) + 1);
  for (const node* each : needs.aligned) first = std::max(first, item_of(each) + (can_join(item_of(each), n) ? 0 : 1));
  const auto has_common = [&](const work_item& item) {
    const auto made_there = [&](const node* each) { return item.makes(*each); };
    return shares_input(item, needs.stored) || shares_input(item, needs.aligned) ||
           shares_input(item, needs.displaced) || std::any_of(needs.aligned.begin(), needs.aligned.end(), made_there);
  };
  for (std::size_t k = first; k < items_.size(); ++k)
    if (can_join(k, n) && has_common(items_[k])) return join(k, n, needs);
  add_item(work_item::form::pointwise, n, needs);
}

/// Reductions along the same axes of arrays of one shape that read something in common.
void grouping::assign_reduction(const node_ptr& n, const dependencies& needs) {
  std::size_t first = 0;
  for (const auto* list : {&needs.displaced, &needs.aligned})
    for (const node* each : *list) first = std::max(first, item_of(each) + 1);
  const auto has_common = [&](const work_item& item) {
    return shares_input(item, needs.stored) || shares_input(item, needs.aligned) || shares_input(item, needs.displaced);
  };
  for (std::size_t k = first; k < items_.size(); ++k)
    if (items_[k].as == work_item::form::reduce && items_[k].made.size() < most_reductions &&
        can_reduce_together(*items_[k].made[0], *n) && has_common(items_[k]))
      return join(k, n, needs);
  add_item(work_item::form::reduce, n, needs);
}

/// A node that is made of nothing but results of one item's reductions and numbers is computed where these are stored.
bool grouping::assign_behind_reduction(const node_ptr& n, const dependencies& needs) {
  if (n->kind != node_kind::map || needs.aligned.empty() || separate_.contains(n.get())) return false;
  std::size_t last = 0;
  for (const auto* list : {&needs.aligned, &needs.displaced})
    for (const node* each : *list) last = std::max(last, item_of(each));
  const work_item& to = items_[last];
  if (to.as != work_item::form::reduce || to.made.size() >= most_reductions || to.domain != n->shape) return false;
  if (!is_function_of_results(n, last)) return false;
  join(last, n, needs);
  return true;
}

bool grouping::is_function_of_results(const node_ptr& n, std::size_t item) {
  items_[item].made.push_back(n);
  bool is_function = true;
  try {
    boundary edge(*this, item);
    group_builder builder(n->shape, edge);
    static_cast<void>(builder.value(n));
    for (const group_parameter& p : builder.made().parameters)
      is_function = is_function && (p.from == group_parameter::source::result ||
                                    (p.from == group_parameter::source::scalar &&
                                     !items_[item].makes(*builder.made().scalars[static_cast<std::size_t>(p.which)])));
  } catch (const group_too_large&) {
    is_function = false;
  }
  items_[item].made.pop_back();
  return is_function;
}

bool grouping::can_join(std::size_t item, const node_ptr& n) const {
  const work_item& to = items_[item];
  return to.as == work_item::form::pointwise && to.domain == n->shape && to.made.size() < group::most_outputs / 2 &&
         to.made[0]->placement == n->placement && !separate_.contains(n.get());
}

void grouping::join(std::size_t item, const node_ptr& n, const dependencies& needs) {
  item_of_[n.get()] = item;
  items_[item].made.push_back(n);
  for (const auto* list : {&needs.stored, &needs.aligned, &needs.displaced})
    items_[item].inputs.insert(list->begin(), list->end());
}

void grouping::add_item(work_item::form as, const node_ptr& n, const dependencies& needs) {
  items_.push_back({as, n->shape, {}, {}});
  join(items_.size() - 1, n, needs);
}

}  // namespace tessera::nd
