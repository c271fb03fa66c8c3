#include "tessera/algo/exec/scan_text.h"

#include "tessera/algo/exec/pattern.h"
#include "tessera/base/defects.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(chunk_elements == 4096 && scan_threads == 256, "the texts below have these numbers");

/// The elements of a chunk by their number in it: read side by side, each warp its own 512, and kept in shared memory,
/// a row of its banks apart from the 16 neighbours of the next thread. Elements of more than 8 bytes have no room
/// there.
constexpr std::string_view gpu_chunk = R"(
  constexpr bool staged = sizeof(@A) <= 8;
  constexpr int row = staged ? 16 * (8 / sizeof(@A)) : 16;
  __shared__ @A tile[staged ? 4096 + 4096 / row : 1];
  __shared__ @A totals[staged ? 2 : 1][256];
  const long long first = (long long)blockIdx.x * 4096;
  const int count = n - first < 4096 ? (int)(n - first) : 4096;
  const int lane = threadIdx.x, begin = lane * 16, beside = lane / 32 * 512 + lane % 32;
  if (staged && count == 4096) {
    @A read[16];
    #pragma unroll
    for (int k = 0; k < 16; ++k) {
      const long long i = first + beside + 32 * k;
      read[k] = @E;
    }
    #pragma unroll
    for (int k = 0; k < 16; ++k) tile[beside + 32 * k + (beside + 32 * k) / row] = read[k];
  } else if (staged) {
    for (int at = beside; at < beside + 512 && at < count; at += 32) {
      const long long i = first + at;
      tile[at + at / row] = @E;
    }
  }
  __syncwarp();
  const auto element = [&](int at) -> @A {
    if (staged) return tile[at + at / row];
    const long long i = first + at;
    return @E;
  };
)";

/// A thread combines 16 neighbours, the threads' results are folded in order.
constexpr std::string_view gpu_total = R"(
  if (begin < count) {
    @A sum = element(begin);
    #pragma unroll
    for (int k = 1; k < 16; ++k)
      if (begin + k < count) sum = @<sum|element(begin + k)@>;
    totals[0][lane] = sum;
  }
  for (int step = 1; step < 32; step *= 2) {
    __syncwarp();
    if (lane % (2 * step) == 0 && begin + step * 16 < count)
      totals[0][lane] = @<totals[0][lane]|totals[0][lane + step]@>;
  }
  __syncthreads();
  if (lane >= 32) return;
  for (int step = 1; step < 8; step *= 2) {
    if (lane < 8 && lane % (2 * step) == 0 && (lane + step) * 512 < count)
      totals[0][lane * 32] = @<totals[0][lane * 32]|totals[0][(lane + step) * 32]@>;
    __syncwarp();
  }
  if (lane == 0) part[blockIdx.x] = totals[0][0];
}
)";

constexpr std::string_view cpu_total = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    long long i = first;
    @A sum = @E;
    for (++i; i < limit; ++i) sum = @<sum|@E@>;
    part[block] = sum;
  }
}
)";

/// The running combination of one value per thread, in `totals[0]`; threads behind the last element have none.
constexpr std::string_view gpu_lanes = R"(
  const auto scan_lanes = [&](@A value, bool joins) {
    int side = 0;
    if (joins) totals[0][lane] = value;
    __syncthreads();
    #pragma unroll
    for (int step = 1; step < 256; step *= 2) {
      if (joins && lane >= step) value = @<totals[side][lane - step]|value@>;
      if (staged)
        side = 1 - side;
      else
        __syncthreads();
      if (joins) totals[side][lane] = value;
      __syncthreads();
    }
  };
)";

