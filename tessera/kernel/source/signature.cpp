#include "tessera/kernel/source/signature.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/analysis/accumulation.h"
#include "tessera/kernel/flat/flatten.h"
#include "tessera/kernel/source/outline.h"
#include "tessera/kernel/source/parameter_type.h"
#include "tessera/kernel/source/reach.h"
#include "tessera/kernel/source/registered.h"
#include "tessera/kernel/strip/strip_text.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

constexpr std::string_view annotation_mark = "@tessera";

std::vector<std::size_t> find_kernels(const outline& source) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < source.declarations.size(); ++i) {
    const declaration& d = source.declarations[i];
    if (d.kind == declaration_kind::function && has_qualifier(source, d, "__global__")) result.push_back(i);
  }
  return result;
}

std::string join_names(const outline& source, const std::vector<std::size_t>& kernels) {
  std::string text;
  for (std::size_t i : kernels) text += cat(text.empty() ? "" : ", ", source.name_of(source.declarations[i]).text);
  return text;
}

std::size_t choose_kernel(const outline& source, const token_list& list, const std::string& name) {
  const std::vector<std::size_t> kernels = find_kernels(source);
  const std::string& file = list.files[0];
  if (kernels.empty()) throw compile_error(cat(file, ":1:1: no __global__ function found"));
  std::vector<std::size_t> fitting;
  for (std::size_t i : kernels) {
    const declaration& d = source.declarations[i];
    const std::string_view plain = source.name_of(d).text;
    if (name.empty() || plain == name || cat(d.scope, plain) == name) fitting.push_back(i);
  }
  if (fitting.empty())
    throw compile_error(cat(file, ":1:1: no kernel named `", name, "`; there are: ", join_names(source, kernels)));
  if (fitting.size() > 1 && name.empty())
    throw compile_error(cat(file, ":1:1: there are several kernels, name one of: ", join_names(source, kernels)));
  if (fitting.size() > 1)
    throw compile_error(cat(list.position(source.name_of(source.declarations[fitting[1]])), ": kernel `", name,
                            "` is defined more than once; give overloads names of their own"));
  return fitting[0];
}

std::vector<parameter> parse_parameters(const outline& source, const declaration& kernel, const token_list& list) {
  const std::span<const token> code = source.code;
  std::vector<parameter> result;
  const token_range all = kernel.parameters;
  if (all.empty() || (all.end == all.begin + 1 && code[all.begin].is("void"))) return result;
  std::size_t start = all.begin;
  int depth = 0;
  for (std::size_t i = all.begin; i <= all.end; ++i) {
    const bool at_end = i == all.end;
    const std::string_view t = at_end ? std::string_view(",") : code[i].text;
    if (t == "(" || t == "[" || t == "{" || t == "<") ++depth;
    if (t == ")" || t == "]" || t == "}" || t == ">") --depth;
    if (t == ">>") depth -= 2;
    if (!at_end && (t != "," || depth > 0)) continue;
    const std::string position = list.position(code[std::min(start, all.end - 1)]);
    const std::vector<token> expanded = expand_macros(source, {start, i});
    if (expanded.empty()) throw compile_error(cat(position, ": a parameter is missing"));
    result.push_back(parse_parameter(expanded, source, position));
    start = i + 1;
  }
  return result;
}

std::string_view annotation_of(std::string_view comment) {
  if (!comment.starts_with("//")) return {};
  comment.remove_prefix(2);
  comment.remove_prefix(std::min(comment.find_first_not_of(" \t"), comment.size()));
  if (!comment.starts_with(annotation_mark)) return {};
  comment.remove_prefix(annotation_mark.size());
  const bool is_word = comment.empty() || comment[0] == ' ' || comment[0] == '\t' || comment[0] == ':';
  if (!is_word) return {};
  const std::size_t first = comment.find_first_not_of(" \t:");
  if (first == std::string_view::npos) return {};
  return comment.substr(first, comment.find_last_not_of(" \t\r") - first + 1);
}

/// Joins the annotation comments between the declaration before and the kernel.
void find_annotation(kernel_text& kernel, const token_list& list, const token& first) {
  auto at = std::find_if(list.tokens.begin(), list.tokens.end(),
                         [&](const token& t) { return t.text.data() == first.text.data(); });
  while (at != list.tokens.begin() && std::prev(at)->kind == token_kind::comment) {
    --at;
    const std::string_view text = annotation_of(at->text);
    if (text.empty()) continue;
    kernel.annotation = kernel.annotation.empty() ? std::string(text) : cat(text, " ", kernel.annotation);
    kernel.annotation_line = at->line;
  }
}

}  // namespace

std::vector<std::string> list_kernels(const std::string& source, const define_list& defines) {
  const token_list list = tokenise(source, "");
  const outline parsed = make_outline(select_active(list, defines));
  std::vector<std::string> names;
  for (std::size_t i : find_kernels(parsed)) names.emplace_back(parsed.name_of(parsed.declarations[i]).text);
  return names;
}

kernel_text parse_kernel(const std::string& source, std::string file, const std::string& kernel_name,
                         define_list defines, std::span<const registered_reduction> reductions) {
  check_reductions(reductions, file);
  kernel_text kernel;
  kernel.file = std::move(file);
  kernel.source = inline_headers(source, kernel.file);
  kernel.file_bytes = kernel.source.size();
  kernel.source += reduction_functions(reductions, kernel.file);
  kernel.reductions.assign(reductions.begin(), reductions.end());
  kernel.defines = std::move(defines);
  kernel.include_directory = std::filesystem::path(kernel.file).parent_path().string();
  if (kernel.include_directory.empty()) kernel.include_directory = ".";

  parsed_kernel source_parts;
  token_list& list = source_parts.list = tokenise(kernel.source, kernel.file);
  outline& parsed = source_parts.parsed = make_outline(select_active(list, kernel.defines));
  const std::size_t chosen = choose_kernel(parsed, list, kernel_name);
  const declaration& d = parsed.declarations[chosen];
  const token& name = parsed.name_of(d);
  kernel.name = name.text;
  kernel.scope = d.scope;
  kernel.line = name.line;
  if (d.is_template)
    throw compile_error(cat(list.position(name), ": kernel `", name.text,
                            "` is a template: not supported yet; wrap the instantiation in a plain kernel"));
  kernel.parameters = parse_parameters(parsed, d, list);
  find_annotation(kernel, list, parsed.code[d.all.begin]);
  source_parts.needed = find_reach(parsed, chosen);
  refuse_unsupported(parsed, source_parts.needed, list);
  kernel.features = find_features(parsed, source_parts.needed);
  if (kernel.features.atomics)
    for (parameter& p : kernel.parameters) {
      if (!p.is_pointer || p.name.empty()) continue;
      const std::vector<accumulation> calls = find_accumulations(parsed, d, p.name);
      if (!calls.empty()) p.accumulates = calls.front().op;
    }
  kernel.variables = find_variables(parsed, source_parts.needed, list);
  if (kernel.features.needs_block()) kernel.features.unsplit = find_refusal(kernel);
  kernel.features.strips = add_strips(kernel).has_value();
  return kernel;
}

}  // namespace tessera::kernels
