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
#include "tessera/nd/emit/node_name.h"
#include "tessera/nd/emit/reduce_launch.h"
#include "tessera/nd/emit/rows_launch.h"
#include "tessera/nd/fuse/cone.h"
#include "tessera/nd/fuse/group.h"
#include "tessera/nd/fuse/grouping.h"
#include "tessera/nd/fuse/reduce.h"
#include "tessera/nd/fuse/update.h"
#include "tessera/nd/graph/graph.h"

namespace tessera::nd {
namespace {

constexpr int cheap = 32;  // operations that are rather done twice than stored

class flush_plan {
 public:
  flush_plan(graph& owner, std::span<const node_ptr> roots) : owner_(owner), cone_(roots), grouping_(cone_) {
    while (!try_to_plan()) {
    }
  }

  void run(call_site here) {
    const std::vector<std::vector<std::size_t>> finished = find_last_uses();
    for (std::size_t k = 0; k < items().size(); ++k) {
      run(items()[k], k, here);
      groups_[k].reset();
      grouping_.let_go(k);
      for (const std::size_t place : finished[k]) let_go(place);
    }
  }

  [[nodiscard]] std::string describe() {
    std::string text;
    const auto is_launch = [](const work_item& item) { return item.as != work_item::form::none; };
    const auto launches = std::count_if(items().begin(), items().end(), is_launch);
    std::int64_t number = 0;
    for (std::size_t k = 0; k < items().size(); ++k) {
      const work_item& item = items()[k];
      if (!is_launch(item)) continue;
      text += cat("launch ", ++number, " of ", launches, ": ", item.made.size(), " result(s) of shape ",
                  to_string(item.made.back()->shape), "\n");
      for (const node_ptr& n : item.made) text += describe(*n, item);
      text += describe(item, k);
    }
    return text;
  }

 private:
  /// A result: what it is, where it was recorded, and why it is a result.
  [[nodiscard]] std::string describe(const node& n, const work_item& item) const {
    const bool is_passed_on = is_passed(n, item);
    return cat("  ", name_of(n), " of ", n.site.file, ":", n.site.line, is_passed_on ? ", not stored: " : ", stored: ",
               is_passed_on ? "only this launch needs it" : text_of(cone_.reason_of(n)), "\n");
  }

  [[nodiscard]] std::string describe(const work_item& item, std::size_t k) {
    noting_boundary edge(*this, k);
    switch (item.as) {
      case work_item::form::fill:
        return "  a constant: no elements are written\n";
      case work_item::form::pointwise:
        return describe_pointwise(owner_, *groups_[k]);
      case work_item::form::reduce:
        return describe_reduction(owner_, make_reduce_group(item.reductions(), item.made, edge));
      case work_item::form::rows:
        return describe_rows(owner_, make_rows_group(item.request(item.made), edge));
      default:
        return describe_template(owner_, item.made[0], edge);
    }
  }

  /// Notes what is computed, and where.
  class noting_boundary final : public grouping::boundary {
   public:
    noting_boundary(flush_plan& plan, std::size_t item)
        : grouping::boundary(plan.grouping_, item), plan_(plan), item_(item) {}
    void note_computed(const node& n, int map) override { plan_.note_use(n, item_, map); }

   private:
    flush_plan& plan_;
    std::size_t item_;
  };

  [[nodiscard]] const std::vector<work_item>& items() const { return grouping_.items(); }

  bool try_to_plan() {
    groups_.clear();
    computed_.clear();
    grouping_.assign_all();
    groups_.resize(items().size());
    for (std::size_t k = 0; k < items().size(); ++k)
      if (items()[k].as == work_item::form::pointwise && !build(k)) return false;
    for (const node_ptr& n : cone_.order()) {
      const auto uses = computed_.find(n.get());
      if (uses == computed_.end() || !uses->second.are_several || n->kind != node_kind::map) continue;
      if (cone_.weight(*n) <= cheap) continue;
      cone_.keep(*n, keep_reason::several);
      return false;
    }
    return true;
  }

  /// False if something else must be kept, and everything planned again.
  bool build(std::size_t item) {
    noting_boundary edge(*this, item);
    group_builder builder(items()[item].domain, edge);
    builder.limit_accesses(owner_.most_accesses());
    const node* last = nullptr;
    try {
      for (const node_ptr& n : items()[item].made) {
        last = n.get();
        const auto value = builder.value(n);
        const int access = builder.add_store(n, index_map::identity(n->shape));
        if (planted("output_elided") && items()[item].made.size() > 1 && !cone_.is_root(*n))
          builder.made().accesses.pop_back(), builder.made().arrays.pop_back();
        else
          builder.made().outputs.push_back({value, access, n});
      }
    } catch (const group_too_large&) {
      make_smaller(items()[item], *last);
      return false;
    }
    groups_[item] = std::make_unique<group>(std::move(builder.made()));
    return true;
  }