/// What the chunk begins behind: given, or combined from the totals of all chunks in the order of a scan of them.
constexpr std::string_view gpu_given_inclusive = R"(
  @A before;
  if (blockIdx.x > 0) before = carry[blockIdx.x - 1];
)";
constexpr std::string_view gpu_given_exclusive = R"(
  const @A before = carry[blockIdx.x];
)";
constexpr std::string_view gpu_own_sums = R"(
  __shared__ @A chunk_carry;
  const int known = blockIdx.x;
  @A sum_of_chunks;
  if (begin < known) {
    sum_of_chunks = carry[begin];
    #pragma unroll
    for (int k = 1; k < 16; ++k)
      if (begin + k < known) sum_of_chunks = @<sum_of_chunks|carry[begin + k]@>;
  }
  if (known > 0) scan_lanes(sum_of_chunks, begin < known);
)";
constexpr std::string_view gpu_own_inclusive = R"(
  if (known > 0 && lane == (known - 1) / 16)
    chunk_carry = lane > 0 ? @<totals[0][lane - 1]|sum_of_chunks@> : sum_of_chunks;
  __syncthreads();
  @A before;
  if (known > 0) before = chunk_carry;
)";
constexpr std::string_view gpu_own_exclusive = R"(
  if (lane == known / 16) {
    const @A behind = lane > 0 ? @<start[0]|totals[0][lane - 1]@> : start[0];
    chunk_carry = begin < known ? @<behind|sum_of_chunks@> : behind;
  }
  __syncthreads();
  const @A before = chunk_carry;
)";

constexpr std::string_view gpu_scan = R"(
  @A own[16], sum;
  if (begin < count) own[0] = sum = element(begin);
  #pragma unroll
  for (int k = 1; k < 16; ++k)
    if (begin + k < count) own[k] = sum = @<sum|element(begin + k)@>;
  scan_lanes(sum, begin < count);
  const auto store = [&](int k, const @A& value) {
    if (staged)
      tile[begin + k + (begin + k) / row] = value;
    else
      out[first + begin + k] = @(value@);
  };
)";
constexpr std::string_view gpu_inclusive = R"(
  @A base;
  if (lane > 0) base = totals[0][lane - 1];
  if (blockIdx.x > 0) base = lane > 0 ? @<before|base@> : before;
  const bool has_base = lane > 0 || blockIdx.x > 0;
  #pragma unroll
  for (int k = 0; k < 16; ++k)
    if (begin + k < count) store(k, has_base ? @<base|own[k]@> : own[k]);
)";
constexpr std::string_view gpu_exclusive = R"(
  const @A base = lane > 0 ? @<before|totals[0][lane - 1]@> : before;
  if (begin < count) store(0, base);
  #pragma unroll
  for (int k = 1; k < 16; ++k)
    if (begin + k < count) store(k, @<base|own[k - 1]@>);
)";
constexpr std::string_view gpu_write = R"(
  if (!staged) return;
  __syncwarp();
  if (count == 4096) {
    #pragma unroll
    for (int k = 0; k < 16; ++k)
      out[first + beside + 32 * k] = @(tile[beside + 32 * k + (beside + 32 * k) / row]@);
  } else {
    for (int at = beside; at < beside + 512 && at < count; at += 32) out[first + at] = @(tile[at + at / row]@);
  }
}
)";

constexpr std::string_view cpu_begin = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    long long i = first;
)";
constexpr std::string_view cpu_inclusive = R"(
    @A sum = @E;
    if (block > 0) sum = @<carry[block - 1]|sum@>;
    out[i] = @(sum@);
    for (++i; i < limit; ++i) {
      sum = @<sum|@E@>;
      out[i] = @(sum@);
    }
  }
}
)";
constexpr std::string_view cpu_exclusive = R"(
    @A sum = carry[block];
    for (; i < limit; ++i) {
      const @A element = @E;
      out[i] = @(sum@);
      sum = @<sum|element@>;
    }
  }
}
)";

