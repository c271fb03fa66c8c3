#include "tessera/algo/exec/map_text.h"

#include "tessera/base/text.h"

namespace tessera::algo {
std::string result_type(const op_text& function) {
  if (function.results.size() == 1) return function.results[0].type;
  std::string list;
  for (const op_result& r : function.results) list += cat(list.empty() ? "" : ", ", r.type);
  return cat("tessera::tuple<", list, ">");
}

std::string stores_of(const std::vector<array_text>& outputs, const std::string& result) {
  if (outputs.size() == 1) return cat(outputs[0].element(), " = ", result, ";");
  std::string text;
  for (std::size_t k = 0; k < outputs.size(); ++k)
    text += cat(outputs[k].element(), " = tessera::get<", k, ">(", result, "); ");
  return text;
}

std::string extents_text(int axes) {
  if (axes == 0) return "long long n";
  std::string text;
  for (int k = 0; k < axes; ++k) text += cat(k == 0 ? "" : ", ", "long long n", k);
  return text;
}

namespace {

/// The indices of all axes but the last, from the block's.
std::string outer_indices(int axes) {
  if (axes < 2) return "";
  std::string text = cat("  const long long i", axes - 2, " = blockIdx.y;\n");
  if (axes == 3) text += "  const long long i0 = blockIdx.z;\n";
  if (axes == 4) text += "  const long long i0 = blockIdx.z / n1, i1 = blockIdx.z % n1;\n";
  return text;
}

std::string annotation(const call_text& call, const std::vector<array_text>& outputs, int axes) {
  const char* names = axes < 2 ? "b" : axes == 2 ? "[b, y]" : "[b, y, z]";
  std::string text =
      cat("block ", names, ", lo = ", elements_per_thread, " * blockDim.x * b, hi = ", elements_per_thread,
          " * blockDim.x * b + ", elements_per_thread, " * blockDim.x - 1 => ");
  for (std::size_t k = 0; k < outputs.size(); ++k) text += cat(k == 0 ? "" : ", ", "write ", outputs[k].range());
  return text + call.rules();
}

}  // namespace

kernel_text map_text(const op_text& function, const call_text& call, const std::vector<array_text>& outputs, int axes) {
  const std::string index = axes == 0 ? "i" : cat("i", axes - 1), limit = axes == 0 ? "n" : cat("n", axes - 1);
  std::string list = extents_text(axes);
  for (const array_text& output : outputs) list += output.parameters();
  list += call.parameters();
  const std::string head =
      cat(call.prelude(), definitions_of({&function}), "\n#line 1 \"kernel of a map\"\n__global__ void map_kernel(",
          list, ") {\n", outer_indices(axes));
  kernel_text made;
  made.name = "map_kernel";
  made.parameters = list;
  made.annotation = annotation(call, outputs, axes);
  made.text =
      cat(head, "  const long long begin = (long long)blockIdx.x * (", elements_per_thread,
          " * blockDim.x) + threadIdx.x;\n  ", result_type(function), " results[", elements_per_thread, "];\n",
          "  #pragma unroll\n  for (int k = 0; k < ", elements_per_thread, "; ++k) {\n    const long long ", index,
          " = begin + k * (long long)blockDim.x;\n    if (", index, " < ", limit, ") results[k] = ", call.expression(),
          ";\n  }\n  #pragma unroll\n  for (int k = 0; k < ", elements_per_thread, "; ++k) {\n    const long long ",
          index, " = begin + k * (long long)blockDim.x;\n    if (", index, " < ", limit, ") { ",
          stores_of(outputs, "results[k]"), " }\n  }\n}\n");
  made.cpu_text = cat(head, "  const long long begin = (long long)blockIdx.x * (", elements_per_thread,
                      " * blockDim.x);\n  const long long wanted = begin + (long long)tessera_blocks * (",
                      elements_per_thread, " * blockDim.x);\n  const long long end = wanted < ", limit,
                      " ? wanted : ", limit, ";\n  #pragma GCC ivdep\n  for (long long ", index, " = begin; ", index,
                      " < end; ++", index, ") {\n    const ", result_type(function), " result = ", call.expression(),
                      ";\n    ", stores_of(outputs, "result"), "\n  }\n}\n");
  return made;
}

}  // namespace tessera::algo
