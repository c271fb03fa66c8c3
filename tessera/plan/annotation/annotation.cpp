#include "tessera/plan/annotation/annotation.h"

#include <algorithm>

#include "tessera/base/config.h"
#include "tessera/base/text.h"
#include "tessera/plan/access/text.h"
#include "tessera/plan/annotation/lexer.h"

namespace tessera::plan {

namespace {

/// ", did you mean `x`?" for the nearest array, or the list of arrays where none is near.
std::string suggestion(std::string_view name, std::span<const parameter_info> parameters) {
  std::vector<std::string> arrays;
  std::string all;
  for (const auto& p : parameters) {
    if (!p.is_array) continue;
    all += cat(all.empty() ? "" : ", ", "`", p.name, "`");
    arrays.push_back(p.name);
  }
  if (const std::string near = nearest_name(name, arrays); !near.empty()) return cat("; did you mean `", near, "`?");
  return all.empty() ? "; it has none" : cat("; it has ", all);
}

int position_of(std::string_view name, std::span<const parameter_info> parameters) {
  const auto p = std::ranges::find(parameters, name, &parameter_info::name);
  return p == parameters.end() ? -1 : static_cast<int>(p - parameters.begin());
}

void resolve_constants(annotation_syntax& s, std::span<const parameter_info> parameters) {
  for (constant_slot& slot : s.constants) {
    if (slot.from == constant_slot::source::block_dim || slot.from == constant_slot::source::grid_dim) continue;
    const int position = position_of(slot.name, parameters);
    if (position < 0) continue;
    if (parameters[static_cast<std::size_t>(position)].is_array)
      throw_annotation_error(s.text, s.text.find(slot.name),
                             cat("`", slot.name, "` is an array, but a constant is expected in an expression"));
    slot.from = constant_slot::source::parameter;
    slot.index = position;
  }
}

void resolve_rule(rule_syntax& r, const annotation_syntax& s, std::span<const parameter_info> parameters) {
  r.parameter = position_of(r.array, parameters);
  if (r.parameter < 0)
    throw_annotation_error(s.text, r.at,
                           cat("the kernel has no array `", r.array, "`", suggestion(r.array, parameters)));
  const parameter_info& p = parameters[static_cast<std::size_t>(r.parameter)];
  if (!p.is_array) throw_annotation_error(s.text, r.at, cat("`", r.array, "` is a scalar; rules name arrays"));
  if (p.is_const && (writes(r.mode) || combines(r.mode)))
    throw_annotation_error(s.text, r.at,
                           cat("`", r.array, "` points to const in the kernel, which contradicts `", mode_name(r.mode),
                               "`; expected `read` or `none`"));
}

/// Rules of one array that exclude each other.
void refuse_contradictions(const annotation_syntax& s) {
  for (std::size_t i = 0; i < s.rules.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const rule_syntax& a = s.rules[j];
      const rule_syntax& b = s.rules[i];
      if (a.parameter != b.parameter) continue;
      if ((a.mode == access_mode::none) != (b.mode == access_mode::none))
        throw_annotation_error(s.text, b.at, cat("`none` for `", b.array, "` contradicts another rule for it"));
      if (combines(a.mode) && combines(b.mode) && (a.mode != b.mode || a.op != b.op))
        throw_annotation_error(
            s.text, b.at,
            cat("`", b.array, "` is combined in two different ways: `", mode_text(a.mode, a.op, s.operations),
                "` and `", mode_text(b.mode, b.op, s.operations), "`"));
    }
  }
}

}  // namespace

void check_against(annotation& a, std::span<const parameter_info> parameters) {
  annotation_syntax& s = a.syntax_;
  if (s.single && s.rules.empty()) {
    s.defaults = default_pattern(parameters).rules;
    s.checked = true;
    return;
  }
  resolve_constants(s, parameters);
  for (rule_syntax& r : s.rules) resolve_rule(r, s, parameters);
  refuse_contradictions(s);
  for (const parameter_info& p : parameters)
    if (p.is_array && std::ranges::find(s.rules, p.name, &rule_syntax::array) == s.rules.end())
      throw_annotation_error(s.text, s.text.size(),
                             cat("no rule names the array `", p.name, "`; expected one, or `none ", p.name,
                                 "` if the kernel does not touch it"));
  s.checked = true;
}

access_pattern default_pattern(std::span<const parameter_info> parameters) {
  access_pattern pattern;
  pattern.single = true;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (parameters[p].is_array)
      pattern.rules.push_back({.parameter = static_cast<int>(p),
                               .mode = parameters[p].is_const ? access_mode::read : access_mode::readwrite,
                               .op = reduce_op::add,
                               .view = std::nullopt,
                               .indices = {}});
  return pattern;
}

}  // namespace tessera::plan
