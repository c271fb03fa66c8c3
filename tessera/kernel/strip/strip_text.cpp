#include "tessera/kernel/strip/strip_text.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/strip/strip_loops.h"
#include "tessera/kernel/wrap/index_parameters.h"

namespace tessera::kernels {
namespace {

/// Writes the guard and the strip, each on one line: the lines of the user's text keep their numbers.
class strip_writer {
 public:
  strip_writer(const outline& source, const declaration& kernel, std::vector<std::size_t> loops)
      : source_(source), code_(source.code), kernel_(kernel), loops_(std::move(loops)) {}

  std::string write() {
    list(kernel_.body);
    const std::string parameters = source_.text(kernel_.parameters);
    return cat(" __device__ bool ", guard_name, "(", parameters, ") {", guard_, " return true;",
               std::string(static_cast<std::size_t>(depth_), '}'), "} __device__ void ", strip_name, "(", parameters,
               ") {", strip_, "}");
  }

 private:
  /// Statements; conditions that all threads of a strip pass go to the guard, as long as nothing happens before them.
  void list(token_range range) {
    std::size_t i = range.begin;
    while (i < range.end) {
      const token_range statement{i, statement_end(source_, i, range.end)};
      if (is_declaration(statement)) {
        guard_ += cat(" ", source_.text(statement));
        copy(statement);
      } else if (const token_range condition = condition_of(statement); condition.empty()) {
        break;
      } else if (const std::size_t then = condition.end + 1; returns({then, statement.end})) {
        guard_ += cat(" if (", source_.text(condition), ") return false;");
      } else if (statement.end == range.end) {
        guard_ += cat(" if (!(", source_.text(condition), ")) return false; {");
        ++depth_;
        const bool block = code_[then].is("{");
        strip_ += " {";
        list(block ? token_range{then + 1, statement.end - 1} : token_range{then, statement.end});
        strip_ += " }";
        return;
      } else {
        break;
      }
      i = statement.end;
    }
    copy({i, range.end});
  }

  /// Of an `if` without `else`.
  [[nodiscard]] token_range condition_of(token_range statement) const {
    if (!code_[statement.begin].is("if")) return {};
    const std::size_t then = after_parentheses(source_, statement.begin + 1, statement.end);
    if (then >= statement.end || statement_end(source_, then, statement.end) != statement.end) return {};
    const token_range condition{statement.begin + 2, then - 1};
    return only_reads(condition) ? condition : token_range{};
  }
  [[nodiscard]] bool returns(token_range statement) const {
    if (code_[statement.begin].is("{")) statement = {statement.begin + 1, statement.end - 1};
    return statement.end == statement.begin + 2 && code_[statement.begin].is("return");
  }

  [[nodiscard]] bool is_declaration(token_range statement) const {
    const auto declared = read_declaration(source_, statement);
    if (!declared || source_.holds(statement, {"static", "extern", "volatile"})) return false;
    return std::all_of(declared->begin(), declared->end(), [&](const declarator& d) { return only_reads(d.initial); });
  }

  /// No assignments, and no calls but of what is known to compute only.
  [[nodiscard]] bool only_reads(token_range range) const {
    static constexpr std::array<std::string_view, 5> functions = {"min", "max", "sizeof", "static_cast", "__mul24"};
    const std::vector<token> code = expand_macros(source_, range);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (is_assignment_operator(code[i])) return false;
      const bool call = i > 0 && code[i].is("(") && code[i - 1].is_identifier();
      if (call && !is_type_word(code[i - 1].text) && !is_among(functions, code[i - 1].text)) return false;
    }
    return true;
  }

  /// Copies text; the threads of a strip meet at each turn of a loop that they take together.
  void copy(token_range range) {
    std::vector<std::size_t> ends;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      strip_ += cat(" ", code_[i].text);
      if (std::find(loops_.begin(), loops_.end(), i) != loops_.end()) {
        const std::size_t inside = after_parentheses(source_, i + 1, range.end);
        const bool block = code_[inside].is("{");
        strip_ += cat(" ", source_.text({i + 1, inside}), " { __syncthreads();");
        if (!block) ends.push_back(statement_end(source_, i, range.end) - 1);
        i = block ? inside : inside - 1;
      }
      while (!ends.empty() && ends.back() == i) {
        strip_ += " }";
        ends.pop_back();
      }
    }
  }

  const outline& source_;
  const std::vector<token>& code_;
  const declaration& kernel_;
  std::vector<std::size_t> loops_;
  std::string guard_, strip_;
  int depth_ = 0;  // braces that the guard has left open
};

/// Those of the loops that hold no other of them.
std::vector<std::size_t> innermost(const outline& source, token_range body, const std::vector<std::size_t>& loops) {
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < loops.size(); ++k)
    if (k + 1 == loops.size() || loops[k + 1] >= statement_end(source, loops[k], body.end)) result.push_back(loops[k]);
  return result;
}

}  // namespace

std::optional<std::size_t> find_function(const outline& source, std::string_view name) {
  for (std::size_t i = 0; i < source.declarations.size(); ++i) {
    const declaration& d = source.declarations[i];
    if (d.kind == declaration_kind::function && source.name_of(d).is(name)) return i;
  }
  return std::nullopt;
}

barrier_plan plan_strip(const parsed_kernel& source) {
  reach needed = source.needed;
  needed.kernel = find_function(source.parsed, strip_name).value_or(needed.kernel);
  return plan_barriers(source.parsed, needed, false);
}

std::optional<kernel_text> add_strips(const kernel_text& kernel) {
  const feature_set& features = kernel.features;
  if (features.needs_block() || features.atomics || features.grid_stride || features.recursion) return std::nullopt;
  const parsed_kernel source = take_apart(kernel);
  const declaration& d = source.kernel();
  const std::vector<std::size_t> loops = innermost(source.parsed, d.body, find_strip_loops(source.parsed, d));
  if (loops.empty()) return std::nullopt;
  text_edits edits(kernel.source);
  edits.insert_after(source.parsed.code[d.all.end - 1], strip_writer(source.parsed, d, loops).write());
  kernel_text result = kernel;
  result.source = edits.apply();
  const parsed_kernel with = take_apart(result);
  const barrier_plan plan = plan_strip(with);
  const bool ends =
      std::any_of(plan.stretches.begin(), plan.stretches.end(), [](const stretch& s) { return s.returns; });
  if (!plan.refusal.empty() || ends || !plan.conditions.empty() || !can_pass_indices(with)) return std::nullopt;
  return result;
}

}  // namespace tessera::kernels
