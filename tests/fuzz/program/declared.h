#pragma once

#include "tests/fuzz/program/thread.h"

/// What parts of a launch declare, by the rules of the annotation language (section A of the semantics), worked out
/// anew and element by element: an independent decision about which splits are legal.
namespace tessera::fuzz {

/// Thread blocks lo <= b < hi of a launch, x first.
struct block_box {
  int_list lo, hi;
};

/// Blocks per axis.
[[nodiscard]] int_list blocks_of(const grid& g);

/// The superblocks of `.split = blocks(pieces)`.
[[nodiscard]] std::vector<block_box> superblocks(const grid& g, const int_list& pieces);

/// The superblocks of a launch that is cut by hand.
[[nodiscard]] std::vector<block_box> superblocks(const grid& g, const launch_op& l);

/// Threads lo <= t < hi and their device.
struct thread_range {
  std::int64_t lo = 0, hi = 0;
  int device = 0;
};

/// The slabs of a launch as threads.
[[nodiscard]] std::vector<thread_range> ranges_of(const launch_op& l);

/// Calls f(std::byte*) for every element that the blocks `part` declare through `r`, padding threads included.
template <class F>
void visit_declared(const kernel& k, const grid& g, const block_box& part, const parameter& p, const memory_view& a,
                    const rule& r, F f);

/// The indices that these blocks declare; several boxes, which may overlap, where rows of tables are named. Interval
/// arithmetic: bounds, not exact sets.
[[nodiscard]] std::vector<index_box> declared_indices(const kernel& k, const grid& g, const block_box& part,
                                                      const int_list& space, const rule& r);

/// Rows first <= r <= last of a table.
struct row_range {
  std::int64_t first = 0, last = -1;
};
/// The rows that all threads of a launch ask for through an index with a table.
[[nodiscard]] row_range rows_asked(const kernel& k, const grid& g, const index_spec& i);
/// Where rows of a table may lie that is used on one axis of `p`, which is given `part` of an array of shape `array`.
[[nodiscard]] row_range reach_of(const parameter& p, const span_box& part, const int_list& array, std::size_t axis);

template <class F>
void visit_declared(const kernel& k, const grid& g, const block_box& part, const parameter& p, const memory_view& a,
                    const rule& r, F f) {
  if (r.mode == access::none) return;
  for (const index_box& b : declared_indices(k, g, part, p.view ? p.view->shape : a.shape, r)) visit(p, a, b, f);
}

}  // namespace tessera::fuzz
