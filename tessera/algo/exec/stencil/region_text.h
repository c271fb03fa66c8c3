#pragma once

#include <string>
#include <vector>

#include "tessera/algo/exec/call.h"
#include "tessera/algo/exec/region_frame.h"

namespace tessera::algo {

/// How the kernel of a stencil gets a region argument, what its annotation says about it, and what the operator is
/// called with. Kernels count the elements of the frame's box with `i0`, `i1`, ...; `o0`, `o1`, ... is where the box
/// begins, `w0`, `w1`, ... the shape of all elements.
struct region_text {
  const region_frame& frame;
  std::string name;
  std::string type;

  [[nodiscard]] std::string parameters() const;
  /// The neighbours of a thread block, and at an edge those on the opposite sides: distances are in the frame's `let`.
  [[nodiscard]] std::string rules() const;
  [[nodiscard]] std::string value() const;

 private:
  [[nodiscard]] int rank() const { return frame.whole.rank(); }
  [[nodiscard]] std::string stride_on(int axis) const;
  [[nodiscard]] std::string place() const;
  [[nodiscard]] std::string rule(const std::string& shift) const;
};

/// What distinguishes the texts of frames.
[[nodiscard]] std::string region_key(const region_frame& frame);
/// The parameters that all regions of a kernel share, and the arguments for them.
[[nodiscard]] std::string frame_parameters(const region_frame& frame);
void add_frame_arguments(const region_frame& frame, std::vector<argument>& arguments);
/// The arguments for `region_text::parameters()` behind the array.
void add_region_arguments(const region_frame& frame, const bound_argument& region, std::vector<argument>& arguments);

}  // namespace tessera::algo
