#include "tessera/nd/fuse/grouping.h"

#include <algorithm>

#include "tessera/nd/fuse/rows.h"

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

rows_request work_item::request(std::span<const node_ptr> stored) const {
  rows_request wanted{stages, {}, {}};
  for (const node_ptr& n : stored) (n->shape == domain ? wanted.elements : wanted.stored).push_back(n);
  return wanted;
}

bool grouping::boundary::is_loaded(const node& n) const {
  return all_.cone_.is_kept(n) && !(is_pointwise(n) && all_.items_[item_].makes(n));
}

int grouping::boundary::result_at(const node& n, const index_map& map) const {
  const work_item& own = all_.items_[item_];
  const bool is_rows = own.as == work_item::form::rows;
  if ((own.as != work_item::form::reduce && !is_rows) || n.kind != node_kind::reduce) return -1;
  if (!is_rows && !map.is_identity(n.shape)) return -1;
  if (is_rows && own.makes(n) && !is_own_row(n, map)) throw group_too_large();
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
  if (assign_behind_reduction(n, needs) || assign_rows(n, needs)) return;
  std::size_t first = 0;  // the earliest item that may take it
  for (const node* each : needs.displaced) first = std::max(first, item_of(*each) + 1);
  for (const node* each : needs.aligned)
    first = std::max(first, item_of(*each) + (can_join(item_of(*each), n) ? 0 : 1));
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
    for (const node* each : *list) first = std::max(first, item_of(*each) + 1);
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
    for (const node* each : *list) last = std::max(last, item_of(*each));
  const work_item& to = items_[last];
  if (to.as != work_item::form::reduce || to.made.size() >= most_reductions || to.domain != n->shape) return false;
  if (!is_function_of_results(n, last)) return false;
  join(last, n, needs);
  return true;
}

/// Items with reductions of rows that `n` is made of, and those that these need.
std::set<std::size_t> grouping::row_items(const node& n, const dependencies& needs) const {
  std::set<std::size_t> found;
  const auto add = [&](const node* each) {
    const auto at = item_of_.find(each);
    return at != item_of_.end() && items_[at->second].as == work_item::form::reduce &&
           is_row_reduction(*each, n.shape) && found.insert(at->second).second;
  };
  for (const node* each : needs.displaced) add(each);
  for (bool grows = !found.empty(); grows;) {
    grows = false;
    for (const std::size_t item : std::set(found))
      for (const node* each : items_[item].inputs) grows = add(each) || grows;
  }
  return found;
}

/// True if the items read something in common with `n`, and nothing else needs what they make before it.
bool grouping::can_be_rows(const std::set<std::size_t>& merged, const node& n, const dependencies& needs) const {
  const work_item& first = items_[*merged.begin()];
  std::size_t count = 0;
  for (const std::size_t item : merged) {
    const work_item& each = items_[item];
    count += each.made.size();
    if (!can_reduce_together(*each.made[0], *first.made[0])) return false;
    if (!shares_input(each, needs.stored) && !shares_input(each, needs.aligned) && !shares_input(each, needs.displaced))
      return false;
    for (std::size_t k = item + 1; k < items_.size(); ++k)
      for (const node_ptr& made : each.made)
        if (!merged.contains(k) && items_[k].inputs.contains(made.get())) return false;
  }
  const auto& axes = std::get<reduction_spec>(first.made[0]->detail).axes;
  const auto is_cut = [&](int axis) { return axes[static_cast<std::size_t>(axis)]; };
  const std::span<const int> cuts = n.placement.axes();
  return count <= most_reductions && std::none_of(cuts.begin(), cuts.end(), is_cut);
}

/// True if rows can be gone through without elements of arrays that they store themselves.
bool grouping::is_one_launch(std::size_t item) const {
  const work_item& own = items_[item];
  try {
    boundary edge(*this, item);
    const group made = make_rows_group(own.request(own.made), edge).elements;
    const auto is_own = [&](const group_array& a) { return !a.is_written && own.makes(*a.version); };
    const auto is_own_scalar = [&](const node_ptr& n) { return own.makes(*n); };
    return std::none_of(made.arrays.begin(), made.arrays.end(), is_own) &&
           std::none_of(made.scalars.begin(), made.scalars.end(), is_own_scalar);
  } catch (const group_too_large&) {
    return false;
  }
}

/// A node that is made of elements and of results of their rows joins the reductions that give these.
bool grouping::assign_rows(const node_ptr& n, const dependencies& needs) {
  if (n->kind != node_kind::map || separate_.contains(n.get())) return false;
  const std::set<std::size_t> merged = row_items(*n, needs);
  if (merged.empty() || !can_be_rows(merged, *n, needs)) return false;
  const std::vector<work_item> before = items_;
  add_item(work_item::form::rows, n, needs);
  work_item& made = items_.back();
  made.made.clear();
  for (const std::size_t item : merged) {
    work_item& from = items_[item];
    made.stages.push_back(from.reductions());
    made.made.insert(made.made.end(), from.made.begin(), from.made.end());
    made.inputs.insert(from.inputs.begin(), from.inputs.end());
    from = {work_item::form::none, {}, {}, {}, {}};
  }
  made.made.push_back(n);
  if (!is_one_launch(items_.size() - 1)) {
    items_ = before;
    item_of_.erase(n.get());
    return false;
  }
  for (const node_ptr& each : made.made) item_of_[each.get()] = items_.size() - 1;
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
  items_.push_back({as, n->shape, {}, {}, {}});
  join(items_.size() - 1, n, needs);
}

}  // namespace tessera::nd
