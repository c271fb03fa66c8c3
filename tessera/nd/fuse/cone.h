#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tessera/nd/fuse/group.h"
#include "tessera/nd/graph/node.h"

namespace tessera::nd {

/// Where tables of a plan begin, so that small plans allocate nothing for them.
using planning_memory = std::array<std::byte, 8192>;

/// The nodes without elements that some roots are made of, and which of them get elements: what was asked for, what
/// cannot be computed on the way to something else, and what would make a group too large.
class cone {
 public:
  explicit cone(std::span<const node_ptr> roots);

  /// Operands before what is made of them.
  [[nodiscard]] const std::vector<node_ptr>& order() const { return order_; }
  [[nodiscard]] bool is_kept(const node& n) const { return kept_.contains(&n); }
  /// Forgets the node at a place of the order.
  void let_go(std::size_t place) { order_[place].reset(); }
  /// Decides that `n` gets elements.
  void keep(const node& n) { kept_.insert(&n); }
  [[nodiscard]] bool is_root(const node& n) const { return roots_.contains(&n); }
  /// Operations that computing `n` takes, from elements that are there or are kept.
  [[nodiscard]] int weight(const node& n) const;
  /// Keeps the heaviest operand on the way to `n` that is not kept; false if there is none.
  bool keep_part_of(const node& n);

 private:
  void visit(const node_ptr& n);
  void mark(const node& n);
  int exact_weight(const node& n) const;

  planning_memory own_memory_;
  std::pmr::monotonic_buffer_resource memory_{own_memory_.data(), own_memory_.size()};
  std::vector<node_ptr> order_;
  std::pmr::unordered_set<const node*> visited_{&memory_}, kept_{&memory_}, roots_{&memory_};
  mutable std::pmr::unordered_map<const node*, int> weights_{&memory_};
};

/// True for nodes that a group can compute on the way to others.
[[nodiscard]] bool is_pointwise(const node& n);

}  // namespace tessera::nd
