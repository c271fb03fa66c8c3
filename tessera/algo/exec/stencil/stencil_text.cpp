#include "tessera/algo/exec/stencil/stencil_text.h"

#include "tessera/algo/exec/map_text.h"
#include "tessera/algo/exec/stencil/tile.h"
#include "tessera/base/text.h"

namespace tessera::algo {
namespace {

/// `first` to `end` of the tile on an axis of `n` elements, as variables `NAME_first` and `NAME_end`.
std::string bounds(const char* name, const char* block, const char* size, int axis, bool is_shifted) {
  const std::string from = cat("(long long)", block, " * ", size, is_shifted ? " - shift" : "");
  const std::string n = cat("n", axis), wanted = cat(name, "_wanted");
  return cat("  const long long ", wanted, " = ", from, ", ", name, "_first = ", wanted, " > 0 ? ", wanted, " : 0, ",
             name, "_end = ", wanted, " + ", size, " < ", n, " ? ", wanted, " + ", size, " : ", n, ";\n");
}

/// The indices that a thread block has alone, and the bounds of the others but the last.
std::string outer_bounds(int axes) {
  std::string text = bounds("row", "blockIdx.y", "rows", axes - 2, axes == 2);
  if (axes == 3) text += bounds("plane", "blockIdx.z", "planes", 0, true);
  if (axes == 4) text += "  const long long i0 = blockIdx.z / n1, i1 = blockIdx.z % n1;\n";
  return text;
}

/// Threads go through planes, of three axes, or rows: four elements at once, loads before stores.
std::string gpu_loops(const std::string& result, const std::string& value, const std::string& stores, int axes) {
  const bool by_planes = axes == 3;
  const std::string last = cat("i", axes - 1), moving = by_planes ? "i0" : cat("i", axes - 2);
  const std::string end = by_planes ? "plane_end" : "row_end", step = by_planes ? "1" : "below";
  const std::string each = cat("const long long ", moving, " = at + k * ", step, ";");
  std::string text =
      cat("  const long long column_end = (long long)blockIdx.x * width + width < n", axes - 1,
          " ? (long long)blockIdx.x * width + width : n", axes - 1,
          ";\n"
          "  const unsigned beside = width < blockDim.x ? (unsigned)width : blockDim.x, below = blockDim.x / beside;\n"
          "  const unsigned column = threadIdx.x % beside, row = threadIdx.x / beside;\n"
          "  if (row >= below) return;\n"
          "  for (long long ",
          last, " = (long long)blockIdx.x * width + column; ", last, " < column_end; ", last, " += beside)\n");
  if (by_planes) text += "  for (long long i1 = row_first + row; i1 < row_end; i1 += below)\n";
  return cat(text, "  {\n    long long at = ", by_planes ? "plane_first" : "row_first + row", ";\n    for (; at + 3 * ",
             step, " < ", end, "; at += 4 * ", step, ") {\n      ", result,
             " results[4];\n      #pragma unroll\n      for (int k = 0; k < 4; ++k) {\n        ", each,
             "\n        results[k] = ", value,
             ";\n      }\n      #pragma unroll\n      for (int k = 0; k < 4; ++k) {\n", "        ", each,
             "\n        const ", result, " result = results[k];\n        ", stores,
             "\n      }\n    }\n    for (; at < ", end, "; at += ", step, ") {\n      const long long ", moving,
             " = at;\n      const ", result, " result = ", value, ";\n      ", stores, "\n    }\n  }\n}\n");
}

std::string cpu_loops(const std::string& result, const std::string& value, const std::string& stores, int axes) {
  const std::string last = cat("i", axes - 1), limit = cat("n", axes - 1), row = cat("i", axes - 2);
  std::string text =
      cat("  const long long begin = (long long)blockIdx.x * width;\n"
          "  const long long wanted = begin + (long long)tessera_blocks * width;\n"
          "  const long long end = wanted < ",
          limit, " ? wanted : ", limit, ";\n");
  if (axes == 3) text += "  for (long long i0 = plane_first; i0 < plane_end; ++i0)\n";
  return cat(text, "  for (long long ", row, " = row_first; ", row, " < row_end; ++", row,
             ") {\n    #pragma GCC ivdep\n    for (long long ", last, " = begin; ", last, " < end; ++", last,
             ") {\n      const ", result, " result = ", value, ";\n      ", stores, "\n    }\n  }\n}\n");
}

}  // namespace

kernel_text stencil_text(const op_text& function, const call_text& call, const std::vector<array_text>& outputs,
                         int axes) {
  kernel_text made;
  made.name = "map_kernel";
  made.parameters = extents_text(axes);
  for (const array_text& output : outputs) made.parameters += output.parameters();
  made.parameters += tile_parameters() + call.parameters();
  made.annotation = tile_block(axes);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    made.annotation += cat(k == 0 ? "" : ", ", "write ", outputs[k].range());
  made.annotation += call.rules();
  const std::string head =
      cat(call.prelude(), definitions_of({&function}), "\n#line 1 \"kernel of a stencil\"\n__global__ void map_kernel(",
          made.parameters, ") {\n", outer_bounds(axes));
  const std::string result = result_type(function), stores = stores_of(outputs, "result");
  made.text = head + gpu_loops(result, call.expression(), stores, axes);
  made.cpu_text = head + cpu_loops(result, call.expression(), stores, axes);
  return made;
}

}  // namespace tessera::algo
