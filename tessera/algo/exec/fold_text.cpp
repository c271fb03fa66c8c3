#include "tessera/algo/exec/fold_text.h"

#include "tessera/algo/exec/pattern.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(piece_elements == 4096 && piece_lanes == 128 && rows_per_piece == 64,
              "the texts below have these numbers");

constexpr std::string_view gpu_segment = R"(
  __shared__ @A lanes[128];
  const long long segment = blockIdx.x, first = segment * length;
  const long long limit = first + length < n ? first + length : n;
  const int lane = threadIdx.x;
  @A total;
  for (long long begin = first; begin < limit; begin += 4096) {
    const long long count = limit - begin < 4096 ? limit - begin : 4096;
    if (lane < count) {
      long long i = begin + lane;
      @A sum = @E;
      #pragma unroll 8
      for (i += 128; i < begin + count; i += 128) sum = @<sum|@E@>;
      lanes[lane] = sum;
    }
    __syncthreads();
    for (int half = 128 / 2; half > 0; half /= 2) {
      if (lane < half && lane + half < count) lanes[lane] = @<lanes[lane]|lanes[lane + half]@>;
      __syncthreads();
    }
    if (lane == 0) total = begin == first ? lanes[0] : @<total|lanes[0]@>;
    __syncthreads();
  }
  if (lane == 0) part[blockIdx.x] = total;
}
)";

constexpr std::string_view cpu_segment = R"(
  for (unsigned block = blockIdx.x; block < blockIdx.x + tessera_blocks; ++block) {
    const long long segment = block, first = segment * length;
    const long long limit = first + length < n ? first + length : n;
    @A total;
    for (long long begin = first; begin < limit; begin += 4096) {
      const long long count = limit - begin < 4096 ? limit - begin : 4096;
      @A lanes[128];
      const int head = count < 128 ? (int)count : 128;
      for (int lane = 0; lane < head; ++lane) {
        const long long i = begin + lane;
        lanes[lane] = @E;
      }
      long long row = begin + 128;
      for (; row + 128 <= begin + count; row += 128)
        for (int lane = 0; lane < 128; ++lane) {
          const long long i = row + lane;
          lanes[lane] = @<lanes[lane]|@E@>;
        }
      for (long long i = row; i < begin + count; ++i) lanes[i - row] = @<lanes[i - row]|@E@>;
      for (int half = 128 / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half && lane + half < count; ++lane)
          lanes[lane] = @<lanes[lane]|lanes[lane + half]@>;
      total = begin == first ? lanes[0] : @<total|lanes[0]@>;
    }
    part[block] = total;
  }
}
)";

constexpr std::string_view gpu_columns = R"(
  const long long column = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  const long long first = (long long)blockIdx.y * 64;
  const long long limit = first + 64 < rows ? first + 64 : rows;
  @A sum = x[first * stride + column];
  for (long long row = first + 1; row < limit; ++row) sum = @<sum|x[row * stride + column]@>;
  part[blockIdx.y * columns + column] = sum;
}
)";

constexpr std::string_view cpu_columns = R"(
  const long long begin = (long long)blockIdx.x * blockDim.x;
  const long long wanted = begin + (long long)tessera_blocks * blockDim.x;
  const long long end = wanted < columns ? wanted : columns;
  const long long first = (long long)blockIdx.y * 64;
  const long long limit = first + 64 < rows ? first + 64 : rows;
  @A* sums = part + blockIdx.y * columns;
  for (long long column = begin; column < end; ++column) sums[column] = x[first * stride + column];
  for (long long row = first + 1; row < limit; ++row) {
    #pragma GCC ivdep
    for (long long column = begin; column < end; ++column)
      sums[column] = @<sums[column]|x[row * stride + column]@>;
  }
}
)";

}  // namespace

kernel_text segment_fold_text(const op_text& function, const call_text& call, const operator_text& combine,
                              const std::string& type) {
  const std::string list =
      cat("long long n, long long length, ", type, "* part", combine.parameter(), call.parameters());
  const std::string head = cat(kernel_prelude(), definitions_of({&function, combine.function->text.get()}),
                               "\n#line 1 \"kernel of a reduction\"\n__global__ void reduce_kernel(", list, ") {");
  return {"reduce_kernel", cat("block b, lo = b * length, hi = b * length + length - 1 => write part[b]", call.rules()),
          head + filled(gpu_segment, {type, call.expression(), combine}),
          head + filled(cpu_segment, {type, call.expression(), combine}), list};
}

kernel_text column_fold_text(const operator_text& combine, const std::string& type) {
  const std::string list = cat("long long rows, long long columns, ", type, "* part", combine.parameter(), ", const ",
                               type, "* x, long long stride");
  const std::string head = cat(kernel_prelude(), definitions_of({combine.function->text.get()}),
                               "\n#line 1 \"kernel of a reduction\"\n__global__ void column_kernel(", list, ") {");
  return {
      "column_kernel",
      cat("block [b, p], lo = blockDim.x * b, hi = blockDim.x * b + blockDim.x - 1 => write part[p, lo:hi], read x[",
          rows_per_piece, " * p : ", rows_per_piece, " * p + ", rows_per_piece - 1, ", lo:hi]"),
      head + filled(gpu_columns, {type, "", combine}), head + filled(cpu_columns, {type, "", combine}), list};
}

}  // namespace tessera::algo
