#pragma once

#include <set>
#include <string>

#include "tessera/nd/emit/text/combine_text.h"

namespace tessera::nd {

/// How the threads of a GPU's block share the sequences of a launch. Thread t of `width` has the elements t,
/// t + width, ... of a piece.
struct gpu_share {
  static constexpr int steps = 32;  ///< Elements of a piece that a thread has, at most.

  int width = 128;            ///< Threads for a piece: a block of one lane a thread, or a warp of four.
  bool in_registers = false;  ///< Elements are loaded once and held; otherwise each pass loads them.

  /// For sequences of `count` elements: a warp has as many elements in registers as a block of a whole piece.
  [[nodiscard]] static int width_for(std::int64_t count) { return count <= 32 * steps ? 32 : 128; }
  /// Elements that a thread loads before it uses one.
  [[nodiscard]] int together() const { return in_registers ? steps : 8; }
  /// "lane", the thread's number among those of a piece, and "thread", its number in its warp.
  [[nodiscard]] std::string threads() const;
  /// Opens the loop over the rows that it has a part of.
  [[nodiscard]] std::string rows(const std::string& indices) const;
  /// Loops of a thread over its elements of a piece: `loads`, then `body`. In both: k, and e if there is a body.
  [[nodiscard]] std::string loop(const std::string& loads, const std::string& body) const;
  /// The first half of that, where elements are in registers.
  [[nodiscard]] std::string load_loop(const std::string& loads) const;
};

/// True if all elements of a piece can be held in registers: few bytes, and little to compute 32 times.
[[nodiscard]] bool fits_registers(const group& made, const std::set<int>& accesses, std::int64_t more_bytes);

/// Functions of the texts below: the value of the thread `distance` further in its warp, and of the first one.
[[nodiscard]] std::string warp_functions();

/// Combines the elements of a piece on a GPU. Each thread has four lanes of each state, lanes0[0] to lanes0[3], of
/// which passes over elements use one if a block works together; the fold leaves the result in lanes0[0].
class gpu_piece_text : public combine_text {
 protected:
  using combine_text::combine_text;

  void set_share(const gpu_share& share) { share_ = share; }
  [[nodiscard]] const gpu_share& share() const { return share_; }

  /// Memory of a block for both passes; `turns`: pieces follow each other without a barrier between them.
  [[nodiscard]] std::string gpu_memory(const std::string& indent, bool turns) const;
  /// Lanes of a pass.
  [[nodiscard]] std::string gpu_lanes(bool second, const std::string& indent) const;
  /// Goes through the piece; `more` is done with each element of the first pass.
  [[nodiscard]] std::string gpu_pass(bool second, const std::string& more = {}) const;
  /// `all`: every thread gets the result, not only the first.
  [[nodiscard]] std::string gpu_fold(bool second, bool all, bool turns) const;

 private:
  gpu_share share_;
};

}  // namespace tessera::nd
