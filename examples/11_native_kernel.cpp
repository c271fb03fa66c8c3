// A kernel that is a function, one for each kind of device: it is split, placed and fed like any other. Here std::sort
// orders each row on CPUs and a kernel compiled by nvcc does on GPUs, and a CUDA kernel given as text takes the
// medians.
#include <tessera/tessera.h>

#include <algorithm>

#include "check.h"

namespace ts = tessera;

// In 11_sort_rows.cu. Without nvcc there is no such function, and GPUs refuse the launch.
void sort_rows_on_gpu(float* table, std::int64_t first, std::int64_t rows, int columns, void* stream);

namespace {

constexpr const char* medians_source = R"(
//@tessera global i => read table[i, :], write medians[i]
__global__ void take_medians(int rows, int columns, float* medians, const float* table) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) medians[i] = table[i * columns + columns / 2];
}
)";

/// Sorts the rows of one superblock, on the cores of its device.
void sort_rows(ts::native_call& call) {
  const ts::native_array& table = call.array(1);
  const std::int64_t columns = call.scalar<int>(0), first = call.points().lo[0];
  call.parallel_for(call.points().extent(0), [&](std::int64_t i) {
    float* row = reinterpret_cast<float*>(table.data + (first + i) * table.strides[0]);
    std::sort(row, row + columns);
  });
}

#ifdef HAVE_NVCC
/// Sorts the rows of one superblock on a GPU: puts the work on the device's queue and returns.
void put_sort(ts::native_call& call) {
  sort_rows_on_gpu(call.data<float>(1), call.points().lo[0], call.points().extent(0), call.scalar<int>(0),
                   call.queue());
}
#endif

}  // namespace

int main() {
  const std::int64_t rows = 2'000, columns = 151;
  std::vector<float> values = example::numbers(rows * columns);

  ts::context ctx;
  std::map<std::string, ts::native_kernel> functions{{"cpu", sort_rows}};
#ifdef HAVE_NVCC
  functions["cuda"] = put_sort;
#endif
  ts::kernel sort =
      ctx.native("sort_rows", "int columns, float* table", "global i => readwrite table[i, :]", functions);
  ts::kernel take_medians = ctx.compile(medians_source, "take_medians");
  auto table = ctx.from<float>({rows, columns}, values);
  auto medians = ctx.empty<float>({rows});
  sort.launch({.threads = {rows}}, columns, table);
  take_medians.launch({.threads = {rows}, .block = {64}}, rows, columns, medians, table);

  std::vector<float> expected;
  for (auto row = values.begin(); row != values.end(); row += columns) {
    std::sort(row, row + columns);
    expected.push_back(row[columns / 2]);
  }
  return example::report("medians of rows", medians.read(), expected);
}
