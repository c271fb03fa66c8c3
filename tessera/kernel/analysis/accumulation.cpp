#include "tessera/kernel/analysis/accumulation.h"

#include <algorithm>

namespace tessera::kernels {
namespace {

std::optional<reduce_op> operation_of(std::string_view function) {
  if (function == "atomicAdd") return reduce_op::add;
  if (function == "atomicMin") return reduce_op::min;
  if (function == "atomicMax") return reduce_op::max;
  return std::nullopt;
}

/// True if a statement begins at `i`, which is not the first token of the body: `)` may also end a cast.
bool begins_statement(const outline& source, std::size_t i) {
  const token& before = source.code[i - 1];
  if (!before.is(")"))
    return before.is(";") || before.is("{") || before.is("}") || before.is("else") || before.is("do");
  const std::size_t open = source.match[i - 1];
  const token& head = source.code[open - 1];
  return open < i - 1 && (head.is("if") || head.is("for") || head.is("while"));
}

/// What `p`, `p + 3` or `p[3]` at `i` names, behind which something else follows.
std::string_view element_of(const std::vector<token>& code, std::size_t i) {
  if (code[i + 1].is(",")) return "0";
  const bool number = code[i + 2].kind == token_kind::number && (code[i + 3].is("]") || code[i + 3].is(","));
  return number ? code[i + 2].text : std::string_view();
}

/// The call of which the name at `i` is the place: atomicAdd(&p[...], v), atomicAdd(p + k, v), atomicAdd(p, v).
std::optional<accumulation> call_around(const outline& source, token_range body, std::size_t i) {
  const std::vector<token>& code = source.code;
  const bool address = i > body.begin && code[i - 1].is("&");
  const std::size_t open = address ? i - 2 : i - 1;
  if (open < body.begin + 1 || !code[open].is("(") || source.match[open] <= open) return std::nullopt;
  const auto op = operation_of(code[open - 1].text);
  const std::size_t close = source.match[open];
  const token& next = code[i + 1];
  const bool element = address && next.is("[") && code[source.match[i + 1] + 1].is(",");
  const bool offset = !address && (next.is("+") || next.is(","));
  if (!op || !(element || offset) || close + 1 >= body.end || !code[close + 1].is(";")) return std::nullopt;
  const std::size_t call = open - 1;
  const bool statement = call == body.begin || begins_statement(source, call);
  if (!statement) return std::nullopt;
  return accumulation{call, code[i].text, *op, element_of(code, i)};
}

}  // namespace

std::vector<accumulation> find_accumulations(const outline& source, const declaration& kernel, std::string_view name) {
  std::vector<accumulation> result;
  const std::vector<token> all = expand_macros(source, kernel.body);
  const auto uses = std::count_if(all.begin(), all.end(), [&](const token& t) { return t.is(name); });
  for (std::size_t i = kernel.body.begin; i < kernel.body.end; ++i) {
    if (!source.code[i].is(name)) continue;
    const auto call = call_around(source, kernel.body, i);
    const bool known = call && !source.macros.contains(source.code[call->call].text);
    if (!known || (!result.empty() && (result[0].op != call->op || result.back().call == call->call))) return {};
    result.push_back(*call);
  }
  // Functions of the user's may have these names too, and macros may hide uses.
  for (const declaration& d : source.declarations)
    for (const accumulation& a : result)
      if (is_among(d.names, source.code[a.call].text)) return {};
  if (uses != static_cast<std::ptrdiff_t>(result.size())) return {};
  return result;
}

}  // namespace tessera::kernels
