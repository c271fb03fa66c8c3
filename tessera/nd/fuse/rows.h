#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tessera/nd/fuse/reduce.h"

namespace tessera::nd {

class graph;

/// Rows that reductions and what is made of elements and their results go through together: a row stays in a cache
/// until all is done with it, so that it is read once. A row is at most one piece of a reduction.
inline constexpr std::int64_t longest_row = 4096;

/// True if `reduced` combines rows, the last axes of an array of `shape`, of at most `longest_row` elements.
[[nodiscard]] bool is_row_reduction(const node& reduced, const extents& shape);
/// True if `map`, from the domain of rows, finds for each element what the reduction `reduced` has of its row.
[[nodiscard]] bool is_own_row(const node& reduced, const index_map& map);

/// Reductions of rows that need nothing of each other.
struct row_stage {
  std::vector<reduction> wanted;
  std::vector<kernels::expression::value> lanes;  ///< The lane states of an element.
  int first_result = 0;                           ///< Of all results of the rows.
};

/// A value of the elements of a row that a later stage needs again, so that it is kept.
struct kept_value {
  kernels::expression::value value = 0;
  scalar_kind type{};
  std::size_t stage = 0;  ///< That computes it.
  bool is_used = false;
};

/// Reductions of rows, stage by stage, and nodes that are computed of elements and results.
struct rows_group : reduction_axes {
  group elements;  ///< Its outputs are stored, element by element.
  std::vector<row_stage> stages;
  std::vector<kept_value> kept;
  std::vector<node_ptr> stored;                      ///< Nodes with one element per row.
  std::vector<kernels::expression::value> finished;  ///< Their values.
};

/// What one launch over rows carries out.
struct rows_request {
  std::vector<std::vector<node_ptr>> stages;  ///< Reductions.
  std::vector<node_ptr> elements;             ///< Nodes of the shape that is reduced.
  std::vector<node_ptr> stored;               ///< Nodes with one element per row that are stored.
};
/// Throws `group_too_large`, also where something needs the result of another row.
[[nodiscard]] rows_group make_rows_group(const rows_request& wanted, group_builder::boundary& edge);
void run_rows(graph& owner, const rows_request& wanted, group_builder::boundary& edge, call_site here);

}  // namespace tessera::nd
