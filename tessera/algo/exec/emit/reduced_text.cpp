#include "tessera/algo/exec/emit/reduced_text.h"

#include "tessera/algo/exec/emit/emit_parts.h"
#include "tessera/algo/exec/pattern.h"
#include "tessera/algo/exec/scan_text.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(emit_chunk == 4096 && emit_threads == 256, "the texts below have these numbers");

/// From the last element to the last head: where segments are short, a few elements.
constexpr std::string_view cpu_tail = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    long long i = limit - 1;
    @A tail = @E;
    while (!tail.has_head && i > first) {
      --i;
      tail = @<@E|tail@>;
    }
    part[block] = tail;
  }
}
)";

// @A: the type of values, @E: the value of element i. $FLAG: whether it ends a segment, $HEAD: whether it begins
// one, $LOOP: flags of a chunk, $RESULT: the type of results, $STORES: statements that write other values of element i
// to `to`.

/// Threads read elements side by side; then each has 16 neighbours, and the combination of those in front of them from
/// a scan of what all threads have. A head is behind an end, so that only the first element of a chunk is asked for it.
constexpr std::string_view gpu_reduced = R"(
  using headed = tessera::algo::headed<@A>;
  constexpr bool staged = sizeof(@A) <= 8;
  __shared__ @A tile[staged ? 4096 + 256 : 1];
  __shared__ headed totals[2][256];
  __shared__ unsigned end_bits[128];
  __shared__ int counted[8];
  const long long first = (long long)blockIdx.x * 4096;
  const int count = n - first < 4096 ? (int)(n - first) : 4096;
  const int own = threadIdx.x, lane = own % 32, begin = own * 16;
  #pragma unroll
  for (int k = 0; k < 16; ++k) {
    const int at = k * 256 + own;
    const long long i = first + at;
    bool ends = false;
    if (at < count) {
      ends = (bool)($FLAG);
      if (staged) tile[at + at / 16] = @E;
    }
    const unsigned bits = __ballot_sync(0xffffffffu, ends);
    if (lane == 0) end_bits[at / 32] = bits;
  }
  __syncthreads();
  const auto element = [&](int at) -> @A {
    if (staged) return tile[at + at / 16];
    const long long i = first + at;
    return @E;
  };
  const unsigned ends = end_bits[own / 2] >> (own % 2 * 16) & 0xffffu;
  bool begins_segment;
  if (own == 0) {
    const long long i = first;
    begins_segment = (bool)($HEAD);
  } else {
    begins_segment = (end_bits[(begin - 1) / 32] >> ((begin - 1) % 32) & 1u) != 0;
  }
  const unsigned heads = (ends << 1 | (begins_segment ? 1u : 0u)) & 0xffffu;
  headed mine{};
  if (begin < count) mine = {element(begin), begins_segment};
  #pragma unroll
  for (int k = 1; k < 16; ++k) {
    if (begin + k >= count) continue;
    if (heads >> k & 1u)
      mine = {element(begin + k), true};
    else
      mine.value = @<mine.value|element(begin + k)@>;
  }
  int before = __popc(ends);
  for (int step = 1; step < 32; step *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, before, step);
    if (lane >= step) before += other;
  }
  if (lane == 31) counted[own / 32] = before;
  before -= __popc(ends);
  int side = 0;
  if (begin < count) totals[0][own] = mine;
  __syncthreads();
  for (int warp = 0; warp < own / 32; ++warp) before += counted[warp];
  #pragma unroll
  for (int step = 1; step < 256; step *= 2) {
    if (begin < count && own >= step && !mine.has_head) {
      const headed other = totals[side][own - step];
      mine = {(@A)@<other.value|mine.value@>, other.has_head};
    }
    side = 1 - side;
    if (begin < count) totals[side][own] = mine;
    __syncthreads();
  }
  if (begin >= count) return;
  @A sum{};
  if (!begins_segment) {
    if (own > 0) sum = totals[side][own - 1].value;
    if (own == 0)
      sum = carry[blockIdx.x - 1].value;
    else if (!totals[side][own - 1].has_head)
      sum = @<carry[blockIdx.x - 1].value|sum@>;
  }
  long long to = sums[blockIdx.x] - counts[blockIdx.x] + before;
  #pragma unroll
  for (int k = 0; k < 16; ++k) {
    if (begin + k >= count) continue;
    const long long i = first + begin + k;
    if (heads >> k & 1u)
      sum = element(begin + k);
    else
      sum = @<sum|element(begin + k)@>;
    if ((ends >> k & 1u) == 0) continue;
    out[to] = ($RESULT)sum;
    $STORES
    ++to;
  }
}
)";

