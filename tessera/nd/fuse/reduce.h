#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tessera/nd/fuse/group.h"
#include "tessera/nd/fuse/reduction_functions.h"

namespace tessera::nd {

class graph;

/// Reductions that one launch carries out.
inline constexpr std::size_t most_reductions = 8;
/// True if two reductions can be carried out by one launch: along the same axes of arrays of one shape.
[[nodiscard]] bool can_reduce_together(const node& a, const node& b);

/// Where the elements of one result lie.
enum class reduction_form : std::uint8_t {
  inner,  ///< One behind the other: the last axis is combined.
  outer,  ///< Across the last axis, which is kept.
};

/// The axes of an array in the order in which a reduction goes through them; those of one element belong to none.
struct reduction_axes {
  reduction_form form = reduction_form::inner;
  index_map map;               ///< From the domain, with its axes in that order, to the array.
  int kept = 0, combined = 0;  ///< Axes of the domain.
  std::int64_t rows = 1;       ///< Results but for the last kept axis of `outer`.
  std::int64_t columns = 1;    ///< The last kept axis of `outer`.
  std::int64_t count = 1;      ///< Elements of each result.
  reduction_axes() = default;
  reduction_axes(const extents& shape, const std::array<bool, max_rank>& is_combined);
  /// With one axis as the sequence, behind all others; the form is `inner`.
  [[nodiscard]] static reduction_axes of_sequence(const extents& shape, int axis);
};

/// Reductions along the same axes: lane states for the elements of a domain whose axes are, for `inner`, those that are
/// kept and then those that are combined; for `outer`, those that are kept but for the last, those that are combined,
/// and the last one that is kept.
struct reduce_group : reduction_axes {
  group elements;  ///< Its outputs are the lane states; they are not stored.
  std::vector<reduction> wanted;
  std::vector<node_ptr> stored;                      ///< Reductions, and nodes computed of their results.
  std::vector<kernels::expression::value> finished;  ///< Their values, in the last launch.

  /// Elements become results without states of chunks between them.
  [[nodiscard]] bool is_one_launch() const { return chunks() == 1; }
  [[nodiscard]] std::int64_t chunks() const;
  /// Writes the values of what is stored down, behind everything else.
  void add_finished(group_builder& builder);
};
/// `stored` are some of `reductions`, and nodes that `edge` lets a group compute of their results.
[[nodiscard]] reduce_group make_reduce_group(std::span<const node_ptr> reductions, std::span<const node_ptr> stored,
                                             group_builder::boundary& edge);

/// Carries reductions out together and stores `stored`.
void run_reductions(graph& owner, std::span<const node_ptr> reductions, std::span<const node_ptr> stored,
                    group_builder::boundary& edge, call_site here);
/// Carries out a node that is neither pointwise nor a reduction, or tells how.
[[nodiscard]] std::string describe_template(graph& owner, const node_ptr& made, group_builder::boundary& edge);
void run_template(graph& owner, const node_ptr& made, group_builder::boundary& edge, call_site here);

}  // namespace tessera::nd
