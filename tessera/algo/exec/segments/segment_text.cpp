#include "tessera/algo/exec/segments/segment_text.h"

#include "tessera/algo/exec/pattern.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(segment_threads == 256 && short_segment == 64 && segment_lanes == 32 && flags_per_block == 4096,
              "the texts below have these numbers");

/// A thread has the short segments, a warp the long ones.
constexpr std::string_view gpu_segments = R"(
  __shared__ @A lanes[256];
  const long long first_segment = groups[blockIdx.x], last_segment = groups[blockIdx.x + 1];
  for (long long s = first_segment + threadIdx.x; s < last_segment; s += 256) {
    const long long begin = offsets[s], end = offsets[s + 1];
    if (end - begin > 64) continue;
    long long i = begin;
    @A sum = @S;
    for (; i < end; ++i) sum = @<sum|@E@>;
    out[s] = @(sum@);
  }
  const int own = threadIdx.x, lane = own % 32;
  for (long long s = first_segment + own / 32; s < last_segment; s += 8) {
    const long long begin = offsets[s], end = offsets[s + 1];
    if (end - begin <= 64) continue;
    long long i = begin + lane;
    @A sum = @E;
    #pragma unroll 8
    for (i += 32; i < end; i += 32) sum = @<sum|@E@>;
    lanes[own] = sum;
    for (int half = 16; half > 0; half /= 2) {
      __syncwarp();
      if (lane < half) lanes[own] = @<lanes[own]|lanes[own + half]@>;
    }
    if (lane == 0) out[s] = @(@T@);
    __syncwarp();
  }
}
)";

constexpr std::string_view cpu_segments = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block)
    for (long long s = groups[block]; s < groups[block + 1]; ++s) {
      const long long begin = offsets[s], end = offsets[s + 1];
      long long i = begin;
      if (end - begin <= 64) {
        @A sum = @S;
        for (; i < end; ++i) sum = @<sum|@E@>;
        out[s] = @(sum@);
        continue;
      }
      @A lanes[32];
      for (int lane = 0; lane < 32; ++lane, ++i) lanes[lane] = @E;
      long long row = i;
      for (; row + 32 <= end; row += 32)
        for (int lane = 0; lane < 32; ++lane) {
          i = row + lane;
          lanes[lane] = @<lanes[lane]|@E@>;
        }
      for (i = row; i < end; ++i) lanes[i - row] = @<lanes[i - row]|@E@>;
      for (int half = 16; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane) lanes[lane] = @<lanes[lane]|lanes[lane + half]@>;
      const int own = 0;
      out[s] = @(@T@);
    }
}
)";

constexpr std::string_view gpu_flags = R"(
  const long long first = (long long)blockIdx.x * 4096;
  for (long long at = first + threadIdx.x; at < first + 4096 && at < n; at += blockDim.x) flags[at] = 0;
  __syncthreads();
  for (long long k = rows[blockIdx.x] + threadIdx.x; k < rows[blockIdx.x + 1]; k += blockDim.x)
    flags[offsets[k] - base] = 1;
}
)";
constexpr std::string_view cpu_flags = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    for (long long at = first; at < first + 4096 && at < n; ++at) flags[at] = 0;
    for (long long k = rows[block]; k < rows[block + 1]; ++k) flags[offsets[k] - base] = 1;
  }
}
)";

}  // namespace

kernel_text segments_text(const op_text& function, const call_text& call, const operator_text& combine,
                          const operator_text& last, const std::string& type, bool has_start) {
  const std::string stored = last.function == nullptr ? type : last.function->text->results.at(0).type;
  const op_text* const shown = last.function == nullptr ? &function : last.function->text.get();
  const std::string list =
      cat(stored, "* out, const long long* offsets, const long long* groups",
          has_start ? cat(", ", type, " start") : "", combine.parameter(), last.parameter(), call.parameters());
  const std::string head = cat(kernel_prelude(), definitions_of({&function, combine.function->text.get(), shown}),
                               "\n#line 1 \"kernel of segments\"\n__global__ void segment_kernel(", list, ") {");
  const pattern_values values{type, call.expression(), combine, last};
  const std::string sum = has_start ? combine.combine("start", "lanes[own]") : "lanes[own]";
  const auto text = [&](std::string_view pattern) {
    const std::string first = has_start ? "start" : cat(call.expression(), ";\n    ++i");
    return head + filled(replaced(replaced(pattern, "@T", sum), "@S", first), values);
  };
  return {"segment_kernel",
          cat("block b => write out[segments(b)], read offsets[ends(b)], read groups[b : b + 1]", call.rules()),
          text(gpu_segments), text(cpu_segments), list};
}

kernel_text head_flags_text() {
  const std::string list = "long long n, long long base, bool* flags, const long long* offsets, const long long* rows";
  const std::string head = cat("__global__ void flag_kernel(", list, ") {");
  return {"flag_kernel",
          "block b => write flags[4096 * b : 4096 * b + 4095], read offsets[heads(b)], read rows[b : b + 1]",
          head + std::string(gpu_flags), head + std::string(cpu_flags), list};
}

}  // namespace tessera::algo
