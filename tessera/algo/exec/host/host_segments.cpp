#include "tessera/algo/exec/host/host_segments.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tessera/algo/exec/host/host_inputs.h"
#include "tessera/algo/exec/segments/segment_text.h"
#include "tessera/base/checked.h"

namespace tessera::algo {
namespace {

/// Combines one segment after the other, in the order of the kernel that is printed.
class segments_body {
 public:
  segments_body(const call& bound, const op& combine, const op* last, std::int64_t bytes, bool has_start)
      : inputs_(bound, 0, has_start ? 4 : 3),
        combine_(combine.host.called()),
        stored_(last == nullptr ? host_copy(bytes) : last->host.called()),
        bytes_(bytes),
        width_(last == nullptr ? bytes : last->text->results.at(0).element.size),
        has_start_(has_start) {}

  void operator()(native_call& native) const {
    const box& points = native.points();
    const std::int64_t first = points.lo[0] / segment_threads, last = ceil_div(points.hi[0], segment_threads);
    native.parallel_for(last - first, [&](std::int64_t k) { run_group(native, first + k); });
  }

 private:
  void run_group(const native_call& native, std::int64_t block) const {
    const std::int64_t* const groups = native.data<std::int64_t>(2);
    const std::int64_t* const offsets = native.data<std::int64_t>(1);
    std::vector<std::byte> values, sum(static_cast<std::size_t>(bytes_));
    for (std::int64_t s = groups[block]; s < groups[block + 1]; ++s) {
      const std::int64_t count = offsets[s + 1] - offsets[s];
      values.resize(static_cast<std::size_t>(count * bytes_));
      if (count > 0) compute(native, offsets[s], count, values.data());
      fold(native, values.data(), count, sum.data());
      host_argument row;
      row.data = sum.data();
      std::byte* const out = native.array(0).data + s * width_;
      stored_.row(stored_.function.get(), &row, 1, &out);
    }
  }

  void compute(const native_call& native, std::int64_t first, std::int64_t count, std::byte* to) const {
    host_position p;
    p.at[0] = first;
    inputs_.compute(native, p, count, &to);
  }

  void join(const std::byte* a, const std::byte* b, std::int64_t count, std::byte* result) const {
    combine_rows(combine_, bytes_, a, b, count, result);
  }

  /// `values` combined, behind the start if there is one; changes `values`.
  void fold(const native_call& native, std::byte* values, std::int64_t count, std::byte* sum) const {
    const auto size = static_cast<std::size_t>(bytes_);
    std::int64_t left = count;
    if (count > short_segment) {
      const std::int64_t lanes = segment_lanes;
      for (std::int64_t at = lanes; at < count; at += lanes)
        join(values, values + at * bytes_, std::min(lanes, count - at), values);
      for (std::int64_t half = lanes / 2; half > 0; half /= 2) join(values, values + half * bytes_, half, values);
      left = 1;
    }
    if (has_start_)
      std::memcpy(sum, native.scalar_bytes(3).data(), size);
    else
      std::memcpy(sum, values, size);
    for (std::int64_t k = has_start_ ? 0 : 1; k < left; ++k) join(sum, values + k * bytes_, 1, sum);
  }

  host_inputs inputs_;
  host_code combine_, stored_;
  std::int64_t bytes_, width_;
  bool has_start_;
};

}  // namespace

native_kernel host_segments(const call& bound, const op& combine, const op* last, std::int64_t bytes, bool has_start) {
  return segments_body(bound, combine, last, bytes, has_start);
}

}  // namespace tessera::algo
