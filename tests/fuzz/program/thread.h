#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "tests/fuzz/program/program.h"

/// What one thread of a random kernel does.
namespace tessera::fuzz {

inline constexpr std::size_t max_axes = 8;

/// An array argument in memory: element x lies at data + sum(x[k] * strides[k]), strides in bytes. No data: null.
struct memory_view {
  std::byte* data = nullptr;
  int_list strides, shape;
};

/// The index space of a launch, x first.
struct grid {
  int_list size;   ///< Threads.
  int_list block;  ///< Threads per block, as many axes.
};

/// The values of a kernel's bound names in the thread at `x`.
inline void bind_names(const kernel& k, const grid& g, std::span<const std::int64_t> x, std::span<std::int64_t> out) {
  for (std::size_t n = 0; n < k.names.size(); ++n) {
    const auto axis = static_cast<std::size_t>(k.names[n].axis);
    const std::int64_t at = axis < x.size() ? x[axis] : 0, block = axis < x.size() ? g.block[axis] : 1;
    switch (k.names[n].from) {
      case bound::kind::global:
        out[n] = at;
        break;
      case bound::kind::block:
        out[n] = at / block;
        break;
      default:
        out[n] = at % block;
    }
  }
}

inline std::int64_t evaluate(const index_expr& e, std::span<const std::int64_t> names) {
  std::int64_t v = e.constant;
  for (const index_expr::term& t : e.terms) v += t.factor * names[static_cast<std::size_t>(t.name)];
  v = values::floor_div(v, e.divide);
  if (e.modulo > 0) v = values::floor_mod(v, e.modulo);
  return v + e.added;
}

/// True if no name that occurs in the rule is clipped away by its `< c`.
inline bool applies(const kernel& k, const rule& r, std::span<const std::int64_t> names) {
  const auto inside = [&](const std::optional<index_expr>& e) {
    if (!e) return true;
    for (const index_expr::term& t : e->terms) {
      const auto n = static_cast<std::size_t>(t.name);
      if (k.names[n].below && names[n] >= *k.names[n].below) return false;
    }
    return true;
  };
  for (const index_spec& i : r.indices)
    if (!inside(i.first) || !inside(i.last)) return false;
  return true;
}

/// Indices first, first + step, ... <= last on every axis of an index space.
struct index_box {
  std::array<std::int64_t, max_axes> first{}, last{}, step{};
  std::size_t rank = 0;
};

/// Calls f(std::byte*) for every element of `a` that `bounds` names, through the view if there is one. What lies
/// outside is left out.
template <class F>
void visit(const parameter& p, const memory_view& a, index_box bounds, F f) {
  const int_list& space = p.view ? p.view->shape : a.shape;
  const std::int64_t elements = volume(a.shape), element_size = size_of(p.type);
  for (std::size_t k = 0; k < bounds.rank; ++k) {
    std::int64_t& first = bounds.first[k];
    if (first < 0) first += (-first + bounds.step[k] - 1) / bounds.step[k] * bounds.step[k];
    bounds.last[k] = std::min(bounds.last[k], space[k] - 1);
    if (first > bounds.last[k]) return;
  }
  if (elements == 0) return;
  std::array<std::int64_t, max_axes> x = bounds.first;
  while (true) {
    std::int64_t offset = 0;
    if (p.view) {
      for (std::size_t k = 0; k < bounds.rank; ++k) offset = offset * space[k] + x[k];
      offset += p.view->offset;
      offset = offset < elements ? offset * element_size : -1;
    } else {
      for (std::size_t k = 0; k < bounds.rank; ++k) offset += x[k] * a.strides[k];
    }
    if (offset >= 0) f(a.data + offset);
    std::size_t k = bounds.rank;
    while (k > 0 && (x[k - 1] += bounds.step[k - 1]) > bounds.last[k - 1]) x[k - 1] = bounds.first[k - 1], --k;
    if (k == 0) return;
  }
}

/// The elements of one axis that row `number` of a table names: none if there is no such row.
inline void put_row(const row_table& t, std::int64_t number, index_box& b, std::size_t axis) {
  const bool exists = number >= 0 && number < t.size();
  b.first[axis] = exists ? t.lo[static_cast<std::size_t>(number)] : 0;
  b.last[axis] = exists ? t.hi[static_cast<std::size_t>(number)] - 1 : -1;
  b.step[axis] = 1;
}

/// The indices of a rule in the thread whose names have these values.
inline index_box indices_of(const kernel& in, const parameter& p, const memory_view& a, const rule& r,
                            std::span<const std::int64_t> names) {
  const int_list& space = p.view ? p.view->shape : a.shape;
  index_box b;
  b.rank = space.size();
  for (std::size_t k = 0; k < b.rank; ++k) {
    b.last[k] = space[k] - 1;
    b.step[k] = 1;
    if (r.indices.empty()) continue;
    const index_spec& i = r.indices[k];
    b.step[k] = i.step;
    if (i.first) b.first[k] = evaluate(*i.first, names);
    if (i.last) b.last[k] = evaluate(*i.last, names);
    if (i.is_point) b.last[k] = b.first[k];
    if (i.table >= 0) put_row(in.tables[static_cast<std::size_t>(i.table)], b.first[k], b, k);
  }
  return b;
}

/// True for the first thread of each block.
inline bool is_leader(const grid& g, std::span<const std::int64_t> x) {
  for (std::size_t k = 0; k < x.size(); ++k)
    if (x[k] % g.block[k] != 0) return false;
  return true;
}

/// True if the rule tells threads apart along `axis`.
inline bool uses_threads_of(const kernel& k, const rule& r, std::size_t axis) {
  const auto uses = [&](const std::optional<index_expr>& e) {
    if (!e) return false;
    for (const index_expr::term& t : e->terms) {
      const bound& n = k.names[static_cast<std::size_t>(t.name)];
      if (n.from == bound::kind::global && static_cast<std::size_t>(n.axis) == axis) return true;
    }
    return false;
  };
  for (const index_spec& i : r.indices)
    if (uses(i.first) || uses(i.last)) return true;
  return false;
}

/// True if the thread carries out the rule: of a rule for leaders, the first along axes that the rule does not use.
inline bool carries_out(const kernel& k, const grid& g, const rule& r, std::span<const std::int64_t> x) {
  if (!r.leader) return true;
  for (std::size_t a = 0; a < x.size(); ++a)
    if (x[a] % g.block[a] != 0 && !uses_threads_of(k, r, a)) return false;
  return true;
}

/// Calls f(parameter, rule, element) for every element that the thread at `x` touches.
template <class F>
void visit_thread(const kernel& k, const grid& g, std::span<const memory_view> arrays, std::span<const std::int64_t> x,
                  F f) {
  std::array<std::int64_t, 16> storage{};
  const std::span<std::int64_t> names(storage.data(), k.names.size());
  bind_names(k, g, x, names);
  for (std::size_t p = 0; p < k.parameters.size(); ++p) {
    if (arrays[p].data == nullptr) continue;
    for (const rule& r : k.parameters[p].rules) {
      if (r.mode == access::none || !applies(k, r, names) || !carries_out(k, g, r, x)) continue;
      visit(k.parameters[p], arrays[p], indices_of(k, k.parameters[p], arrays[p], r, names),
            [&](std::byte* e) { f(k.parameters[p], r, e); });
    }
  }
}

/// Reads, then writes. `combine_into` arrays are those of reduce and atomic rules.
inline void run_thread(const kernel& k, const grid& g, std::span<const memory_view> arrays,
                       std::span<const std::int64_t> x) {
  std::uint64_t h = k.salt;
  for (const std::int64_t v : x) h = values::mix(h, static_cast<std::uint64_t>(v));
  visit_thread(k, g, arrays, x, [&](const parameter& p, const rule& r, std::byte* e) {
    if (r.mode != access::read && r.mode != access::readwrite) return;
    with_type(p.type, [&](auto v) {
      std::memcpy(&v, e, sizeof v);
      h = values::mix(h, values::load(v));
    });
  });
  std::uint64_t n = 0;
  visit_thread(k, g, arrays, x, [&](const parameter& p, const rule& r, std::byte* e) {
    if (!modifies(r.mode)) return;
    const std::uint64_t mixed = values::mix(h, n++);
    with_type(p.type, [&](auto v) {
      using T = decltype(v);
      std::memcpy(&v, e, sizeof v);
      if (r.mode == access::readwrite && mixed % 4 == 0) return;  // readwrite may leave elements as they are
      if constexpr (std::is_arithmetic_v<T>) {
        v = combines(r.mode) ? values::combined(p.op, v, values::contribution<T>(p.op, mixed)) : values::make<T>(mixed);
      } else {
        v = values::make<T>(mixed);
      }
      std::memcpy(e, &v, sizeof v);
    });
  });
}

/// Calls f(x) for all points lo <= x < hi, x fastest.
template <class F>
void visit_points(const int_list& lo, const int_list& hi, F f) {
  for (std::size_t k = 0; k < lo.size(); ++k)
    if (lo[k] >= hi[k]) return;
  int_list x = lo;
  while (true) {
    f(std::span<const std::int64_t>(x));
    std::size_t k = 0;
    while (k < x.size() && ++x[k] == hi[k]) x[k] = lo[k], ++k;
    if (k == x.size()) return;
  }
}

}  // namespace tessera::fuzz
