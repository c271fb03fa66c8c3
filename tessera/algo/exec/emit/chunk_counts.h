#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/algo/container/counted_size.h"
#include "tessera/algo/exec/emit/emit_parts.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// How many elements of each chunk of `emit_chunk` a flag holds for, counted by one launch where the elements are. The
/// host reads the counts when it is asked for them: 8 bytes per chunk, on every rank.
class chunk_counts {
 public:
  /// Returns at once. `algorithm` is for messages and traces.
  chunk_counts(const char* algorithm, const sequence& flags, const context& ctx, call_site here);

  [[nodiscard]] const sequence& flags() const { return flags_; }
  [[nodiscard]] context ctx() const { return ctx_; }
  [[nodiscard]] const device_choice& where() const { return where_; }
  /// Those of the chunks; see `chunk_parts`.
  [[nodiscard]] const std::vector<slab>& parts() const { return parts_; }
  /// A launch of a thread block per chunk, where the chunks are.
  [[nodiscard]] launch_options settings(const std::string& name) const;

  /// Where results stand that are kept for flags that hold, or do not: `offsets` has the place of the first
  /// one of each chunk, and how many there are in all; `rows` the same as a table for annotations.
  struct places {
    std::vector<std::int64_t> offsets;
    intervals rows;
  };
  /// Waits the first time. Throws `out_of_memory` where there is no memory for the counts.
  [[nodiscard]] const places& places_of(bool wanted);
  [[nodiscard]] bool is_read() const { return !places_[1].offsets.empty(); }
  /// How many there are in all; of a context with one device without the host, unless it has read the counts.
  [[nodiscard]] counted_size total(bool wanted);

  // For kernels: the counts, and those of the chunks up to and with each one.

  [[nodiscard]] const operand& counts() const { return counts_; }
  [[nodiscard]] const operand& sums();

 private:
  void count();
  void read();
  void sum_up();

  const char* algorithm_;
  sequence flags_;
  context ctx_;
  call_site site_;
  device_choice where_{};
  std::vector<slab> parts_{};
  operand counts_{}, sums_{};
  counted_size held_{};
  places places_[2];  // of what does not hold, and of what does
};

}  // namespace tessera::algo