/// As compactions on CPUs: results are written one over the other until the segment ends.
constexpr std::string_view cpu_reduced = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    const long long end = sums[block];
    long long to = end - counts[block];
    if (to == end) continue;
    unsigned char ends[4096];
    $LOOP
    @A sum{};
    unsigned char begins_segment = 1;
    {
      const long long i = first;
      if (!(bool)($HEAD)) {
        begins_segment = 0;
        sum = carry[block - 1].value;
      }
    }
    for (long long i = first; to < end; ++i) {
      const @A value = @E;
      const unsigned char keep = ends[i - first];
      if (begins_segment)
        sum = value;
      else
        sum = @<sum|value@>;
      out[to] = ($RESULT)sum;
      $STORES
      to += keep;
      begins_segment = keep;
    }
  }
}
)";

std::string end_loop(const call_text& ends) {
  const auto loop = [&](bool all_exist) {
    return cat("for (long long i = first; i < limit; ++i) ends[i - first] = (bool)(", ends.expression(all_exist),
               ") ? 1 : 0;");
  };
  const std::string condition = ends.condition_that_all_exist("first", "limit");
  return condition.empty() ? loop(false)
                           : cat("if (", condition, ")\n      ", loop(true), "\n    else\n      ", loop(false));
}

}  // namespace

kernel_text chunk_tail_text(const op_text& function, const call_text& call, const operator_text& within,
                            const std::string& type) {
  kernel_text made = chunk_total_text(function, call, within, type);
  made.cpu_text = cat(kernel_prelude(), definitions_of({&function, within.function->text.get()}),
                      "\n#line 1 \"kernel of reduce_by_key\"\n__global__ void ", made.name, "(", made.parameters, ") {",
                      filled(cpu_tail, {type, call.expression(), within}));
  return made;
}

kernel_text reduced_text(const segment_texts& segments, const std::vector<emitted_text>& beside, bool with_rows) {
  std::string list = cat("long long n, const long long* sums, const long long* counts, const tessera::algo::headed<",
                         segments.type, ">* carry, ", segments.result, "* out"),
              rules = cat("read sums[b], read counts[b], read carry[b - 1]", output_rule("out", with_rows));
  std::vector<const op_text*> operators{segments.end, segments.head, segments.value,
                                        segments.combine.function->text.get()};
  std::string stores, early_stores;
  for (const emitted_text& value : beside) {
    list += value.output.parameters();
    rules += output_rule(value.output.prefix, with_rows);
    operators.push_back(value.function);
    const std::string store = cat(value.output.prefix, "[to] = ", value.call->expression(), ";");
    stores += store;
    early_stores += cat(value.function->type == "tessera::identity" ? "" : "if (keep) ", store);
  }
  list += segments.combine.parameter();
  for (const call_text* each : {segments.ends, segments.heads, segments.values}) {
    list += each->parameters();
    rules += each->rules();
  }
  for (const emitted_text& value : beside) {
    list += value.call->parameters();
    rules += value.call->rules();
  }
  const std::string head = cat(kernel_prelude(), definitions_of(operators),
                               "\n#line 1 \"kernel of reduce_by_key\"\n__global__ void reduced_kernel(", list, ") {");
  const auto body = [&](std::string_view pattern, const std::string& statements) {
    std::string text = filled(pattern, {segments.type, segments.values->expression(), segments.combine});
    if (planted("carry_not_restarted")) text = replaced(text, "if (!(bool)($HEAD))", "if (block > 0)");
    text = replaced(text, "$FLAG", segments.ends->expression());
    text = replaced(text, "$HEAD", segments.heads->expression());
    text = replaced(text, "$RESULT", segments.result);
    text = replaced(text, "$LOOP", end_loop(*segments.ends));
    return head + replaced(text, "$STORES", statements);
  };
  return {"reduced_kernel", cat("block b, lo = 4096 * b, hi = 4096 * b + 4095 => ", rules), body(gpu_reduced, stores),
          body(cpu_reduced, early_stores), list};
}

}  // namespace tessera::algo
