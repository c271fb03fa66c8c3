#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tessera/algo/exec/emit/emit_parts.h"
#include "tessera/algo/view/sequence.h"

namespace tessera::algo {

/// The first `count` elements of an output, of a call that writes at most `most`. Throws `argument_error` if it has
/// fewer.
[[nodiscard]] operand beginning_of(const operand& output, std::int64_t count, std::int64_t most, const char* algorithm,
                                   call_site here);

/// Which elements of sequences of one size are kept: those whose flag is `wanted`. How many these are decides what is
/// launched next, so they are counted per chunk, and the counts read by the host: 8 bytes per `emit_chunk` elements,
/// on every rank, the only wait. Elements keep their order, and are computed and written where they rest.
class emission {
 public:
  /// Counts, in the context of what is read or written. `algorithm` is for messages and traces. Throws `out_of_memory`
  /// where there is no memory for the counts.
  emission(const char* algorithm, const sequence& flags, bool wanted, const context& ctx, call_site here);
  /// The elements that this one does not keep; nothing is counted again.
  [[nodiscard]] emission complement() const;

  [[nodiscard]] const char* algorithm() const { return algorithm_; }
  [[nodiscard]] std::int64_t size() const { return offsets_.back(); }
  /// How many elements there are, kept or not.
  [[nodiscard]] std::int64_t total() const { return flags_.size; }
  [[nodiscard]] context ctx() const { return ctx_; }

  /// A new container for what is kept, in the parts in which it is found: `layout()` of it shows them.
  [[nodiscard]] operand room(const dtype& type) const;
  /// The first elements of `output` that what is kept fills. Throws `argument_error` if they are too few.
  [[nodiscard]] operand beginning_of(const operand& output) const {
    return algo::beginning_of(output, size(), total(), algorithm_, site_);
  }
  /// Element k of `to[j]` becomes the k-th element of `values[j]` that is kept; one launch. Throws `argument_error`
  /// for values of another number of elements, for outputs that do not hold `size()` elements of their type, and for
  /// those that share elements with what is read or with each other.
  void write(const std::vector<sequence>& values, const std::vector<operand>& to) const;

  // For other kernels that write what is kept, a thread block per chunk.

  [[nodiscard]] const sequence& flags() const { return flags_; }
  [[nodiscard]] call_site site() const { return site_; }
  /// A launch of a thread block per chunk, where the chunks are; `rows` of its annotation are places of what is kept.
  [[nodiscard]] launch_options settings(const std::string& name) const;
  /// Notes where the outputs of such a launch are from then on.
  void note_written(const call& bound, const std::vector<operand>& to) const;
  /// The places of what is kept first in each chunk, and of how many elements the flag holds there.
  [[nodiscard]] const operand& begins() const { return begins_; }
  [[nodiscard]] const operand& counts() const { return counts_; }
  /// Throws `argument_error` unless the output holds `size()` elements of type `type` one behind the other and shares
  /// none of them with what is read.
  void require_output(const operand& to, const dtype& type, const std::vector<call>& reads) const;

 private:
  void count();
  void turn();
  void keep_offsets();
  [[nodiscard]] kernel compiled(const std::vector<call>& bound, const std::vector<operand>& to) const;
  [[nodiscard]] std::vector<argument> arguments(const std::vector<call>& bound, const std::vector<operand>& to) const;

  const char* algorithm_;
  sequence flags_;
  bool wanted_;
  call_site site_;
  context ctx_;
  device_choice where_{};
  std::vector<slab> parts_{};
  std::vector<std::int64_t> offsets_{0};  // of each chunk's results, and behind the last one
  intervals rows_{};
  operand counts_{};  // of what holds in each chunk, where the chunks are
  operand begins_{};  // the offsets of chunks, for the devices
};

/// Throws `argument_error` if two outputs of calls of `kept` share elements.
void require_apart(const emission& kept, const operand& a, const operand& b, call_site here);

}  // namespace tessera::algo
