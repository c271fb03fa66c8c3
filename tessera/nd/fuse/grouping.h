#pragma once

#include <cstdint>
#include <memory_resource>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "tessera/nd/fuse/cone.h"
#include "tessera/nd/fuse/group.h"
#include "tessera/nd/fuse/rows.h"

namespace tessera::nd {

/// Nodes that are stored together, by one launch or the few of a template.
struct work_item {
  enum class form : std::uint8_t {
    fill,
    pointwise,
    reduce,  ///< Reductions along the same axes, and nodes that are computed of their results where those are stored.
    rows,    ///< Reductions of rows, and nodes made of elements and of results of their row.
    other,
    none,  ///< Nothing: others have taken over what it had.
  };
  form as{};
  extents domain;  ///< Of what is stored.
  std::vector<node_ptr> made;
  std::set<const node*> inputs;               ///< That exist before it.
  std::vector<std::vector<node_ptr>> stages;  ///< rows: reductions that need nothing of each other.

  [[nodiscard]] bool makes(const node& n) const;
  /// Those of `made` that are reductions.
  [[nodiscard]] std::vector<node_ptr> reductions() const;
  /// rows: what is carried out, if `stored` of `made` get elements.
  [[nodiscard]] rows_request request(std::span<const node_ptr> stored) const;
};

/// Which of the nodes that get elements are stored together (docs/design/0045). Items come in an order in which each
/// finds what it needs.
class grouping {
 public:
  explicit grouping(const cone& from) : cone_(from) {}

  /// Assigns all kept nodes of the cone anew.
  void assign_all();
  [[nodiscard]] const std::vector<work_item>& items() const { return items_; }
  [[nodiscard]] std::size_t item_of(const node& n) const { return item_of_.at(&n); }
  /// Forgets the nodes of an item, which was carried out.
  void let_go(std::size_t item) { items_[item] = {}; }
  /// From now on `n` joins no other node; false if that is so already.
  bool separate(const node& n) { return separate_.insert(&n).second; }

  /// What nodes are to the groups of an item: those that are kept are loaded, but for its own, which it computes.
  class boundary : public group_builder::boundary {
   public:
    boundary(const grouping& all, std::size_t item) : all_(all), item_(item) {}
    [[nodiscard]] bool is_loaded(const node& n) const override;
    [[nodiscard]] int result_at(const node& n, const index_map& map) const override;
    void note_computed(const node&, int) override {}

   private:
    const grouping& all_;
    std::size_t item_;
  };

 private:
  /// What a kept node is made of.
  struct dependencies {
    std::set<const node*> stored;     ///< Elements that are there.
    std::set<const node*> aligned;    ///< Kept nodes of the same shape, met at their own index alone.
    std::set<const node*> displaced;  ///< Other kept nodes.
  };
  [[nodiscard]] dependencies find_dependencies(const node_ptr& n) const;
  void assign(const node_ptr& n);
  void assign_reduction(const node_ptr& n, const dependencies& needs);
  bool assign_behind_reduction(const node_ptr& n, const dependencies& needs);
  bool assign_rows(const node_ptr& n, const dependencies& needs);
  [[nodiscard]] std::set<std::size_t> row_items(const node& n, const dependencies& needs) const;
  [[nodiscard]] bool can_be_rows(const std::set<std::size_t>& merged, const node& n, const dependencies& needs) const;
  [[nodiscard]] bool is_one_launch(std::size_t item) const;
  [[nodiscard]] bool is_function_of_results(const node_ptr& n, std::size_t item);
  [[nodiscard]] bool can_join(std::size_t item, const node_ptr& n) const;
  void join(std::size_t item, const node_ptr& n, const dependencies& needs);
  void add_item(work_item::form as, const node_ptr& n, const dependencies& needs);

  const cone& cone_;
  planning_memory own_memory_;
  mutable std::pmr::monotonic_buffer_resource memory_{own_memory_.data(), own_memory_.size()};
  std::vector<work_item> items_;
  std::pmr::unordered_map<const node*, std::size_t> item_of_{&memory_};
  std::set<const node*> separate_;  // kept nodes that must not join others
};

}  // namespace tessera::nd
