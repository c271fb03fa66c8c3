#include "tessera/algo/exec/fold_text.h"

#include "tessera/algo/exec/pattern.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

static_assert(piece_elements == 4096 && piece_lanes == 128 && rows_per_piece == 64,
              "the texts below have these numbers");

/// A warp combines a piece: its thread t has the lanes t, t + 32, t + 64 and t + 96, and reads four elements of each
/// before it combines them. Thread blocks of a segment that is one piece share it, a thread per lane.
constexpr std::string_view gpu_segment = R"(
  __shared__ @A lanes[128];
  const long long first = blockIdx.x * length, segment = blockIdx.x;
  const long long limit = first + length < n ? first + length : n;
  if (length <= 4096) {
    const int count = (int)(limit - first), lane = threadIdx.x;
    if (lane < count) {
      long long i = first + lane;
      @A sum = @E;
      #pragma unroll 8
      for (i += 128; i < limit; i += 128) sum = @<sum|@E@>;
      lanes[lane] = sum;
    }
    __syncthreads();
    if (lane >= 32) return;
    for (int half = 128 / 2; half > 0; half /= 2) {
      for (int at = lane; at < half && at + half < count; at += 32) lanes[at] = @<lanes[at]|lanes[at + half]@>;
      __syncwarp();
    }
    if (lane == 0) part[blockIdx.x] = lanes[0];
    return;
  }
  const int own = threadIdx.x, lane = own % 32;
  @A total;
  for (long long round = first; round < limit; round += 4 * 4096) {
    const long long begin = round + own / 32 * 4096;
    const int count = begin + 4096 <= limit ? 4096 : begin < limit ? (int)(limit - begin) : 0;
    @A sums[4];
    if (count == 4096) {
      #pragma unroll 1
      for (int row = 0; row < 32; row += 4) {
        @A read[16];
        #pragma unroll
        for (int k = 0; k < 16; ++k) {
          const long long i = begin + row * 128 + k * 32 + lane;
          read[k] = @E;
        }
        #pragma unroll
        for (int k = 0; k < 4; ++k) {
          if (row == 0)
            sums[k] = read[k];
          else
            sums[k] = @<sums[k]|read[k]@>;
        }
        #pragma unroll
        for (int k = 4; k < 16; ++k) sums[k % 4] = @<sums[k % 4]|read[k]@>;
      }
    } else {
      #pragma unroll 1
      for (int at = lane; at < count; at += 32) {
        const long long i = begin + at;
        const @A element = @E;
        #pragma unroll
        for (int k = 0; k < 4; ++k)
          if (at / 32 % 4 == k) sums[k] = at < 128 ? element : @<sums[k]|element@>;
      }
    }
    if (lane + 64 < count) sums[0] = @<sums[0]|sums[2]@>;
    if (lane + 96 < count) sums[1] = @<sums[1]|sums[3]@>;
    if (lane + 32 < count) sums[0] = @<sums[0]|sums[1]@>;
    if (lane < count) lanes[own] = sums[0];
    for (int half = 16; half > 0; half /= 2) {
      __syncwarp();
      if (lane < half && lane + half < count) lanes[own] = @<lanes[own]|lanes[own + half]@>;
    }
    __syncthreads();
    if (own == 0)
      for (int piece = 0; piece < 4 && round + piece * 4096 < limit; ++piece)
        total = round == first && piece == 0 ? lanes[0] : @<total|lanes[piece * 32]@>;
    __syncthreads();
  }
  if (own == 0) part[blockIdx.x] = total;
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
