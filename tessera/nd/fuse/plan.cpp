#include "tessera/nd/fuse/plan.h"

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <set>
#include <unordered_map>

#include "tessera/base/defects.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/nd/emit/launch.h"
#include "tessera/nd/fuse/cone.h"
#include "tessera/nd/fuse/group.h"
#include "tessera/nd/fuse/reduce.h"
#include "tessera/nd/fuse/update.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {
namespace {

constexpr int cheap = 32;  // operations that are rather done twice than stored

/// Nodes that are stored together, by one launch or the few of a template.
struct work_item {
  enum class form : std::uint8_t { fill, pointwise, reduce, other };
  form as{};
  extents domain;
  std::vector<node_ptr> made;
  std::set<const node*> inputs;  // that exist before it
};

/// What a kept node is made of.
struct dependencies {
  std::set<const node*> stored;     // elements that are there
  std::set<const node*> aligned;    // kept nodes of the same shape, met at their own index alone
  std::set<const node*> displaced;  // other kept nodes
};

class flush_plan {
 public:
  flush_plan(graph& owner, std::span<const node_ptr> roots) : owner_(owner), cone_(roots) {
    while (!try_to_plan()) {
    }
  }

  void run(call_site here) {
    for (std::size_t k = 0; k < items_.size(); ++k) run(items_[k], k, here);
    for (const auto& [n, uses] : computed_)
      if (!n->is_stored()) ++const_cast<node*>(n)->passes;
  }

  [[nodiscard]] std::string describe() {
    std::string text;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      text += cat("launch ", k + 1, " of ", items_.size(), ": ", items_[k].made.size(), " result(s) of shape ",
                  to_string(items_[k].made[0]->shape), "\n");
      if (items_[k].as == work_item::form::pointwise) text += describe_pointwise(owner_, *groups_[k]);
      if (items_[k].as == work_item::form::fill) text += "  a constant: no elements are written\n";
    }
    return text;
  }

 private:
  /// Groups are made of nodes that are not kept; those that are kept by this item itself are computed in it.
  class item_boundary final : public group_builder::boundary {
   public:
    item_boundary(flush_plan& plan, std::size_t item) : plan_(plan), item_(item) {}
    [[nodiscard]] bool is_loaded(const node& n) const override {
      if (!plan_.cone_.is_kept(n)) return false;
      const auto& own = plan_.items_[item_];
      if (own.as != work_item::form::pointwise) return true;
      return std::none_of(own.made.begin(), own.made.end(), [&](const node_ptr& m) { return m.get() == &n; });
    }
    void note_computed(const node& n, int map) override { plan_.note_use(n, item_, map); }

   private:
    flush_plan& plan_;
    std::size_t item_;
  };

  bool try_to_plan() {
    items_.clear();
    groups_.clear();
    item_of_.clear();
    computed_.clear();
    for (const node_ptr& n : cone_.order())
      if (cone_.is_kept(*n)) assign(n);
    groups_.resize(items_.size());
    for (std::size_t k = 0; k < items_.size(); ++k)
      if (items_[k].as == work_item::form::pointwise && !build(k)) return false;
    for (const node_ptr& n : cone_.order()) {
      const auto uses = computed_.find(n.get());
      if (uses == computed_.end() || !uses->second.are_several || n->kind != node_kind::map) continue;
      if (cone_.weight(*n) <= cheap) continue;
      cone_.keep(*n);
      return false;
    }
    return true;
  }

