#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/fuzz/program/values.h"

/// A random program as plain data: made whole by the generator, changed by the shrinker, carried out by the reference
/// and by Tessera, printed as C++. Nothing in it depends on Tessera.
namespace tessera::fuzz {

using int_list = std::vector<std::int64_t>;

/// Half-open ranges, one per axis.
struct span_box {
  int_list lo, hi;
  bool operator==(const span_box&) const = default;
};

enum class element : std::uint8_t { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, boolean, triple, rgb };
inline constexpr int element_count = 13;

/// Calls f with a default value of the C++ type.
template <class F>
auto with_type(element e, F f) {
  switch (e) {
    case element::i8:
      return f(std::int8_t{});
    case element::i16:
      return f(std::int16_t{});
    case element::i32:
      return f(std::int32_t{});
    case element::i64:
      return f(std::int64_t{});
    case element::u8:
      return f(std::uint8_t{});
    case element::u16:
      return f(std::uint16_t{});
    case element::u32:
      return f(std::uint32_t{});
    case element::u64:
      return f(std::uint64_t{});
    case element::f32:
      return f(float{});
    case element::f64:
      return f(double{});
    case element::boolean:
      return f(bool{});
    case element::triple:
      return f(values::triple{});
    default:
      return f(values::rgb{});
  }
}

inline bool is_struct(element e) { return e == element::triple || e == element::rgb; }
inline bool is_float(element e) { return e == element::f32 || e == element::f64; }
inline std::int64_t size_of(element e) {
  return with_type(e, [](auto zero) { return static_cast<std::int64_t>(sizeof zero); });
}

/// floor((sum of factor * name + constant) / divide) mod modulo + added.
struct index_expr {
  struct term {
    int name = 0;  ///< Index into kernel::names.
    std::int64_t factor = 1;
    bool operator==(const term&) const = default;
  };
  std::vector<term> terms;
  std::int64_t constant = 0;
  std::int64_t divide = 1;
  std::int64_t modulo = 0;  ///< 0: none.
  std::int64_t added = 0;
  bool as_let = false;  ///< Written as a let in the annotation.
  bool operator==(const index_expr&) const = default;
};

/// The indices of one axis; absent ends are the array's own.
struct index_spec {
  std::optional<index_expr> first, last;
  bool is_point = false;  ///< `first` alone.
  std::int64_t step = 1;
  int table = -1;  ///< Of kernel::tables: `first` alone says which of its rows.
  bool operator==(const index_spec&) const = default;
};

enum class access : std::uint8_t { none, read, write, readwrite, reduce, atomic };
inline bool combines(access a) { return a == access::reduce || a == access::atomic; }
inline bool modifies(access a) { return a >= access::write; }

struct rule {
  access mode = access::read;
  std::vector<index_spec> indices;  ///< Empty: the whole array.
  bool leader = false;              ///< Carried out once per block on axes whose threads it does not name.
  bool operator==(const rule&) const = default;
};

/// `as [shape] at offset`.
struct storage_view {
  int_list shape;
  std::int64_t offset = 0;
  bool open = false;  ///< The first extent is written as `:`.
  bool operator==(const storage_view&) const = default;
};

struct parameter {
  element type = element::i32;
  bool is_const = false;
  char op = '+';  ///< For reduce and atomic: + * < > & | ^ as in values.h; letters in kernels of the source pool.
  std::optional<storage_view> view;
  std::vector<rule> rules;
  bool operator==(const parameter&) const = default;
};

struct bound {
  enum class kind : std::uint8_t { global, block, local };
  kind from = kind::global;
  int axis = 0;
  std::optional<std::int64_t> below;
  bool operator==(const bound&) const = default;
};

/// A table of intervals: lo <= x < hi for each row.
struct row_table {
  int_list lo, hi;
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(lo.size()); }
  bool operator==(const row_table&) const = default;
};

/// A kernel whose every thread mixes all it reads, in the order of the rules, and then writes.
struct kernel {
  std::vector<bound> names;  ///< At most one per kind and axis.
  std::vector<parameter> parameters;
  std::vector<row_table> tables;
  std::uint64_t salt = 0;
  bool single = false;
  int scalars = 0;  ///< How many constants of the annotation are scalar arguments.
  bool operator==(const kernel&) const = default;
};

/// An array of the program: handle slot and a box of what it holds. Slot -1 is a null pointer.
struct argument_spec {
  int slot = -1;
  span_box part;
  bool operator==(const argument_spec&) const = default;
};

