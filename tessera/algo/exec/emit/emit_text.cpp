#include "tessera/algo/exec/emit/emit_text.h"

#include "tessera/algo/exec/emit/emit_parts.h"
#include "tessera/algo/function/device_text.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(emit_chunk == 4096 && emit_threads == 256, "the texts below have these numbers");

// @F: the flag of element i. @S: statements that write the values of element i to `to`, @P: before it is known whether
// they are kept. @[ ... @]: a loop over flags, which is there twice where some of them look beside their element: for
// chunks in which all that they look at exists, it need not ask.

constexpr std::string_view gpu_count = R"(
  __shared__ int sums[8];
  const long long first = (long long)blockIdx.x * 4096;
  const int count = n - first < 4096 ? (int)(n - first) : 4096;
  int held = 0;
  #pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int own = k * 256 + (int)threadIdx.x;
    const long long i = first + own;
    if (own < count) held += (bool)(@F) ? 1 : 0;
  }
  for (int step = 16; step > 0; step /= 2) held += __shfl_down_sync(0xffffffffu, held, step);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = held;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int warp = 1; warp < 8; ++warp) held += sums[warp];
  counts[blockIdx.x] = held;
}
)";

constexpr std::string_view cpu_count = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    int held = 0;
    @[for (long long i = first; i < limit; ++i) held += (bool)(@F) ? 1 : 0;@]
    counts[block] = held;
  }
}
)";

/// A thread adds up 8 neighbours of a tile of 2048, and `before` has what the threads of each warp have.
constexpr std::string_view gpu_sums = R"(
  __shared__ long long before[9];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  long long carry = 0;
  for (long long tile = 0; tile < n; tile += 2048) {
    const long long first = tile + 8 * (long long)threadIdx.x;
    long long own[8], sum = 0;
    #pragma unroll
    for (int k = 0; k < 8; ++k) own[k] = sum += first + k < n ? counts[first + k] : 0;
    long long upto = sum;
    for (int step = 1; step < 32; step *= 2) {
      const long long other = __shfl_up_sync(0xffffffffu, upto, step);
      if (lane >= step) upto += other;
    }
    if (lane == 31) before[warp + 1] = upto;
    __syncthreads();
    long long begin = carry + upto - sum;
    for (int k = 1; k <= warp; ++k) begin += before[k];
    for (int k = 1; k <= 8; ++k) carry += before[k];
    #pragma unroll
    for (int k = 0; k < 8; ++k)
      if (first + k < n) sums[first + k] = begin + own[k];
    __syncthreads();
  }
}
)";

constexpr std::string_view cpu_sums = R"(
  long long sum = 0;
  for (long long k = 0; k < n; ++k) sums[k] = sum += counts[k];
}
)";

/// In 16 rounds a thread looks at the elements side by side with its neighbours'; `before` has, for each warp of each
/// round, how many elements are kept before its own.
constexpr std::string_view gpu_emit = R"(
  __shared__ int before[128];
  const long long first = (long long)blockIdx.x * 4096;
  const long long held_before = sums[blockIdx.x] - counts[blockIdx.x];
  const long long begin = wanted != 0 ? held_before : first - held_before;
  const int count = n - first < 4096 ? (int)(n - first) : 4096;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned kept[16];
  #pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int own = k * 256 + (int)threadIdx.x;
    const long long i = first + own;
    const bool keep = own < count && (bool)(@F) == (wanted != 0);
    kept[k] = __ballot_sync(0xffffffffu, keep);
    if (lane == 0) before[k * 8 + warp] = __popc(kept[k]);
  }
  __syncthreads();
  if (warp == 0) {
    int own[4], sum = 0;
    for (int k = 0; k < 4; ++k) {
      own[k] = before[lane * 4 + k];
      sum += own[k];
    }
    int upto = sum;
    for (int step = 1; step < 32; step *= 2) {
      const int other = __shfl_up_sync(0xffffffffu, upto, step);
      if (lane >= step) upto += other;
    }
    upto -= sum;
    for (int k = 0; k < 4; ++k) {
      before[lane * 4 + k] = upto;
      upto += own[k];
    }
  }
  __syncthreads();
  #pragma unroll
  for (int k = 0; k < 16; ++k) {
    if ((kept[k] >> lane & 1u) == 0) continue;
    const long long i = first + k * 256 + (int)threadIdx.x;
    const long long to = begin + before[k * 8 + warp] + __popc(kept[k] & ((1u << lane) - 1));
    @S
  }
}
)";

