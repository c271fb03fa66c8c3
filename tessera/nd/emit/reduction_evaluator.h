#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tessera/kernel/scalar/evaluate.h"
#include "tessera/nd/fuse/reduction_functions.h"

namespace tessera::nd {

/// The order in which elements are combined, the same for every number of devices, ranks and bytes of memory, for
/// kernels and for host values.
///
/// Along a sequence: a piece is 4096 elements, element i of it goes to lane i mod 128, the elements of a lane are
/// combined in order, and lanes are folded by halves. A chunk is 2^j pieces, combined in order, with the least j that
/// leaves at most 4096 chunks; these are combined like the elements of a piece.
///
/// Where the sequence runs across an axis that is kept and lies inside of it, rows are combined in order in pieces of
/// 64, and so are the results of pieces, until there is one.
struct reduction_order {
  static constexpr std::int64_t piece = 4096;
  static constexpr int lanes = 128;
  static constexpr std::int64_t most_chunks = 4096;
  static constexpr std::int64_t rows = 64;
  /// Elements of a chunk of a sequence of `count`.
  [[nodiscard]] static std::int64_t chunk(std::int64_t count);
};

/// Carries reductions out without a compiler, with the bits of the printed kernels. Immutable; may be used by several
/// threads.
class reduction_evaluator {
 public:
  explicit reduction_evaluator(const reduction_functions& functions);

  /// Writes the lane states of `count` elements from element `first` of a sequence on, each state one behind the other.
  using sequence = std::function<void(std::int64_t first, std::int64_t count, std::span<std::byte* const> to)>;
  /// Combines elements [first, limit), at least one, into one piece state at `to`.
  void fold(std::int64_t first, std::int64_t limit, const sequence& elements, std::span<std::byte* const> to) const;

  /// Writes the lane states of a row of `width` columns.
  using row = std::function<void(std::int64_t which, std::span<std::byte* const> to)>;
  /// Combines rows [first, limit) into one piece state per column.
  void fold_rows(std::int64_t first, std::int64_t limit, std::int64_t width, const row& elements,
                 std::span<std::byte* const> to) const;

  /// `into` with `from`, element by element.
  void merge(std::span<std::byte* const> into, std::span<std::byte* const> from, std::int64_t count) const;
  /// The results of `count` piece states.
  void finish(std::span<std::byte* const> states, std::span<const double> divisors,
              std::span<const kernels::evaluator::target> results, std::int64_t count) const;

  [[nodiscard]] const std::vector<scalar_kind>& lanes() const { return lanes_; }
  [[nodiscard]] const std::vector<scalar_kind>& pieces() const { return pieces_; }
  [[nodiscard]] const std::vector<scalar_kind>& results() const { return results_; }

 private:
  struct buffers;
  void fold_lanes(const kernels::evaluator& combine, std::span<std::byte* const> states,
                  std::span<const scalar_kind> types, std::int64_t count) const;
  void fold_piece(std::int64_t begin, std::int64_t count, const sequence& elements, buffers& with,
                  std::span<std::byte* const> to) const;
  void square(std::span<std::byte* const> elements, std::span<std::byte* const> means, std::int64_t means_step,
              std::span<std::byte* const> to, std::int64_t count) const;
  void make_piece(std::span<std::byte* const> lanes, std::span<std::byte* const> squares, double count,
                  std::span<std::byte* const> to, std::int64_t width) const;

  std::vector<scalar_kind> lanes_, averages_, squares_, pieces_, results_;
  kernels::evaluator combine_, means_, square_, add_, piece_, merge_, finish_;
};

}  // namespace tessera::nd
