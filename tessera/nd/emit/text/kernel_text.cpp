#include "tessera/nd/emit/text/kernel_text.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/text/annotation.h"

namespace tessera::nd {
namespace {

using source = group_parameter::source;

kernels::type_set types_of(const group& made) {
  kernels::type_set all = 0;
  for (const kernels::scalar_step& step : made.body.steps()) all |= kernels::type_sets::of(step.type);
  for (const group_array& a : made.arrays) all |= kernels::type_sets::of(a.type);
  return all;
}

std::string space_text(const launch_space& space) {
  const int axes = space.axes();
  std::string text = "struct nd_space {\n  long long ";
  for (int j = 0; j < axes; ++j) text += cat("n", j, ", ");
  text += "tx, ty, tz, lx;\n";
  if (space.has_window())
    for (const char* end : {"wlo", "whi"})
      for (int j = 0; j < axes; ++j) text += cat("  long long ", end, j, ";\n");
  for (std::size_t k = 0; k < space.space().accesses.size(); ++k) {
    text += cat("  long long o", k);
    for (int j = 0; j < axes; ++j) text += cat(", s", k, "_", j);
    text += ";\n";
  }
  return text + "};\n";
}

/// How far apart neighbours along x lie, as far as the text depends on it.
enum class stride_class : char { none = '0', one = '1', other = 'n' };
stride_class class_of(const launch_space& space, int access) {
  const array_access& a = space.space().accesses[index(access)];
  const std::int64_t step = a.stride(space.axes() - 1, space.space().arrays[index(a.array)]);
  return step == 0 ? stride_class::none : step == 1 ? stride_class::one : stride_class::other;
}

/// The offset of an access on all axes but x.
std::string row_offset(const launch_space& space, int access) {
  std::string text = cat("s.o", access);
  const array_access& a = space.space().accesses[index(access)];
  for (int j = 0; j + 1 < space.axes(); ++j)
    if (a.stride(j, space.space().arrays[index(a.array)]) != 0)
      text += cat(" + ", place_name(j, space.axes()), " * s.s", access, "_", j);
  return text;
}

std::string along_x(const launch_space& space, int access) {
  switch (class_of(space, access)) {
    case stride_class::none:
      return "0";
    case stride_class::one:
      return "x";
    case stride_class::other:
      break;
  }
  return cat("x * s.s", access, "_", space.axes() - 1);
}

}  // namespace

parameter_places::parameter_places(const group& made) {
  if (!made.body.constants().empty()) numbers = arrays++;
  scalars = arrays + static_cast<int>(made.arrays.size());
  end = scalars + static_cast<int>(made.scalars.size());
}

std::string place_name(int axis, int axes) {
  const int from_last = axes - 1 - axis;
  if (from_last == 0) return "x";
  if (from_last == 1) return "y";
  return axes == 3 ? "z" : "i" + std::to_string(axis);
}

std::string decompose_z(int axes, const std::string& indent) {
  if (axes < 4) return "";
  std::string text = indent + "long long left = z;\n";
  for (int j = axes - 3; j >= 0; --j)
    text += cat(indent, "const long long i", j, " = left % s.n", j, ";\n",
                j > 0 ? cat(indent, "left /= s.n", j, ";\n") : "");
  return text;
}

std::string kernel_head(const group& made, const launch_space& space) {
  std::string text = kernels::scalar_prelude(types_of(made)) + space_text(space);
  for (const group_output& output : made.outputs)
    if (output.source >= 0)
      return cat(text, kernels::print_numbers(made.body, "nd_numbers"),
                 "__device__ inline long long nd_place(long long i, long long n) {\n  i += i < 0 ? n : 0;\n",
                 "  return i < 0 ? 0 : i < n ? i : n - 1;\n}\n");
  if (!made.body.constants().empty()) text += kernels::print_numbers(made.body, "nd_numbers");
  return text;
}

std::string parameter_list(const group& made) {
  std::string text = "nd_space s";
  if (!made.body.constants().empty()) text += ", nd_numbers f";
  for (std::size_t a = 0; a < made.arrays.size(); ++a)
    text += cat(", ", made.arrays[a].is_written ? "" : "const ", kernels::spelling(made.arrays[a].type), "* ",
                array_name(static_cast<int>(a)));
  for (std::size_t k = 0; k < made.scalars.size(); ++k)
    text += cat(", ", kernels::spelling(made.scalars[k]->type), " q", k);
  return text;
}

std::string element_text(const group& made, const launch_space& space, int access, bool from_row) {
  if (from_row) return cat("l", access, "[", along_x(space, access), "]");
  return cat(array_name(made.accesses[index(access)].array), "[", row_offset(space, access), " + ",
             along_x(space, access), "]");
}

std::string stored_text(const group& made, const launch_space& space, const group_output& output, bool from_row) {
  const std::string value = kernels::result_name(output.value);
  if (output.source < 0) return value;
  const std::string element = element_text(made, space, output.source, from_row);
  return cat(element.substr(0, element.size() - 1), " + nd_place(", value, ", f.c", output.numbers, ") * f.c",
             output.numbers + 1, "]");
}

std::string row_pointers(const group& made, const launch_space& space, const std::string& indent) {
  std::string text;
  for (int k = 0; k < static_cast<int>(made.accesses.size()); ++k) {
    const group_array& a = made.arrays[index(made.accesses[index(k)].array)];
    text += cat(indent, a.is_written ? "" : "const ", kernels::spelling(a.type), "* const l", k, " = ",
                array_name(made.accesses[index(k)].array), " + (", row_offset(space, k), ");\n");
  }
  return text;
}

std::string load_text(const group& made, const launch_space& space, bool from_rows, const std::string& indent) {
  std::string text;
  for (std::size_t k = 0; k < made.parameters.size(); ++k) {
    const group_parameter& p = made.parameters[k];
    std::string value;
    if (p.from == source::element) value = element_text(made, space, p.which, from_rows);
    if (p.from == source::place) value = place_name(p.which, space.axes());
    if (p.from == source::scalar) value = cat("q", p.which);
    text += cat(indent, "const ", kernels::spelling(p.type), " p", k, " = ", value, ";\n");
  }
  return text;
}

void append_text_key(std::string& key, const group& made, const launch_space& space) {
  const auto add = [&](auto n) { key += static_cast<char>(n); };
  const auto add_wide = [&](auto n) { key.append(reinterpret_cast<const char*>(&n), sizeof n); };
  add(space.axes());
  add(made.is_fast());
  add(space.has_window() ? 1 + made.outside : 0);
  for (const kernels::scalar_step& step : made.body.steps()) {
    add(step.operation), add(step.type), add_wide(step.place), add_wide(step.detail);
    for (const std::uint16_t operand : step.operands) add_wide(operand);
  }
  add(0x7f);
  for (const scalar_kind type : made.body.constants()) add(type);
  add(0x7f);
  for (const group_parameter& p : made.parameters) add(p.from), add(p.which), add(p.type);
  add(0x7f);
  for (const group_output& output : made.outputs)
    add_wide(output.value), add(output.access), add(output.source), add(output.numbers);
  add(0x7f);
  for (int k = 0; k < static_cast<int>(made.accesses.size()); ++k) {
    add(class_of(space, k));
    const array_access& a = space.space().accesses[index(k)];
    for (int j = 0; j + 1 < space.axes(); ++j) add(a.stride(j, space.space().arrays[index(a.array)]) != 0 ? 1 : 0);
  }
  for (const node_ptr& scalar : made.scalars) add(scalar->type);
}

}  // namespace tessera::nd
