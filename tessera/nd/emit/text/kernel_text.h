#pragma once

#include <string>

#include "tessera/nd/emit/launch_space.h"
#include "tessera/nd/fuse/group.h"

namespace tessera::nd {

/// Threads of a block of pointwise kernels.
inline constexpr int pointwise_threads = 256;

/// A kernel as text for each kind of device.
struct kernel_text {
  std::string name;
  std::string text;      ///< CUDA.
  std::string cpu_text;  ///< A row of thread blocks per call (rule H22).
};

/// What every kernel of arrays begins with: functions that CUDA does not have, the struct of the numbers of the
/// launch's space (`nd_space`) and that of the numbers of its function (`nd_numbers`).
[[nodiscard]] std::string kernel_head(const group& made, const launch_space& space);
/// The kernel's parameters: `nd_space s`, `nd_numbers f` if there are some, the arrays, then one-element arrays by
/// value, `q0`, ...
[[nodiscard]] std::string parameter_list(const group& made);
/// Where the parameters stand in that list.
struct parameter_places {
  explicit parameter_places(const group& made);
  int space = 0, numbers = -1, arrays = 1, scalars = 1, end = 1;
};

/// Statements that load the function's parameters, `p0`, ..., from arrays at the place of x, or of the pointers of
/// `row_pointers` where those are used.
[[nodiscard]] std::string load_text(const group& made, const launch_space& space, bool from_rows,
                                    const std::string& indent);
/// Declarations of pointers l0, l1, ... to where the accesses are on the row of x = 0.
[[nodiscard]] std::string row_pointers(const group& made, const launch_space& space, const std::string& indent);
/// The element of access k at x, by its row pointer or by the array.
[[nodiscard]] std::string element_text(const group& made, const launch_space& space, int access, bool from_row);
/// What is stored for an output: its value, or the element of its source that its value tells; indices count from the
/// end if negative, and places beyond the source stop at it.
[[nodiscard]] std::string stored_text(const group& made, const launch_space& space, const group_output& output,
                                      bool from_row);
/// "x", "y", or "i0": the index on axis j of the domain.
[[nodiscard]] std::string place_name(int axis, int axes);
/// Statements that give the axes beyond the third their indices, from z.
[[nodiscard]] std::string decompose_z(int axes, const std::string& indent);

/// Appends what these texts depend on to a key.
void append_text_key(std::string& key, const group& made, const launch_space& space);

}  // namespace tessera::nd