  [[nodiscard]] dependencies find_dependencies(const node_ptr& n) const {
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
  template <class Visit>
  static void follow(const Visit& visit, const node_ptr& n, bool aligned) {
    for (const node_ptr& operand : n->operands)
      if (operand) visit(visit, operand, aligned && n->kind == node_kind::map);
  }

  [[nodiscard]] std::size_t item_of(const node* n) const { return item_of_.at(n); }

  void assign(const node_ptr& n) {
    if (n->kind == node_kind::fill) return add_item(work_item::form::fill, n, {});
    const dependencies needs = find_dependencies(n);
    if (n->kind == node_kind::reduce) return assign_reduction(n, needs);
    if (!is_pointwise(*n)) return add_item(work_item::form::other, n, needs);
    std::size_t first = 0;  // the earliest item that may take it
    for (const node* each : needs.displaced) first = std::max(first, item_of(each) + 1);
    for (const node* each : needs.aligned)
      first = std::max(first, item_of(each) + (can_join(item_of(each), n) ? 0 : 1));
    for (std::size_t k = first; k < items_.size(); ++k)
      if (can_join(k, n) && shares_input(items_[k], needs)) return join(k, n, needs);
    add_item(work_item::form::pointwise, n, needs);
  }

  /// Reductions along the same axes of arrays of one shape that read something in common.
  void assign_reduction(const node_ptr& n, const dependencies& needs) {
    std::size_t first = 0;
    for (const auto* list : {&needs.displaced, &needs.aligned})
      for (const node* each : *list) first = std::max(first, item_of(each) + 1);
    for (std::size_t k = first; k < items_.size(); ++k)
      if (items_[k].as == work_item::form::reduce && items_[k].made.size() < most_reductions &&
          can_reduce_together(*items_[k].made[0], *n) && shares_input(items_[k], needs))
        return join(k, n, needs);
    add_item(work_item::form::reduce, n, needs);
  }

  [[nodiscard]] bool can_join(std::size_t item, const node_ptr& n) const {
    const work_item& to = items_[item];
    return to.as == work_item::form::pointwise && to.domain == n->shape && to.made.size() < group::most_outputs / 2 &&
           to.made[0]->placement == n->placement && !separate_.contains(n.get());
  }
  [[nodiscard]] bool shares_input(const work_item& item, const dependencies& needs) const {
    const auto shared = [&](const std::set<const node*>& list) {
      return std::any_of(list.begin(), list.end(), [&](const node* n) { return item.inputs.contains(n); });
    };
    const auto made_there = [&](const node* n) {
      return std::any_of(item.made.begin(), item.made.end(), [&](const node_ptr& m) { return m.get() == n; });
    };
    return shared(needs.stored) || shared(needs.aligned) || shared(needs.displaced) ||
           std::any_of(needs.aligned.begin(), needs.aligned.end(), made_there);
  }

  void join(std::size_t item, const node_ptr& n, const dependencies& needs) {
    item_of_[n.get()] = item;
    items_[item].made.push_back(n);
    add_inputs(items_[item], needs);
  }
  void add_item(work_item::form as, const node_ptr& n, const dependencies& needs) {
    item_of_[n.get()] = items_.size();
    items_.push_back({as, n->shape, {n}, {}});
    add_inputs(items_.back(), needs);
  }
  static void add_inputs(work_item& item, const dependencies& needs) {
    for (const auto* list : {&needs.stored, &needs.aligned, &needs.displaced})
      item.inputs.insert(list->begin(), list->end());
  }

  /// False if something else must be kept, and everything planned again.
  bool build(std::size_t item) {
    item_boundary edge(*this, item);
    group_builder builder(items_[item].domain, edge);
    const node* last = nullptr;
    try {
      for (const node_ptr& n : items_[item].made) {
        last = n.get();
        const auto value = builder.value(n);
        const int access = builder.add_store(n, index_map::identity(n->shape));
        if (planted("output_elided") && items_[item].made.size() > 1 && !cone_.is_root(*n))
          builder.made().accesses.pop_back(), builder.made().arrays.pop_back();
        else
          builder.made().outputs.push_back({value, access, n});
      }
    } catch (const group_too_large&) {
      make_smaller(items_[item], *last);
      return false;
    }
    groups_[item] = std::make_unique<group>(std::move(builder.made()));
    return true;
  }

  /// The group had no room for `last`: it gets one of its own, or a part of it is kept.
  void make_smaller(const work_item& item, const node& last) {
    if (item.made.size() > 1 && separate_.insert(&last).second) return;
    if (!cone_.keep_part_of(last)) throw argument_error("an operation on arrays takes too many of them");
  }

  void run(const work_item& item, std::size_t k, call_site here) {
    switch (item.as) {
      case work_item::form::fill:
        return store_fill(*item.made[0], here);
      case work_item::form::pointwise:
        return run_pointwise(item, *groups_[k], here);
      case work_item::form::reduce:
        break;
      case work_item::form::other:
        break;
    }
    item_boundary edge(*this, k);
    run_template(owner_, item.made, edge, here);
  }

  void store_fill(node& n, call_site here) {
    const auto bytes = std::get<std::array<std::byte, 16>>(n.detail);
    const simple_distribution where = n.placement.distribution_of(n.shape, owner_.devices());
    array_base made = owner_.ctx().empty(n.shape, dtype::make(n.type), where, here);
    if (n.size() > 0) made.fill_bytes({bytes.data(), dtype::make(n.type).size}, here);
    store(owner_, n, std::move(made));
  }

  void run_pointwise(const work_item& item, const group& made, call_site here) {
    for (const node_ptr& n : item.made) take_old_array(owner_, n, made);
    if (element_count(made.domain) > 0) launch_pointwise(owner_, made, here);
    for (const node_ptr& n : item.made) {
      if (n->array.record() == nullptr)
        n->array = owner_.ctx().empty(n->shape, dtype::make(n->type), automatic(), here);
      finish_overwriting(*n);
      store(owner_, *n, n->array);
    }
  }

  /// The first place where a node is computed, and whether there are others.
  struct uses {
    std::size_t item = 0;
    int map = 0;
    bool are_several = false;
  };
  void note_use(const node& n, std::size_t item, int map) {
    uses& known = computed_.try_emplace(&n, uses{item, map}).first->second;
    known.are_several = known.are_several || known.item != item || known.map != map;
  }

  graph& owner_;
  planning_memory own_memory_;
  mutable std::pmr::monotonic_buffer_resource memory_{own_memory_.data(), own_memory_.size()};
  cone cone_;
  std::vector<work_item> items_;
  std::vector<std::unique_ptr<group>> groups_;  // of pointwise items
  std::pmr::unordered_map<const node*, std::size_t> item_of_{&memory_};
  std::pmr::unordered_map<const node*, uses> computed_{&memory_};
  std::set<const node*> separate_;  // kept nodes that must not join others
};

}  // namespace

void carry_out(graph& owner, std::span<const node_ptr> roots, call_site here) { flush_plan(owner, roots).run(here); }

std::string explain_plan(graph& owner, const node_ptr& root) {
  if (root->is_stored()) return "its elements are stored\n";
  return flush_plan(owner, {&root, 1}).describe();
}

}  // namespace tessera::nd
