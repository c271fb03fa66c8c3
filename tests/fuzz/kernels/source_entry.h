#pragma once

#include <span>
#include <vector>

#include "tessera/base/reduction.h"
#include "tests/fuzz/frame/random.h"
#include "tests/fuzz/program/program.h"
#include "tests/fuzz/program/thread.h"

namespace tessera::fuzz {

/// The arrays a launch of the source pool is drawn for.
struct source_shapes {
  std::vector<int_list> shapes;
  int_list pitch;  ///< Elements between neighbours: on the first axis of each array, then on the second of each.
};

/// One kernel of the source pool: its text and, written independently, what it declares and what it does.
struct source_entry {
  struct need {
    element type = element::i32;
    std::size_t rank = 1;
  };
  const char* name;
  const char* text;
  std::vector<need> arrays;
  int_list block;
  bool by_block;  ///< `reference` does a whole block, given its first thread; rules by block names likewise.
  char op;        ///< Of combining rules; letters are operations of the kernel's own.

  /// Draws threads and scalars.
  void (*size)(random_source& random, const source_shapes& arrays, int_list& threads, int_list& scalars);
  /// The rules of each array, over the names of `standard_names`.
  std::vector<std::vector<rule>> (*rules)(const int_list& scalars);
  void (*reference)(const grid& g, std::span<const memory_view> arrays, const int_list& scalars,
                    std::span<const std::int64_t> x);
  const char* cpu_text = "";  ///< For CPU devices, instead of `text`; empty: none.
};

// Short names for what entries are made of.

using rules_of = std::vector<std::vector<rule>>;
using views = std::span<const memory_view>;
using point_of = std::span<const std::int64_t>;

/// Signed numbers that wrap, as unsigned ones.
[[nodiscard]] inline std::uint32_t u(std::int32_t v) { return static_cast<std::uint32_t>(v); }
[[nodiscard]] inline std::int32_t s(std::uint32_t v) { return static_cast<std::int32_t>(v); }

/// i, j, k: global; bi, bj, bk: block.
[[nodiscard]] std::vector<bound> standard_names();

/// All kernels: element by element, with neighbours, those whose blocks work together, those with a text for CPUs,
/// those with variables at file scope, those that count in 64 bits or in steps of the grid, and those that reduce by
/// operations of their own.
[[nodiscard]] const std::vector<source_entry>& source_entries();

[[nodiscard]] std::vector<source_entry> element_kernels();
[[nodiscard]] std::vector<source_entry> stencil_kernels();
[[nodiscard]] std::vector<source_entry> block_kernels();
[[nodiscard]] std::vector<source_entry> row_kernels();
[[nodiscard]] std::vector<source_entry> variable_kernels();
[[nodiscard]] std::vector<source_entry> loop_kernels();
[[nodiscard]] std::vector<source_entry> registered_kernels();

/// What a kernel of the pool registers for rules of `op`: nothing for built-in operations.
[[nodiscard]] std::vector<registered_reduction> reductions_of(char op);

// Extents that several kernels share.

inline void threads_of_first(random_source& random, const source_shapes& a, int_list& threads, int_list& scalars) {
  threads = {a.shapes[0][0] + (random.percent(20) ? random.in(0, 5) : 0)};
  scalars = {a.shapes[0][0], a.shapes.size() > 1 ? a.shapes[1][0] : 0, random.in(1, 7)};
}

inline void threads_as_first(random_source&, const source_shapes& a, int_list& threads, int_list& scalars) {
  threads = {a.shapes[0][0]};
  scalars = {a.shapes[0][0], a.shapes[1][0]};
}

inline void size_2d(random_source& random, const source_shapes& a, int_list& threads, int_list& scalars) {
  const int_list& to = a.shapes[0];
  threads = {to[1] + (random.percent(20) ? 3 : 0), to[0]};
  scalars = {to[0], to[1], a.pitch[0]};
  if (a.shapes.size() > 1) scalars.insert(scalars.end(), {a.shapes[1][0], a.shapes[1][1], a.pitch[1]});
}

// Short ways to write rules. Names are indices into standard_names.

inline constexpr int name_i = 0, name_j = 1, name_k = 2, name_bi = 3, name_bj = 4;

[[nodiscard]] inline index_expr affine(int name, std::int64_t factor = 1, std::int64_t constant = 0) {
  index_expr e;
  e.terms = {{name, factor}};
  e.constant = constant;
  return e;
}
[[nodiscard]] inline index_spec point(index_expr e) { return {std::move(e), std::nullopt, true, 1}; }
[[nodiscard]] inline index_spec slice(index_expr first, index_expr last, std::int64_t step = 1) {
  return {std::move(first), std::move(last), false, step};
}
[[nodiscard]] inline index_spec all() { return {}; }
[[nodiscard]] inline index_spec around(int name, std::int64_t before, std::int64_t after) {
  return slice(affine(name, 1, -before), affine(name, 1, after));
}
[[nodiscard]] inline rule declares(access mode, std::vector<index_spec> indices) {
  return {mode, std::move(indices), false};
}

/// The element at these indices.
template <class T>
T& at(const memory_view& a, std::initializer_list<std::int64_t> x) {
  std::byte* e = a.data;
  std::size_t k = 0;
  for (const std::int64_t v : x) e += v * a.strides[k++];
  return *reinterpret_cast<T*>(e);
}
template <class T>
T at_or(const memory_view& a, std::initializer_list<std::int64_t> x, T otherwise) {
  std::size_t k = 0;
  for (const std::int64_t v : x)
    if (v < 0 || v >= a.shape[k++]) return otherwise;
  return at<T>(a, x);
}
inline bool inside(const memory_view& a, std::initializer_list<std::int64_t> x) {
  std::size_t k = 0;
  for (const std::int64_t v : x)
    if (v < 0 || v >= a.shape[k++]) return false;
  return true;
}

}  // namespace tessera::fuzz
