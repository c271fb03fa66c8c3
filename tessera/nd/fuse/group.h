#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <vector>

#include "tessera/kernel/scalar/expression.h"
#include "tessera/nd/fuse/access.h"
#include "tessera/nd/graph/node.h"

namespace tessera::nd {

/// An array that a group reads or writes.
struct group_array {
  node_ptr version;  ///< Whose elements it has, or will have.
  scalar_kind type{};
  extents seen;  ///< The shape that accesses see: its own, or another of as many elements.
  bool is_written = false;
  bool is_whole = false;  ///< Any element may be read.
};

/// What one parameter of the group's function gets.
struct group_parameter {
  enum class source : std::uint8_t {
    element,   ///< What access `which` loads.
    place,     ///< The index on axis `which` of the domain.
    scalar,    ///< The one element of `group::scalars[which]`.
    position,  ///< Of reductions: the number of the element in the sequence that is combined.
    result,    ///< What reduction `which` of the launch has given.
    kept,      ///< Of rows: value `which` of the element, kept since it was computed.
  };
  source from{};
  int which = 0;
  scalar_kind type{};
};

struct group_output {
  kernels::expression::value value = 0;
  int access = 0;
  node_ptr made;    ///< What it stores; null where that is a part of an array only.
  int source = -1;  ///< An access whose element, as far away along an axis as `value` tells, is stored; -1: `value` is.
  int numbers = 0;  ///< With a source: its numbers in the function's state, extent of that axis and stride.
};

/// Operations that one launch carries out: a function of scalars over a domain, and what its parameters and results
/// are. The pointwise part of every template. A value without handles: arrays exist when it is launched.
struct group {
  static constexpr std::size_t most_arrays = 24;
  static constexpr std::size_t most_outputs = 16;
  static constexpr std::size_t most_steps = 200;

  extents domain;
  kernels::expression body;
  std::vector<group_parameter> parameters;
  std::vector<group_array> arrays;
  std::vector<array_access> accesses;
  std::vector<node_ptr> scalars;
  std::vector<group_output> outputs;
  /// Where the domain is only in part computed: that part, and the parameter that the rest is a copy of.
  std::optional<box> window;
  int outside = 0;

  bool has_fast = false, has_strict = false;  ///< Operations that may be rounded together, and others.

  [[nodiscard]] bool uses_places() const;
  [[nodiscard]] bool is_fast() const { return has_fast && !has_strict; }
  /// To be called for each operation that computes with elements.
  void note_operation(const node& n) { (n.is_fast ? has_fast : has_strict) = true; }
};

/// Of each parameter, whether one of `values` needs it.
[[nodiscard]] std::vector<bool> needed_parameters(const group& made,
                                                  std::span<const kernels::expression::value> values);

/// Writes the operations of nodes down as a group.
class group_builder {
 public:
  /// What a node is to the group: one whose elements are loaded, or an operation of its own.
  class boundary {
   public:
    virtual ~boundary() = default;
    [[nodiscard]] virtual bool is_loaded(const node& n) const = 0;
    /// The reduction of the same launch that has the element of `n` at the place that `map` says, where that is needed;
    /// -1: none has.
    [[nodiscard]] virtual int result_at(const node&, const index_map&) const { return -1; }
    /// Called for each node that is computed, with a number that tells index maps apart.
    virtual void note_computed(const node& n, int map) = 0;
  };

  group_builder(const extents& domain, boundary& edge);
  /// From now on a group that accesses more places of arrays, with that of a result, is too large.
  void limit_accesses(std::size_t most) { most_accesses_ = most; }

  /// The value of node `n` at the place that `map`, from the domain, says. Throws `group_too_large`.
  kernels::expression::value value(const node_ptr& n, const index_map& map);
  kernels::expression::value value(const node_ptr& n) { return value(n, index_map::identity(made_.domain)); }
  /// An access to all or a part of an array that is to be written.
  int add_store(const node_ptr& version, const index_map& map);
  int add_store(const node_ptr& version, const view& elements);
  /// An access to an array of which any element may be read.
  int add_source(const node_ptr& version, const index_map& map);
  /// The value of node `n` from now on: what is kept as value `which`.
  void keep(const node_ptr& n, const index_map& map, int which);
  /// The number of the element in the sequence that a reduction combines.
  kernels::expression::value position();
  [[nodiscard]] group& made() { return made_; }

 private:
  using value_type = kernels::expression::value;
  value_type computed(const node_ptr& n, const index_map& map);
  value_type loaded(const node_ptr& n, const index_map& map);
  value_type loaded_flat(const node_ptr& n, const view& elements, const index_map& map);
  value_type load(array_access access, scalar_kind type);
  value_type scalar(const node_ptr& n);
  value_type add_parameter(group_parameter made);
  int number_of(const index_map& map);
  value_type constant(scalar_kind type, const std::byte* bytes);
  value_type place(int axis);
  value_type place_along(const index_map::term& term);
  int array_index(const node_ptr& version, const extents& seen, bool written);
  array_access access_to(const node_ptr& version, const view& elements, const index_map& map, bool written);
  void check_size() const;

  group made_;
  boundary& edge_;
  std::size_t most_accesses_ = std::numeric_limits<std::size_t>::max();
  std::vector<index_map> maps_;
  std::array<std::byte, 4096> own_memory_;
  std::pmr::monotonic_buffer_resource memory_{own_memory_.data(), own_memory_.size()};
  std::pmr::map<std::pair<const node*, int>, value_type> known_{&memory_};
};

/// Thrown while a group is made that would have too many operations or arrays: something on the way must be stored.
struct group_too_large {};

}  // namespace tessera::nd
