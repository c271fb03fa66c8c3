#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/region_frame.h"
#include "tessera/algo/exec/skeleton_options.h"

namespace tessera::algo {

/// How far a function looks around an element, and what it sees where there is none.
struct stencil {
  std::vector<std::int64_t> radius;  ///< Per axis of a region.
  edge_kind edge = edge_kind::duplicate;
  argument padding{};
  int along = -1;  ///< The axis of a matrix along which regions of one axis lie; -1: regions have all axes.
};

/// Elements whose neighbours all exist are one launch without checks; those within the radius of an edge are thin
/// boxes, two for each axis, and launches with checks. Each is a map of a box. An output may be an element argument of
/// the call, element for element, and no other of its arguments. Throws `argument_error`.
class stencil_launch {
 public:
  stencil_launch(const call& bound, std::vector<operand> outputs, const stencil& shape,
                 const skeleton_options& options);
  void launch() const;
  [[nodiscard]] std::string explain() const;
  /// The kernels that `launch` runs, for tests.
  [[nodiscard]] std::vector<kernel_text> texts() const;

 private:
  /// Elements that one launch computes.
  struct piece {
    box part;
    int thin = -1;  ///< The axis at whose edge it lies; axes behind it are whole. -1: inside.
  };
  [[nodiscard]] int rank() const { return whole_.rank(); }
  void check_regions() const;
  void check_reach(const op_parameter& parameter, std::size_t place) const;
  [[nodiscard]] std::vector<piece> pieces() const;
  [[nodiscard]] std::int64_t reach(const bound_argument& region, int axis) const;
  [[nodiscard]] bool wraps(const piece& p) const { return p.thin >= 0 && stencil_.edge == edge_kind::cyclic; }
  /// True if the piece has both edges of `axis`, so that neighbours may be anywhere on it.
  [[nodiscard]] bool is_whole(const piece& p, int axis) const {
    return axis > p.thin && radius_[static_cast<std::size_t>(axis)] > 0;
  }
  [[nodiscard]] region_frame frame_of(const piece& p) const;
  void add_let(const piece& p, const bound_argument& region, std::size_t place, region_frame& frame) const;
  /// What a region argument needs of its container, in the indices of all elements.
  [[nodiscard]] box needed(const piece& p, const bound_argument& region) const;
  /// Edges are not cut as the program wants it for all elements, but run on the device that it names, or beside the
  /// inside on the devices that it lists; else where they are at home: what is too little to matter to the planner has
  /// its neighbours there.
  [[nodiscard]] skeleton_options options_for(const piece& p, const operand& output) const;
  template <class Use>
  void with_piece(const piece& p, Use use) const;

  const call& bound_;
  std::vector<operand> outputs_;
  const stencil& stencil_;
  skeleton_options options_;
  extents whole_;                     // shape of the elements
  std::vector<int> axes_;             // along which neighbours lie
  std::vector<std::int64_t> radius_;  // per axis of the elements
};

}  // namespace tessera::algo