  /// The group had no room for `last`: it gets one of its own, or a part of it is kept.
  void make_smaller(const work_item& item, const node& last) {
    if (item.made.size() > 1 && grouping_.separate(last)) return;
    if (!cone_.keep_part_of(last, keep_reason::no_room))
      throw argument_error("an operation on arrays takes too many of them");
  }

  void run(const work_item& item, std::size_t k, call_site here) {
    switch (item.as) {
      case work_item::form::fill:
        return store_fill(*item.made[0], here);
      case work_item::form::pointwise:
        return run_pointwise(item, *groups_[k], here);
      case work_item::form::reduce:
      case work_item::form::rows:
        return run_reductions(item, k, here);
      case work_item::form::none:
        return;
      case work_item::form::other:
        break;
    }
    noting_boundary edge(*this, k);
    run_template(owner_, item.made[0], edge, here);
  }

  void run_reductions(const work_item& item, std::size_t k, call_site here) {
    std::vector<node_ptr> stored, passed;
    for (const node_ptr& n : item.made) (is_passed(*n, item) ? passed : stored).push_back(n);
    noting_boundary edge(*this, k);
    if (item.as == work_item::form::rows)
      run_rows(owner_, item.request(stored), edge, here);
    else
      nd::run_reductions(owner_, item.reductions(), stored, edge, here);
    for (const node_ptr& n : passed) drop(*n);
  }

  /// True for a reduction that only the rest of its own item is made of. With several ranks handles may live on one and
  /// not on another, so that there all reductions are stored.
  [[nodiscard]] bool is_passed(const node& n, const work_item& item) const {
    if (n.kind != node_kind::reduce || owner_.has_ranks() || cone_.is_root(n)) return false;
    std::set<const node*> seen;
    return !can_be_needed(n, item, seen);
  }
  /// True if a handle stands for `n` or for something that is computed of it on the way, or another launch needs it.
  [[nodiscard]] bool can_be_needed(const node& n, const work_item& item, std::set<const node*>& seen) const {
    if (!seen.insert(&n).second) return false;
    if (n.handles > 0 && !planted("handle_ignored")) return true;
    int inside = 0;
    for (const node_ptr& user : cone_.order()) {
      if (!user) continue;  // let go of
      const auto uses = std::count_if(user->operands.begin(), user->operands.end(),
                                      [&](const node_ptr& operand) { return operand.get() == &n; });
      inside += static_cast<int>(uses);
      if (uses == 0 || item.makes(*user)) continue;
      if (cone_.is_kept(*user) || can_be_needed(*user, item, seen)) return true;
    }
    return n.readers != inside;
  }

  /// For each item the nodes that no later one needs, by their places in the cone's order.
  [[nodiscard]] std::vector<std::vector<std::size_t>> find_last_uses() const {
    std::unordered_map<const node*, std::size_t> last;
    std::vector<std::vector<std::size_t>> finished(items().size());
    for (std::size_t place = cone_.order().size(); place-- > 0;) {  // users before operands
      const node& n = *cone_.order()[place];
      const std::size_t own = cone_.is_kept(n) ? grouping_.item_of(n) : last[&n];
      finished[std::max(own, last[&n])].push_back(place);
      for (const node_ptr& operand : n.operands)
        if (operand) last[operand.get()] = std::max(last[operand.get()], own);
    }
    return finished;
  }

  void let_go(std::size_t place) {
    node& n = *cone_.order()[place];
    if (!n.is_stored() && computed_.contains(&n)) ++n.passes;
    owner_.let_go(n);
    cone_.let_go(place);
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
  std::pmr::monotonic_buffer_resource memory_{own_memory_.data(), own_memory_.size()};
  cone cone_;
  grouping grouping_;
  std::vector<std::unique_ptr<group>> groups_;  // of pointwise items
  std::pmr::unordered_map<const node*, uses> computed_{&memory_};
};

}  // namespace

void carry_out(graph& owner, std::vector<node_ptr> roots, call_site here) {
  flush_plan plan(owner, roots);
  roots.clear();
  plan.run(here);
}

std::string explain_plan(graph& owner, const node_ptr& root) {
  if (root->is_stored()) return "its elements are stored\n";
  return flush_plan(owner, {&root, 1}).describe();
}

}  // namespace tessera::nd
