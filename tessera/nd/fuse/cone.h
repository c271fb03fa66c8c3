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

/// Why a node gets elements of its own.
enum class keep_reason : std::uint8_t {
  asked,       ///< It is a root.
  kind,        ///< It is no operation element by element.
  whole,       ///< What is made of it needs all of it.
  replaced,    ///< More is made of this version of an array than the next one.
  met_again,   ///< It was computed on the way before.
  many_steps,  ///< What is made of it would take too many operations.
  several,     ///< Several launches need it.
  no_room,     ///< A launch had no room for it.
};
[[nodiscard]] const char* text_of(keep_reason why);

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
  void keep(const node& n, keep_reason why) { kept_.try_emplace(&n, why); }
  /// Of a node that is kept: the first reason.
  [[nodiscard]] keep_reason reason_of(const node& n) const { return kept_.at(&n); }
  [[nodiscard]] bool is_root(const node& n) const { return roots_.contains(&n); }
  /// Operations that computing `n` takes, from elements that are there or are kept.
  [[nodiscard]] int weight(const node& n) const;
  /// Keeps the heaviest operand on the way to `n` that is not kept; false if there is none.
  bool keep_part_of(const node& n, keep_reason why);

 private:
  void visit(const node_ptr& n);
  void mark(const node& n);
  int exact_weight(const node& n) const;

  planning_memory own_memory_;
  std::pmr::monotonic_buffer_resource memory_{own_memory_.data(), own_memory_.size()};
  std::vector<node_ptr> order_;
  std::pmr::unordered_set<const node*> visited_{&memory_}, roots_{&memory_};
  std::pmr::unordered_map<const node*, keep_reason> kept_{&memory_};
  mutable std::pmr::unordered_map<const node*, int> weights_{&memory_};
};

/// True for nodes that a group can compute on the way to others.
[[nodiscard]] bool is_pointwise(const node& n);

}  // namespace tessera::nd