struct distribution {
  enum class kind : std::uint8_t { automatic, blocks, rows, columns, tiles, replicated, on_device, listed };
  kind form = kind::automatic;
  int_list tile;
  int_list halo;  ///< Empty: none; one width: on all axes. Of tiles and listed parts.
  bool cyclic = false;
  int device = 0;
  std::vector<std::pair<span_box, int>> parts;  ///< For listed.
};

struct create_op {
  enum class kind : std::uint8_t { empty, zeros, full, from };
  int slot = 0;
  element type = element::i32;
  int_list shape;
  distribution placement;
  kind contents = kind::zeros;
  std::uint64_t seed = 0;
};
struct drop_op {
  int slot = 0;
};
/// slot = a view of what another slot holds.
struct view_op {
  int slot = 0;
  argument_spec from;
};
struct fill_op {
  argument_spec to;
  std::uint64_t seed = 0;
};
/// Who takes part in an exchange with host memory: every rank, every rank with its own elements, or one of them (any
/// number: the remainder by the number of ranks counts).
inline constexpr int every_rank = -1, own_parts = -2;
struct write_op {
  argument_spec to;
  std::uint64_t seed = 0;
  bool async = false;  ///< Every rank takes part, then.
  int rank = every_rank;
};
struct read_op {
  argument_spec from;
  bool async = false;
  int rank = every_rank;
};
/// Takes the value of one element, gives it to every element of `to`, and looks at it in the end.
struct value_op {
  argument_spec from, to;
  int rank = every_rank;  ///< Which rank reads it.
  bool direct = false;    ///< An array of rank 0 is given to the kernel itself.
};
struct swap_op {
  int a = 0, b = 0;
};
struct wait_op {};

/// Thread blocks of a launch along one axis, behind those of the slab before it, and their device. The last one has all
/// that are left.
struct slab {
  std::int64_t blocks = 0;
  int device = 0;
  bool operator==(const slab&) const = default;
};

struct launch_op {
  enum class split : std::uint8_t { automatic, blocks, like, whole, slabs, on_device };
  kernel definition;
  int source = -1;     ///< A kernel of the source pool instead of `definition`.
  int_list scalars;    ///< For source kernels.
  int_list drawn_for;  ///< For source kernels: the threads, shapes and pitches that the scalars suit.
  std::vector<argument_spec> arguments;
  int_list threads;  ///< Points, x first.
  bool by_grid = false;
  int_list block;
  split split_form = split::automatic;
  int_list pieces;  ///< For blocks: threads per superblock.
  int follow = 0;   ///< For like: the argument.
  std::vector<slab> slabs;
  int axis = -1;          ///< Of the slabs; -1: left out.
  int device = 0;         ///< For on_device.
  int times = 1;          ///< Repeated launches, one after the other,
  bool exchange = false;  ///< with the first two arguments exchanged each time.
};

/// Brings the devices that a launch names into those that exist.
inline void limit_devices(launch_op& l, int devices) {
  l.device %= devices;
  for (slab& s : l.slabs) s.device %= devices;
}

using operation =
    std::variant<create_op, drop_op, view_op, fill_op, write_op, read_op, value_op, swap_op, wait_op, launch_op>;

struct program {
  std::string kind = "cpu";       ///< Of the devices.
  std::vector<int> devices{1};    ///< Per rank.
  std::uint64_t delivery = 0;     ///< Seed of the order in which messages arrive; 0: as sent.
  std::uint64_t disturbance = 0;  ///< Seed of random delays of device work; 0: none.
  std::string tier;               ///< Of source kernels; empty: chosen.
  bool check_unwritten = false;
  bool check_access = false;  ///< Of source kernels, which are then other code: nothing that is right may be refused.
  bool deterministic = false;
  std::int64_t small = 0;  ///< Launches of at most so many bytes are not cut; 0: all are.
  int memory = 0;          ///< 0: no limits; 1 to 100: from the least possible memory of a device to hardly a limit.
  int host = 0;            ///< Host memory for what leaves devices, in percent of all arrays.
  std::vector<operation> operations;

  [[nodiscard]] int all_devices() const {
    int sum = 0;
    for (const int d : devices) sum += d;
    return sum;
  }
};

inline constexpr int slot_count = 8;

/// Number of elements.
inline std::int64_t volume(const int_list& shape) {
  std::int64_t v = 1;
  for (const std::int64_t n : shape) v *= n;
  return v;
}
inline int_list shape_of(const span_box& b) {
  int_list s = b.hi;
  for (std::size_t k = 0; k < s.size(); ++k) s[k] -= b.lo[k];
  return s;
}

}  // namespace tessera::fuzz
