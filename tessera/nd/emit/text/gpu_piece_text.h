#pragma once

#include <set>
#include <string>

#include "tessera/nd/emit/text/combine_text.h"

namespace tessera::nd {

/// How the threads of a GPU's block share the sequences of a launch. Thread t of `width` has the elements t,
/// t + width, ... of a piece.
struct gpu_share {
  static constexpr int together = 8;  ///< Elements that a thread loads before it uses one.

  int width = 128;  ///< Threads for a piece: a block of one lane a thread, or a warp of four.
  /// Elements that a thread has of each full piece, if it may hold these in registers from pass to pass; 0 otherwise.
  /// Where pieces are not full, each pass loads them.
  int held = 0;

  /// For sequences of `count` elements.
  [[nodiscard]] static gpu_share of(std::int64_t count, bool holds);
  /// "lane", the thread's number among those of a piece, and "thread", its number in its warp.
  [[nodiscard]] std::string threads() const;
  /// Opens the loop over the rows that it has a part of.
  [[nodiscard]] std::string rows(const std::string& indices) const;
  /// "n == 4096": the piece is in registers.
  [[nodiscard]] std::string is_full() const;
  /// Goes through a thread's elements of a full piece. In `body`: k and e.
  [[nodiscard]] std::string full_loop(const std::string& body) const;
  /// Goes through a thread's elements of any piece: `loads`, for some elements together, then `body`.
  [[nodiscard]] std::string loop(const std::string& loads, const std::string& body) const;
};

/// True if a thread can hold its elements of a piece: few bytes, and little to compute that often.
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
  /// Goes through a piece whose elements are in h0, h1, ...; `more` as in `gpu_pass`.
  [[nodiscard]] std::string gpu_full_pass(bool second, const std::string& more = {}) const;
  /// `all`: every thread gets the result, not only the first.
  [[nodiscard]] std::string gpu_fold(bool second, bool all, bool turns) const;

 private:
  [[nodiscard]] std::string body(bool second, const std::string& is_first, const std::string& more) const;

  gpu_share share_;
};

}  // namespace tessera::nd
