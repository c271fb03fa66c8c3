#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tessera/algo/exec/emit/chunk_counts.h"

namespace tessera::algo {

/// The first `count` elements of an output, of a call that writes at most `most`. Throws `argument_error` if it has
/// fewer.
[[nodiscard]] operand beginning_of(const operand& output, std::int64_t count, std::int64_t most, const char* algorithm,
                                   call_site here);

/// Which elements of sequences of one size are kept: those whose flag is `wanted`. They keep their order, and are
/// computed and written where they rest. How many these are is counted per chunk, by a launch.
///
/// On several devices the host reads the counts before it makes outputs, the only wait: what is written is divided by
/// them. On one device whose memory has room for all elements, outputs of all elements are written without it, and who
/// asks for their size waits.
class emission {
 public:
  /// Counts, in the context of what is read or written. `algorithm` is for messages and traces.
  emission(const char* algorithm, const sequence& flags, bool wanted, const context& ctx, call_site here);
  /// The elements that this one does not keep; nothing is counted again.
  [[nodiscard]] emission complement() const;

  [[nodiscard]] const char* algorithm() const { return algorithm_; }
  /// How many are kept; waits for the counts.
  [[nodiscard]] std::int64_t size() const { return counts_->places_of(wanted_).offsets.back(); }
  /// How many are kept, without a wait where that can be.
  [[nodiscard]] counted_size count() const { return counts_->total(wanted_); }
  /// True if the host knows how many are kept.
  [[nodiscard]] bool is_counted() const { return counts_->is_read(); }
  /// How many elements there are, kept or not.
  [[nodiscard]] std::int64_t total() const { return flags().size; }
  [[nodiscard]] context ctx() const { return counts_->ctx(); }

  /// New containers of these types for what is kept of `values`, in the parts in which it is found: `layout()` of them
  /// shows these. Where no size is known they have room for all elements until it is asked for.
  [[nodiscard]] std::vector<operand> rooms(const std::vector<dtype>& types, const std::vector<sequence>& values) const;
  /// The beginnings of outputs that what is kept of `values` is written to: `size()` elements, or, where that is not
  /// known, as many as there may be. Throws `argument_error` if there are too few.
  [[nodiscard]] std::vector<operand> beginnings(const std::vector<operand>& outputs,
                                                const std::vector<sequence>& values) const;
  /// The first elements of `output` that what is kept fills. Waits. Throws `argument_error` if they are too few.
  [[nodiscard]] operand beginning_of(const operand& output) const {
    return algo::beginning_of(output, size(), total(), algorithm_, site_);
  }
  /// Element k of `to[j]` becomes the k-th element of `values[j]` that is kept; one launch. Throws `argument_error`
  /// for values of another number of elements, for outputs that neither hold `size()` elements of their type nor come
  /// from `rooms` or `beginnings`, and for those that share elements with what is read or with each other.
  void write(const std::vector<sequence>& values, const std::vector<operand>& to) const;

  // For other kernels that write what is kept, a thread block per chunk.

  [[nodiscard]] const sequence& flags() const { return counts_->flags(); }
  [[nodiscard]] call_site site() const { return site_; }
  /// True if the launch that writes `values` to these outputs can be told which elements of them it writes, by a table
  /// `rows` of its annotation: it is then divided. Else the host does not know.
  [[nodiscard]] bool has_rows(const std::vector<sequence>& values, const std::vector<operand>& to) const;
  /// A launch of a thread block per chunk, where the chunks are.
  [[nodiscard]] launch_options settings(const std::string& name, bool with_rows) const;
  /// Notes where the outputs of such a launch are from then on.
  void note_written(const call& bound, const std::vector<operand>& to) const;
  /// What `emit_text` calls `sums` and `counts`, as arguments.
  void add_counts(std::vector<argument>& arguments) const;
  /// Throws `argument_error` unless the output holds what is kept in elements of type `type` one behind the other and
  /// shares none of them with what is read.
  void require_output(const operand& to, const dtype& type, const std::vector<call>& reads, bool with_rows) const;

 private:
  /// True if what is read and outputs of `bytes` for each element fit the memory of the one device there is.
  [[nodiscard]] bool fits_whole(const std::vector<sequence>& values, std::int64_t bytes) const;
  [[nodiscard]] kernel compiled(const std::vector<call>& bound, const std::vector<operand>& to, bool with_rows) const;
  [[nodiscard]] std::vector<argument> arguments(const std::vector<call>& bound, const std::vector<operand>& to,
                                                bool with_rows) const;

  const char* algorithm_;
  bool wanted_;
  call_site site_;
  std::shared_ptr<chunk_counts> counts_;
};

/// How launches with and without rows access their outputs.
[[nodiscard]] constexpr access access_of_outputs(bool with_rows) {
  return with_rows ? access::write : access::readwrite;
}

/// Throws `argument_error` if two outputs of calls of `kept` share elements.
void require_apart(const emission& kept, const operand& a, const operand& b, call_site here);

}  // namespace tessera::algo