/// Inclusive scans of chunks on CPUs where `carry` has the totals of the chunks, which each call combines itself.
constexpr std::string_view cpu_own_inclusive = R"(
  @A before;
  for (unsigned block = 0; block < blockIdx.x; ++block) before = block > 0 ? @<before|carry[block]@> : carry[block];
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    long long i = first;
    @A sum = @E;
    if (block > 0) sum = @<before|sum@>;
    out[i] = @(sum@);
    for (++i; i < limit; ++i) {
      sum = @<sum|@E@>;
      out[i] = @(sum@);
    }
    before = block > 0 ? @<before|carry[block]@> : carry[block];
  }
}
)";
constexpr std::string_view cpu_own_exclusive = R"(
  @A before = start[0];
  for (unsigned block = 0; block < blockIdx.x; ++block) before = @<before|carry[block]@>;
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long first = (long long)block * 4096;
    const long long limit = first + 4096 < n ? first + 4096 : n;
    @A sum = before;
    for (long long i = first; i < limit; ++i) {
      const @A element = @E;
      out[i] = @(sum@);
      sum = @<sum|element@>;
    }
    before = @<before|carry[block]@>;
  }
}
)";

/// From the includes to the kernel's opening brace.
std::string head_of(const char* name, const std::string& parameters, const op_text& function,
                    const operator_text& combine, const operator_text& last = {}) {
  const op_text* const stored = last.function == nullptr ? &function : last.function->text.get();
  return cat(kernel_prelude(), definitions_of({&function, combine.function->text.get(), stored}),
             "\n#line 1 \"kernel of a scan\"\n__global__ void ", name, "(", parameters, ") {");
}

constexpr std::string_view chunk_range = "block b, lo = 4096 * b, hi = 4096 * b + 4095 => ";

}  // namespace

kernel_text chunk_total_text(const op_text& function, const call_text& call, const operator_text& combine,
                             const std::string& type) {
  const std::string list = cat("long long n, ", type, "* part", combine.parameter(), call.parameters());
  const std::string head = head_of("total_kernel", list, function, combine);
  const pattern_values values{type, call.expression(), combine};
  return {"total_kernel", cat(chunk_range, "write part[b]", call.rules()),
          head + filled(gpu_chunk, values) + filled(gpu_total, values),
          head + filled(planted("tail_of_chunk_lost") ? replaced(cpu_total, "< limit; ++i", "< limit - 1; ++i")
                                                      : std::string(cpu_total),
                        values),
          list};
}

kernel_text chunk_scan_text(const op_text& function, const call_text& call, const operator_text& combine,
                            const std::string& type, const scan_form& form) {
  const bool own = form.own_carry, exclusive = form.exclusive;
  const std::string stored = form.last.function == nullptr ? type : form.last.function->text->results.at(0).type;
  const std::string list = cat("long long n, ", stored, "* out, const ", type, "* carry",
                               own && exclusive ? cat(", const ", type, "* start") : "", combine.parameter(),
                               form.last.parameter(), call.parameters());
  const std::string head = head_of("scan_kernel", list, function, combine, form.last);
  const pattern_values values{type, call.expression(), combine, form.last};
  const auto filled_in = [&](std::initializer_list<std::string_view> patterns) {
    std::string text = head;
    for (const std::string_view pattern : patterns) text += filled(pattern, values);
    return text;
  };
  const std::string output = array_text{"out", stored, form.flat_output ? 1 : 2, 0, false}.range();
  const std::string before = own ? exclusive ? ", read carry, read start" : ", read carry"
                                 : cat(", read carry[b", exclusive ? "" : " - 1", "]");
  kernel_text made;
  made.name = "scan_kernel";
  made.annotation = cat(chunk_range, "write ", output, before, call.rules());
  made.parameters = list;
  const std::string_view end = exclusive ? gpu_exclusive : gpu_inclusive;
  if (own) {
    made.text = filled_in({gpu_chunk, gpu_lanes, gpu_own_sums, exclusive ? gpu_own_exclusive : gpu_own_inclusive,
                           gpu_scan, end, gpu_write});
    made.cpu_text = filled_in({exclusive ? cpu_own_exclusive : cpu_own_inclusive});
  } else {
    made.text = filled_in(
        {exclusive ? gpu_given_exclusive : gpu_given_inclusive, gpu_chunk, gpu_lanes, gpu_scan, end, gpu_write});
    made.cpu_text = filled_in({cpu_begin, exclusive ? cpu_exclusive : cpu_inclusive});
  }
  return made;
}

}  // namespace tessera::algo
