#include "tessera/nd/emit/text/pointwise_text.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/text/gpu_pointwise_text.h"

namespace tessera::nd {

std::vector<kernels::expression::value> results_of(const group& made) {
  std::vector<kernels::expression::value> list;
  for (const group_output& output : made.outputs) list.push_back(output.value);
  return list;
}

std::string compute_text(const group& made, const launch_space& space, bool from_rows, const std::string& indent) {
  std::string text =
      load_text(made, space, from_rows, indent) + kernels::print_statements(made.body, results_of(made), "f", indent);
  for (const group_output& output : made.outputs)
    text += cat(indent, element_text(made, space, output.access, from_rows), " = ",
                stored_text(made, space, output, from_rows), ";\n");
  return text;
}

std::string copy_text(const group& made, const launch_space& space, bool from_rows, const std::string& indent) {
  return cat(indent, element_text(made, space, made.outputs[0].access, from_rows), " = ",
             element_text(made, space, made.parameters[index(made.outside)].which, from_rows), ";\n");
}

std::string window_of_rows(const launch_space& space) {
  std::string text = "true";
  for (int j = 0; j + 1 < space.axes(); ++j) {
    const std::string place = place_name(j, space.axes());
    text += cat(" && ", place, " >= s.wlo", j, " && ", place, " < s.whi", j);
  }
  return text;
}

namespace {

std::string cpu_loop(const std::string& from, const std::string& to, const std::string& body,
                     const std::string& indent) {
  return cat(indent, "#pragma GCC ivdep\n", indent, "for (long long x = ", from, "; x < ", to, "; ++x) {\n", body,
             indent, "}\n");
}

std::string cpu_row(const group& made, const launch_space& space, const std::string& indent) {
  const std::string deeper = indent + "  ";
  if (!space.has_window()) return cpu_loop("x0", "x1", compute_text(made, space, true, deeper), indent);
  const int last = space.axes() - 1;
  const std::string copy = copy_text(made, space, true, deeper);
  return cat(indent, "const bool inside = ", window_of_rows(space), ";\n", indent,
             "const long long lo = !inside ? x1 : s.wlo", last, " < x0 ? x0 : s.wlo", last, " < x1 ? s.wlo", last,
             " : x1;\n", indent, "const long long hi = !inside ? x1 : s.whi", last, " < lo ? lo : s.whi", last,
             " < x1 ? s.whi", last, " : x1;\n", cpu_loop("x0", "lo", copy, indent),
             cpu_loop("lo", "hi", compute_text(made, space, true, deeper), indent), cpu_loop("hi", "x1", copy, indent));
}

std::string cpu_rows(const group& made, const launch_space& space) {
  const int axes = space.axes(), last = axes - 1;
  std::string text = cat("  const long long x0 = blockIdx.x * s.tx, wanted = x0 + tessera_blocks * s.tx;\n",
                         "  const long long x1 = wanted < s.n", last, " ? wanted : s.n", last, ";\n");
  std::string close, indent = "  ";
  if (axes > 2) {
    std::string depth = "s.n0";
    for (int j = 1; j + 2 < axes; ++j) depth += cat(" * s.n", j);
    text += cat(indent, "for (long long z = blockIdx.z * s.tz; z < (blockIdx.z + 1) * s.tz && z < ", depth,
                "; ++z) {\n", decompose_z(axes, indent + "  "));
    close += indent + "}\n";
    indent += "  ";
  }
  if (axes > 1) {
    text += cat(indent, "for (long long y = blockIdx.y * s.ty; y < (blockIdx.y + 1) * s.ty && y < s.n", last - 1,
                "; ++y) {\n");
    close = indent + "}\n" + close;
    indent += "  ";
  }
  return text + row_pointers(made, space, indent) + cpu_row(made, space, indent) + close;
}

}  // namespace

kernel_text pointwise_text(const group& made, const launch_space& space) {
  const std::string begin = kernel_head(made, space),
                    head = cat("__global__ void nd_pointwise(", parameter_list(made), ") {\n");
  return {"nd_pointwise", cat(begin, gpu_pointwise_types(), head, gpu_pointwise(made, space), "}\n"),
          cat(begin, head, cpu_rows(made, space), "}\n")};
}

}  // namespace tessera::nd
