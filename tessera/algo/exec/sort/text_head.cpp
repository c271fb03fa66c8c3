#include "tessera/algo/exec/sort/text_head.h"

#include <string_view>

#include "tessera/algo/embedded_text.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/reduce_launch.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(sort_threads == 256, "the texts below have this number");

/// Where the part of the merge that a thread block makes begins and ends in the left run, as `merge_path` says. Half of
/// the threads look for either end, at 128 places at a time: what a search waits for is memory.
constexpr std::string_view gpu_ends = R"(
  __shared__ long long ends[2], highs[2];
  __shared__ bool passed[256];
  const int which = threadIdx.x / 128, place = threadIdx.x % 128;
  const long long diagonal = which == 0 ? begin : begin + count;
  if (place == 0) {
    ends[which] = diagonal > right_count ? diagonal - right_count : 0;
    highs[which] = diagonal < left_count ? diagonal : left_count;
  }
  __syncthreads();
  for (long long width = left_count < right_count ? left_count : right_count; width > 0; width /= 128) {
    const long long low = ends[which], high = highs[which], apart = (high - low + 127) / 128, at = low + place * apart;
    passed[threadIdx.x] = at >= high || before(right[diagonal - 1 - at], left[at]);
    __syncthreads();
    if (passed[threadIdx.x] && (place == 0 || !passed[threadIdx.x - 1])) {
      if (place > 0) ends[which] = at - apart + 1;
      highs[which] = at < high ? at : high;
    } else if (place == 127 && !passed[threadIdx.x]) {
      ends[which] = at + 1;
    }
    __syncthreads();
  }
)";
/// That part: keys, where they fit, and their order in shared memory; then keys and values are written side by side.
constexpr std::string_view gpu_merge = R"(
  __shared__ unsigned short order[tile];
  __shared__ key_type staged[in_shared ? tile : 1];
  const int of_left = (int)(ends[1] - ends[0]), of_right = (int)count - of_left;
  left += ends[0];
  right += begin - ends[0];
  if (in_shared) {
    for (int k = threadIdx.x; k < count; k += 256) staged[k] = k < of_left ? left[k] : right[k - of_left];
    __syncthreads();
  }
  const key_type* const a = in_shared ? staged : left;
  const key_type* const b = in_shared ? staged + of_left : right;
  const int own = threadIdx.x * (tile / 256);
  if (own < count) {
    int l = (int)tessera::algo::merge_path(a, of_left, b, of_right, own, before), r = own - l;
    for (int k = own; k < own + tile / 256 && k < count; ++k) {
      const bool takes_right = l >= of_left || (r < of_right && before(b[r], a[l]));
      order[k] = (unsigned short)(takes_right ? of_left + r : l);
      if (takes_right)
        ++r;
      else
        ++l;
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += 256) {
    const int from = order[k];
    to[k] = in_shared ? staged[from] : from < of_left ? left[from] : right[from - of_left];
  }
)";
constexpr std::string_view gpu_merge_values = R"(
  for (int k = threadIdx.x; k < count; k += 256) {
    const int from = order[k];
    value_to[k] = from < of_left ? value_left[ends[0] + from] : value_right[begin - ends[0] + from - of_left];
  }
)";

}  // namespace

std::string text_head::text(bool compares, bool for_gpus) const {
  const operator_text order{types.before, "before_state"};
  const std::string state = compares ? order.parameter() : "";
  const op key = identity_op(types.key, types.key_element);
  const op value = types.has_values() ? identity_op(types.value, types.value_element) : key;
  const op& last = compares ? *types.before : key;
  std::string made = cat(kernel_prelude(), embedded_text("merging.h"),
                         definitions_of({key.text.get(), value.text.get(), last.text.get()}),
                         "\n#line 1 \"kernel of a sort\"\n__global__ void ", name, "(", parameters, state,
                         ") {\n  using key_type = ", types.key, ";\n");
  if (types.has_values()) made += cat("  using value_type = ", types.value, ";\n");
  if (compares)
    made += cat("  using order_type = ", types.before->text->type, ";\n  const order_type before",
                state.empty() ? "{}" : " = " + order.name, ";\n");
  if (for_gpus)
    made += cat("  constexpr int tile = ", gpu_tile_elements(types),
                ";\n  constexpr bool in_shared = ", types.key_bytes() <= 16 ? "true" : "false", ";\n");
  return made;
}

std::string text_head::all_parameters(bool compares) const {
  return parameters + (compares ? operator_text{types.before, "before_state"}.parameter() : "");
}

std::string block_merge_text(bool has_values) {
  return cat(gpu_ends, gpu_merge, has_values ? gpu_merge_values : "", "}\n");
}

std::string sort_types::number() const { return cat(before->text->digest, " ", key, " ", value); }

std::int64_t gpu_tile_elements(const sort_types& types) {
  return types.key_bytes() <= 16 ? 2048 : types.key_bytes() <= 32 ? 1024 : types.key_bytes() <= 64 ? 512 : 256;
}

}  // namespace tessera::algo
