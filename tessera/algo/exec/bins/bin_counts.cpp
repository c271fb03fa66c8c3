#include "tessera/algo/exec/bins/bin_counts.h"

#include "tessera/algo/container/storage.h"
#include "tessera/algo/exec/call_text.h"
#include "tessera/algo/exec/kernel_cache.h"
#include "tessera/algo/exec/pattern.h"
#include "tessera/algo/exec/placement/resolve.h"
#include "tessera/base/checked.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// Elements that a thread block counts before it adds its counts to those of the device.
constexpr std::int64_t counted_together = 16384;
constexpr std::int64_t count_threads = 256;
static_assert(counted_together == 16384 && count_threads == 256, "the texts below have these numbers");

/// Counts in shared memory where there is room for them.
constexpr std::string_view gpu_counts = R"(
  __shared__ int own[4096];
  const long long first = (long long)blockIdx.x * 16384;
  const long long limit = first + 16384 < n ? first + 16384 : n;
  if (bins <= 4096) {
    for (int k = threadIdx.x; k < bins; k += 256) own[k] = 0;
    __syncthreads();
    for (long long i = first + threadIdx.x; i < limit; i += 256) {
      const long long bin = @E;
      if (bin >= 0 && bin < bins) atomicAdd(&own[bin], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += 256)
      if (own[k] > 0) atomicAdd((unsigned long long*)&counts[k], (unsigned long long)own[k]);
  } else {
    for (long long i = first + threadIdx.x; i < limit; i += 256) {
      const long long bin = @E;
      if (bin >= 0 && bin < bins) atomicAdd((unsigned long long*)&counts[bin], 1ull);
    }
  }
}
)";

/// Two tables in turn: equal neighbours do not wait for each other.
constexpr std::string_view cpu_counts = R"(
  const long long first = (long long)blockIdx.x * 16384;
  const long long wanted = first + (long long)tessera_blocks * 16384;
  const long long limit = wanted < n ? wanted : n;
  if (bins <= 4096) {
    int own[2][4097];
    for (long long begin = first; begin < limit; begin += 1 << 30) {
      const long long end = begin + (1 << 30) < limit ? begin + (1 << 30) : limit;
      for (long long k = 0; k <= bins; ++k) own[0][k] = own[1][k] = 0;
      for (long long i = begin; i < end; ++i) {
        const long long bin = @E;
        ++own[i & 1][bin >= 0 && bin < bins ? bin : bins];
      }
      for (long long k = 0; k < bins; ++k)
        if (own[0][k] + own[1][k] > 0) atomicAdd((unsigned long long*)&counts[k], (unsigned long long)(own[0][k] + own[1][k]));
    }
  } else {
    for (long long i = first; i < limit; ++i) {
      const long long bin = @E;
      if (bin >= 0 && bin < bins) atomicAdd((unsigned long long*)&counts[bin], 1ull);
    }
  }
}
)";

kernel_text count_text(const call& bound, const call_text& call) {
  const std::string list = cat("long long n, long long bins, long long* counts", call.parameters());
  const std::string head = cat(kernel_prelude(), definitions_of({bound.function->text.get()}),
                               "\n#line 1 \"kernel of a histogram\"\n__global__ void count_kernel(", list, ") {");
  const pattern_values values{"", call.expression(), {}};
  return {"count_kernel", cat("block b, lo = 16384 * b, hi = 16384 * b + 16383 => atomic(+) counts", call.rules()),
          head + filled(gpu_counts, values), head + filled(cpu_counts, values), list};
}

}  // namespace

void count_bins(const sequence& bins, const operand& counts, const skeleton_options& options) {
  if (bins.size == 0 || counts.size() == 0) return;
  const call bound = bins.bound("histogram");
  require_usable(bound, {counts});
  const skeleton_options chosen = resolved(options, bound, {counts});
  const call_text text(bound, 0, "a");
  const kernel made = cached_kernel(counts.elements->ctx(), cat("bins ", bound.text().digest, " ", text.key()),
                                    [&] { return count_text(bound, text); });
  std::vector<argument> read;
  text.add_arguments(read);
  std::vector<argument> arguments{number_argument(bins.size), number_argument(counts.size())};
  arguments.push_back({counts.elements->for_launch(access::readwrite, counts.part, bins.site)});
  arguments.insert(arguments.end(), read.begin(), read.end());
  launch_options with;
  with.grid = {ceil_div(bins.size, counted_together)};
  with.block = {count_threads};
  with.split = chosen.on.split_for(with.grid, with.block);
  with.name = chosen.name.empty() ? "histogram" : chosen.name;
  with.file = bins.site.file;
  with.line = bins.site.line;
  chosen.launch(made, with, arguments);
}

}  // namespace tessera::algo
