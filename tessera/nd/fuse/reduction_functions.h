#pragma once

#include <span>
#include <vector>

#include "tessera/kernel/scalar/expression.h"
#include "tessera/nd/graph/reduction.h"

namespace tessera::nd {

/// A function of scalars: parameters by place, and its results.
struct scalar_function {
  kernels::expression body;
  std::vector<kernels::expression::value> results;
};

/// One of the reductions that a launch carries out.
struct reduction {
  reduction_spec spec;
  scalar_kind result{};
};

/// How some reductions combine elements, as functions of scalars that kernels print and the evaluator runs.
///
/// Elements become *lane states*, which `combine` combines. The lanes of a piece (fuse/reduce.h has the order) become a
/// *piece state*. For most reductions that is the lane state itself; for variances the piece is gone through twice, so
/// that distances are taken from its own mean, and pieces are merged by counts, means and sums of squares.
struct reduction_functions {
  std::vector<scalar_kind> lanes, averages, squares, pieces, results;  ///< Types of states, means and results.
  scalar_function combine;       ///< Two lane states, one behind the other -> one.
  scalar_function means;         ///< Lane states of a piece, its number of elements (float64) -> means.
  scalar_function square;        ///< A lane state of one element, means -> squared distances.
  scalar_function add;           ///< Two lists of squared distances -> their sums.
  scalar_function piece;         ///< Lane states and sums of squares of a piece, its number of elements -> its state.
  scalar_function merge;         ///< Two piece states -> one.
  scalar_function finish;        ///< A piece state of everything, divisors (float64) -> results.
  std::vector<double> divisors;  ///< For sequences of `count` elements.

  /// `count`: elements that each result is made of.
  reduction_functions(std::span<const reduction> wanted, std::int64_t count);
  [[nodiscard]] bool has_second_pass() const { return !squares.empty(); }
  /// The functions for states of pieces instead of elements: what combines the results of chunks.
  [[nodiscard]] reduction_functions of_pieces() const;

 private:
  reduction_functions() = default;
};

}  // namespace tessera::nd
