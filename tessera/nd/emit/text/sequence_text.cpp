#include "tessera/nd/emit/text/sequence_text.h"

#include "tessera/base/index.h"
#include "tessera/base/text.h"
#include "tessera/kernel/scalar/print.h"
#include "tessera/nd/emit/text/annotation.h"

namespace tessera::nd {

namespace {

std::vector<kernels::expression::value> outputs_of(const group& made) {
  std::vector<kernels::expression::value> list;
  for (const group_output& output : made.outputs) list.push_back(output.value);
  return list;
}

}  // namespace

sequence_text::sequence_text(const group& made, const launch_space& space, std::string across)
    : sequence_text(made, space, std::move(across), outputs_of(made)) {}

sequence_text::sequence_text(const group& made, const launch_space& space, std::string across,
                             std::vector<kernels::expression::value> values)
    : made_(made),
      space_(space),
      across_(std::move(across)),
      values_(std::move(values)),
      is_needed_(needed_parameters(made, values_)) {}

std::string sequence_text::lengths() const {
  std::string text;
  for (int axis = 0; axis < 3; ++axis) {
    std::string product;
    for (int j = 0; j < space_.axes(); ++j)
      if (space_.launch_axis(j) == axis) product += cat(product.empty() ? "" : " * ", "s.n", j);
    text += cat("  const long long n", "xyz"[axis], " = ", product.empty() ? "1" : product, ";\n");
  }
  return text;
}

std::string sequence_text::indices(int launch_axis, const char* variable, const std::string& indent) const {
  std::string text;
  int left = 0;
  for (int j = 0; j < space_.axes(); ++j) left += space_.launch_axis(j) == launch_axis ? 1 : 0;
  const bool is_alone = left == 1;
  if (left > 1) text += cat(indent, "long long left", launch_axis, " = ", variable, ";\n");
  for (int j = last(); j >= 0; --j) {
    if (space_.launch_axis(j) != launch_axis) continue;
    --left;
    const std::string from = is_alone ? variable : cat("left", launch_axis);
    text += cat(indent, "const long long i", j, " = ", from, left > 0 ? cat(" % s.n", j) : "", ";\n");
    if (left > 0) text += cat(indent, "left", launch_axis, " /= s.n", j, ";\n");
  }
  return text;
}

std::string sequence_text::row_loop(const char* variable, int launch_axis) const {
  return cat("  for (long long ", variable, " = (long long)blockIdx.", variable, " * s.t", variable, "; ", variable,
             " < ((long long)blockIdx.", variable, " + 1) * s.t", variable, " && ", variable, " < n", variable, "; ++",
             variable, ") {\n", indices(launch_axis, variable, "    "));
}

/// All but what the last axis adds.
std::string sequence_text::offset(int access) const {
  const array_access& a = space_.space().accesses[index(access)];
  std::string text = cat("s.o", access);
  for (int j = 0; j < last(); ++j)
    if (a.stride(j, space_.space().arrays[index(a.array)]) != 0) text += cat(" + i", j, " * s.s", access, "_", j);
  return text;
}

std::int64_t sequence_text::last_stride(int access) const {
  const array_access& a = space_.space().accesses[index(access)];
  return a.stride(last(), space_.space().arrays[index(a.array)]);
}

std::string sequence_text::element_of(int access, place_of_element place) const {
  const std::int64_t stride = last_stride(access);
  const std::string factor = stride == 1 ? "" : cat(" * s.s", access, "_", last());
  if (place == place_of_element::run) return cat("l", access, "[", stride == 0 ? "0" : "q" + factor, "]");
  const std::string column = across_.empty() ? cat("i", last()) : "x";
  return cat(array_name(made_.accesses[index(access)].array), "[", offset(access),
             stride == 0 ? "" : cat(" + ", column, factor), "]");
}

std::set<int> sequence_text::moving(int launch_axis) const {
  std::set<int> found;
  for (std::size_t k = 0; k < made_.parameters.size(); ++k) {
    const group_parameter& p = made_.parameters[k];
    if (!is_needed_[k] || p.from != group_parameter::source::element) continue;
    const array_access& a = space_.space().accesses[index(p.which)];
    for (int j = 0; j < space_.axes(); ++j)
      if (space_.launch_axis(j) == launch_axis && a.stride(j, space_.space().arrays[index(a.array)]) != 0)
        found.insert(p.which);
  }
  return found;
}

std::string sequence_text::held(const std::set<int>& accesses, int count, const std::string& indent) const {
  std::string text;
  for (const int access : accesses)
    text += cat(indent, kernels::spelling(made_.arrays[index(made_.accesses[index(access)].array)].type), " h", access,
                "[", count, "];\n");
  return text;
}

std::string sequence_text::loads(const std::set<int>& accesses, const std::string& indent) const {
  std::string text;
  for (const int access : accesses)
    text += cat(indent, "h", access, "[k] = ", element_of(access, place_of_element::index), ";\n");
  return text;
}

std::string sequence_text::element(const std::string& indent, place_of_element place) const {
  const bool in_run = place == place_of_element::run;
  const std::set<int> loaded = place == place_of_element::held ? moving(across_.empty() ? 0 : 1) : std::set<int>();
  const std::string first = across_.empty() ? cat("i", last()) : in_run ? across_ : "x";
  std::string text;
  for (std::size_t k = 0; k < made_.parameters.size(); ++k) {
    const group_parameter& p = made_.parameters[k];
    if (!is_needed_[k]) continue;
    std::string value;
    switch (p.from) {
      case group_parameter::source::element:
        value = loaded.contains(p.which) ? cat("h", p.which, "[k]") : element_of(p.which, place);
        break;
      case group_parameter::source::place:
        value = p.which != last() ? cat("i", p.which) : in_run ? first + " + q" : first;
        break;
      case group_parameter::source::scalar:
        value = cat("q", p.which);
        break;
      case group_parameter::source::position:
        value = in_run && across_.empty() ? "e + q" : "e";
        break;
      case group_parameter::source::result:
        value = cat("r", p.which);
        break;
      case group_parameter::source::kept:
        value = cat("kept", p.which, in_run ? "[e + q]" : kept_at_);
        break;
    }
    text += cat(indent, "const ", kernels::spelling(p.type), " p", k, " = ", value, ";\n");
  }
  return text + kernels::print_statements(made_.body, values_, "f", indent);
}

std::string sequence_text::results_text(const std::string& indent) const {
  std::string text;
  for (std::size_t k = 0; k < made_.parameters.size(); ++k) {
    const group_parameter& p = made_.parameters[k];
    const bool is_result = p.from == group_parameter::source::result;
    if (!is_result && p.from != group_parameter::source::scalar) continue;
    text += cat(indent, "const ", kernels::spelling(p.type), " p", k, " = ", is_result ? "r" : "q", p.which, ";\n");
  }
  return text;
}

std::string sequence_text::run_pointers(const std::string& indent, const std::string& begin) const {
  std::string text;
  for (int k = 0; k < static_cast<int>(made_.accesses.size()); ++k) {
    const std::int64_t stride = last_stride(k);
    const group_array& a = made_.arrays[index(made_.accesses[index(k)].array)];
    const std::string along = stride == 0   ? ""
                              : stride == 1 ? cat(" + ", begin)
                                            : cat(" + ", begin, " * s.s", k, "_", last());
    text += cat(indent, a.is_written ? "" : "const ", kernels::spelling(a.type), "* const l", k, " = ",
                array_name(made_.accesses[index(k)].array), " + (", offset(k), along, ");\n");
  }
  return text;
}

std::string sequence_text::value_name(std::size_t output) const { return kernels::result_name(values_[output]); }

std::string sequence_text::value_names() const {
  std::string text;
  for (std::size_t k = 0; k < values_.size(); ++k) text += cat(k == 0 ? "" : ", ", value_name(k));
  return text;
}

}  // namespace tessera::nd
