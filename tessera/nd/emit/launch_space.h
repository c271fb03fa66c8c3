#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tessera/nd/fuse/access.h"
#include "tessera/nd/fuse/group.h"

namespace tessera::nd {

class graph;

/// The domain of a group on the three axes of a launch, and all the numbers that its kernel gets with it. Several axes
/// of the domain may run along one axis of the launch, the last one fastest. A thread block has a tile of each axis.
///
/// `numbers` holds, in the order in which kernels declare them: the extents of the domain; the tiles along x, y and z
/// and the logarithm of the first; for windows lo and hi of each axis; for each access the first element and the
/// strides.
class launch_space {
 public:
  static constexpr std::int64_t tile_elements = 1024, row_elements = 256;  ///< Of a tile, and of each of its rows.
  static constexpr std::int64_t most_blocks = 65535;                       ///< Of a grid along y and z, on GPUs.

  /// For pointwise groups: x runs along the last axis of the domain, y along the one before it, z through all others.
  /// A tile has a power of two elements along x.
  [[nodiscard]] static launch_space pointwise(const group& made, const graph& owner);
  /// For others: axis j of the domain runs along axis `along[j]` of the launch. Those of one axis of the launch must
  /// follow each other; only they are joined where memory allows it.
  [[nodiscard]] static launch_space along_axes(const group& made, std::span<const int> along,
                                               const std::array<std::int64_t, 3>& tiles);

  [[nodiscard]] const access_space& space() const { return space_; }
  [[nodiscard]] int axes() const { return space_.domain.rank(); }
  [[nodiscard]] bool has_window() const { return has_window_; }
  [[nodiscard]] const std::vector<std::int64_t>& numbers() const { return numbers_; }
  /// Where on x the first thread block begins; such launches go through a part of the domain.
  void set_origin(std::int64_t place) { origin_ = place; }
  [[nodiscard]] std::optional<std::int64_t> origin() const { return origin_; }
  /// How many pieces of a sequence along y a tile has, where each of them has a result.
  void set_pieces(std::int64_t count) { pieces_ = count; }
  [[nodiscard]] std::optional<std::int64_t> pieces() const { return pieces_; }
  /// Thread blocks.
  [[nodiscard]] extents grid() const;

  /// The axis of the launch that axis j of the domain runs along.
  [[nodiscard]] int launch_axis(int j) const { return along_[static_cast<std::size_t>(j)]; }
  [[nodiscard]] int launch_axes() const;
  [[nodiscard]] std::int64_t tile(int launch_axis) const { return tiles_[static_cast<std::size_t>(launch_axis)]; }
  /// How many indices run along an axis of the launch.
  [[nodiscard]] std::int64_t length(int launch_axis) const;
  /// True if axis j is the only one of the domain on its axis of the launch.
  [[nodiscard]] bool is_alone(int j) const;
  /// True if the indices of a tile on axis j follow each other, so that its first and last one tell all.
  [[nodiscard]] bool is_aligned(int j) const;
  /// How far apart on the axis of the launch indices on axis j of the domain are.
  [[nodiscard]] std::int64_t below(int j) const;

 private:
  launch_space(const group& made, bool keeps_axes);
  void collapse(std::vector<char> fixed);
  void choose_tiles(bool tiny);
  void list_numbers();

  access_space space_;
  bool has_window_ = false;
  std::optional<std::int64_t> origin_, pieces_;
  std::vector<int> along_;
  std::array<std::int64_t, 3> tiles_{1, 1, 1};
  std::vector<std::int64_t> numbers_;
};

/// Where the numbers of a space with so many axes lie.
struct space_layout {
  int axes = 1;
  bool has_window = false;

  [[nodiscard]] std::size_t extent(int axis) const { return static_cast<std::size_t>(axis); }
  [[nodiscard]] std::size_t tile(int which) const { return static_cast<std::size_t>(axes + which); }
  [[nodiscard]] std::size_t window_lo(int axis) const { return static_cast<std::size_t>(axes + 4 + axis); }
  [[nodiscard]] std::size_t window_hi(int axis) const { return static_cast<std::size_t>(2 * axes + 4 + axis); }
  [[nodiscard]] std::size_t first(int access) const {
    return static_cast<std::size_t>(axes + 4 + (has_window ? 2 * axes : 0) + access * (axes + 1));
  }
  [[nodiscard]] std::size_t stride(int access, int axis) const {
    return first(access) + 1 + static_cast<std::size_t>(axis);
  }
};

}  // namespace tessera::nd
