#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tessera/algo/exec/reduce_launch.h"

namespace tessera::algo {

/// Segments of a range: segment s is offsets[s] <= i < offsets[s + 1]. Known to the host, equal on all ranks.
struct segment_list {
  std::vector<std::int64_t> offsets;

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};
/// Throws `argument_error` unless offsets ascend and lie in a range of `size` elements.
void require_segments(const char* algorithm, const segment_list& segments, std::int64_t size, call_site here);

/// Writes `start` combined with what `wanted.bound` computes for the elements of each segment, as `last` shows it if
/// there is one, into `out`. The bound call takes elements from their own places. Segments of more than 2048 elements
/// are combined in pieces of as many; the order depends on the lengths of segments alone. A launch takes from each
/// device, and moves to it, whole segments or pieces and nothing else.
void reduce_each_segment(const reduction& wanted, const segment_list& segments, const std::vector<std::byte>& start,
                         const op* last, const operand& out);

/// Flags, one for each element of the segments, 1 for the first ones.
[[nodiscard]] operand head_flags(const segment_list& segments, const context& ctx, call_site here);
/// Numbers that all ranks know, as elements.
[[nodiscard]] operand numbers_on_devices(std::span<const std::int64_t> numbers, const context& ctx);

}  // namespace tessera::algo
