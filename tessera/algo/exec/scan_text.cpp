#include "tessera/algo/exec/scan_text.h"

#include "tessera/algo/exec/pattern.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(chunk_elements == 4096 && scan_threads == 256, "the texts below have these numbers");

/// A thread combines 16 neighbours, the threads' results are folded in order.
constexpr std::string_view gpu_total = R"(
  __shared__ @A totals[256];
  const long long first = (long long)blockIdx.x * 4096;
  const long long limit = first + 4096 < n ? first + 4096 : n;
  const int lane = threadIdx.x;
  const long long begin = first + lane * 16, end = begin + 16 < limit ? begin + 16 : limit;
  if (begin < limit) {
    long long i = begin;
    @A sum = @E;
    for (++i; i < end; ++i) sum = @<sum|@E@>;
    totals[lane] = sum;
  }
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    if (lane % (2 * step) == 0 && lane + step < 256 && first + (lane + step) * 16 < limit)
      totals[lane] = @<totals[lane]|totals[lane + step]@>;
    __syncthreads();
  }
  if (lane == 0) part[blockIdx.x] = totals[0];
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

constexpr std::string_view gpu_scan = R"(
  __shared__ @A totals[256];
  const long long first = (long long)blockIdx.x * 4096;
  const long long limit = first + 4096 < n ? first + 4096 : n;
  const int lane = threadIdx.x;
  const long long begin = first + lane * 16, end = begin + 16 < limit ? begin + 16 : limit;
  @A own[16];
  if (begin < limit) {
    long long i = begin;
    @A sum = @E;
    own[0] = sum;
    for (int k = 1; begin + k < end; ++k) {
      i = begin + k;
      sum = @<sum|@E@>;
      own[k] = sum;
    }
    totals[lane] = sum;
  }
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    @A left;
    const bool joins = lane >= step && begin < limit;
    if (joins) left = totals[lane - step];
    __syncthreads();
    if (joins) totals[lane] = @<left|totals[lane]@>;
    __syncthreads();
  }
  if (begin >= limit) return;
)";
constexpr std::string_view gpu_inclusive = R"(
  @A base;
  if (lane > 0) base = totals[lane - 1];
  if (blockIdx.x > 0) base = lane > 0 ? @<carry[blockIdx.x - 1]|base@> : carry[blockIdx.x - 1];
  const bool has_base = lane > 0 || blockIdx.x > 0;
  for (int k = 0; begin + k < end; ++k) out[begin + k] = has_base ? @<base|own[k]@> : own[k];
}
)";
constexpr std::string_view gpu_exclusive = R"(
  const @A base = lane > 0 ? @<carry[blockIdx.x]|totals[lane - 1]@> : carry[blockIdx.x];
  for (int k = 0; begin + k < end; ++k) out[begin + k] = k > 0 ? @<base|own[k - 1]@> : base;
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
    out[i] = sum;
    for (++i; i < limit; ++i) {
      sum = @<sum|@E@>;
      out[i] = sum;
    }
  }
}
)";
constexpr std::string_view cpu_exclusive = R"(
    @A sum = carry[block];
    for (; i < limit; ++i) {
      const @A element = @E;
      out[i] = sum;
      sum = @<sum|element@>;
    }
  }
}
)";

/// From the includes to the kernel's opening brace.
std::string head_of(const char* name, const std::string& parameters, const op_text& function,
                    const operator_text& combine) {
  return cat(kernel_prelude(), definitions_of({&function, combine.function->text.get()}),
             "\n#line 1 \"kernel of a scan\"\n__global__ void ", name, "(", parameters, ") {");
}

constexpr std::string_view chunk_range = "block b, lo = 4096 * b, hi = 4096 * b + 4095 => ";

}  // namespace

kernel_text chunk_total_text(const op_text& function, const call_text& call, const operator_text& combine,
                             const std::string& type) {
  const std::string list = cat("long long n, ", type, "* part", combine.parameter(), call.parameters());
  const std::string head = head_of("total_kernel", list, function, combine);
  const pattern_values values{type, call.expression(), combine};
  return {"total_kernel", cat(chunk_range, "write part[b]", call.rules()), head + filled(gpu_total, values),
          head + filled(cpu_total, values), list};
}

kernel_text chunk_scan_text(const op_text& function, const call_text& call, const operator_text& combine,
                            const std::string& type, bool exclusive, bool flat_output) {
  const std::string list =
      cat("long long n, ", type, "* out, const ", type, "* carry", combine.parameter(), call.parameters());
  const std::string head = head_of("scan_kernel", list, function, combine);
  const pattern_values values{type, call.expression(), combine};
  const std::string output = array_text{"out", type, flat_output ? 1 : 2, 0, false}.range();
  return {"scan_kernel",
          cat(chunk_range, "write ", output, ", read carry[b", exclusive ? "" : " - 1", "]", call.rules()),
          head + filled(gpu_scan, values) + filled(exclusive ? gpu_exclusive : gpu_inclusive, values),
          head + filled(cpu_begin, values) + filled(exclusive ? cpu_exclusive : cpu_inclusive, values), list};
}

}  // namespace tessera::algo