/// A chunk that is kept whole is copied. Otherwise flags come first, in a loop that can be vectorised; then elements
/// are written one over the other until one is kept, which is faster than a branch that cannot be foretold. The loop
/// ends behind the last one that is kept, so that nothing is written that belongs to the next chunk.
constexpr std::string_view cpu_emit = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    const long long held = counts[block], held_before = sums[block] - held;
    const long long begin = wanted != 0 ? held_before : first - held_before;
    const long long end = begin + (wanted != 0 ? held : limit - first - held);
    if (end == begin) continue;
    if (end - begin == limit - first) {
      #pragma GCC ivdep
      for (long long i = first; i < limit; ++i) {
        const long long to = begin + (i - first);
        @S
      }
      continue;
    }
    unsigned char kept[4096];
    @[for (long long i = first; i < limit; ++i) kept[i - first] = (bool)(@F) == (wanted != 0);@]
    long long to = begin;
    for (long long i = first; to < end; ++i) {
      const unsigned char keep = kept[i - first];
      @P
      to += keep;
    }
  }
}
)";

struct emit_values {
  const call_text* flags;
  std::string stores{}, early_stores{};
};

std::string filled(std::string_view pattern, const emit_values& values, bool all_exist = false) {
  std::string text;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    if (pattern[k] != '@') {
      text += pattern[k];
      continue;
    }
    const char mark = pattern[++k];
    if (mark == 'F') text += values.flags->expression(all_exist);
    if (mark == 'S') text += values.stores;
    if (mark == 'P') text += values.early_stores;
    if (mark != '[') continue;
    const std::size_t end = pattern.find("@]", k);
    const std::string_view loop = pattern.substr(k + 1, end - k - 1);
    const std::string condition = values.flags->condition_that_all_exist("first", "limit");
    if (!condition.empty())
      text += cat("if (", condition, ")\n      ", filled(loop, values, true), "\n    else\n      ");
    text += filled(loop, values);
    k = end + 1;
  }
  return text;
}

/// What a function does not do for elements that are not kept, as a division by 0, it must not be made to do.
bool only_loads(const emitted_text& value) { return value.function->type == "tessera::identity"; }

emit_values values_of(const call_text& flags, const std::vector<emitted_text>& values) {
  emit_values made{&flags};
  for (const emitted_text& value : values) {
    const std::string store = cat(value.output.prefix, "[to] = ", value.call->expression(), ";");
    made.stores += cat(made.stores.empty() ? "" : " ", store);
    made.early_stores += cat(made.early_stores.empty() ? "" : " ", only_loads(value) ? "" : "if (keep) ", store);
  }
  return made;
}

/// From the includes to the kernel's opening brace.
std::string head_of(const char* name, const std::string& parameters, const std::string& definitions) {
  return cat(kernel_prelude(), definitions, "\n#line 1 \"kernel of a compaction\"\n__global__ void ", name, "(",
             parameters, ") {");
}

std::string definitions(const op_text& flag, const std::vector<emitted_text>& values) {
  std::vector<const op_text*> all{&flag};
  for (const emitted_text& value : values) all.push_back(value.function);
  return definitions_of(all);
}

constexpr std::string_view chunk_range = "block b, lo = 4096 * b, hi = 4096 * b + 4095 => ";

}  // namespace

kernel_text chunk_count_text(const op_text& flag, const call_text& flags) {
  const std::string list = cat("long long n, long long* counts", flags.parameters());
  const std::string head = head_of("count_kernel", list, definitions_of({&flag}));
  return {"count_kernel", cat(chunk_range, "write counts[b]", flags.rules()), head + filled(gpu_count, {&flags}),
          head + filled(cpu_count, {&flags}), list};
}

kernel_text count_sums_text() {
  const std::string list = "long long n, const long long* counts, long long* sums";
  const std::string head = head_of("count_sums", list, "");
  return {"count_sums", "single => read counts, write sums", cat(head, gpu_sums), cat(head, cpu_sums), list};
}

std::string output_rule(const std::string& name, bool with_rows) {
  return with_rows ? cat(", write ", name, "[rows(b)]") : cat(", readwrite ", name);
}

kernel_text emit_text(const op_text& flag, const call_text& flags, const std::vector<emitted_text>& values,
                      bool with_rows) {
  std::string list = "long long n, int wanted, const long long* sums, const long long* counts",
              rules = "read sums[b], read counts[b]";
  for (const emitted_text& value : values) {
    list += value.output.parameters();
    rules += output_rule(value.output.flat(), with_rows);
  }
  list += flags.parameters();
  rules += flags.rules();
  for (const emitted_text& value : values) {
    list += value.call->parameters();
    rules += value.call->rules();
  }
  const std::string head = head_of("emit_kernel", list, definitions(flag, values));
  const emit_values marks = values_of(flags, values);
  return {"emit_kernel", cat(chunk_range, rules), head + filled(gpu_emit, marks), head + filled(cpu_emit, marks), list};
}

}  // namespace tessera::algo
