#include "tessera/kernel/flat/variables.h"

#include <algorithm>

#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/flat/meeting.h"

namespace tessera::kernels {
namespace {

bool is_plain(const std::string& type) {
  return !type.empty() && type.find("auto") == std::string::npos && type.find('&') == std::string::npos;
}

/// Without what says how a declaration is to be stored.
token_range without_storage(const outline& source, token_range range) {
  while (range.begin < range.end) {
    const token& t = source.code[range.begin];
    if (!t.is("static") && !t.is("__shared__") && !t.is("constexpr") && !t.is("extern")) break;
    ++range.begin;
  }
  return range;
}

}  // namespace

std::vector<local_variable> local_variables(const outline& source, token_range body) {
  std::vector<local_variable> found;
  const auto read = [&](token_range range) {
    const auto declared = read_declaration(source, without_storage(source, range));
    if (!declared) return;
    for (const declarator& d : *declared)
      found.push_back({source.code[d.name].text, d.extents.empty() && !d.is_reference ? d.type : std::string()});
  };
  for (const placed_statement& s : all_statements(source, body)) {
    const token& first = source.code[s.range.begin];
    if (!first.is("for")) {
      read(s.range);
      continue;
    }
    const std::size_t open = s.range.begin + 1;
    std::size_t end = open;
    while (end < s.range.end && !source.code[end].is(";"))
      end = end == open ? end + 1 : std::max(source.match[end], end) + 1;
    if (end < s.range.end) read({open + 1, end + 1});
  }
  return found;
}

std::optional<std::string> type_of_variable(const outline& source, const declaration& function, std::string_view name) {
  std::vector<local_variable> all = local_variables(source, function.body);
  for (const token_range p : arguments_of(source, function.parameters.begin - 1))
    if (p.end > p.begin + 1) all.push_back({source.code[p.end - 1].text, source.text({p.begin, p.end - 1})});
  std::optional<std::string> type;
  for (const local_variable& v : all) {
    if (v.name != name) continue;
    std::string mine = v.type;
    if (mine.starts_with("const ") && mine.find('*') == std::string::npos) mine.erase(0, 6);
    while (!mine.empty() && mine.back() == ' ') mine.pop_back();
    if (!is_plain(mine) || (type && *type != mine)) return std::nullopt;
    type = mine;
  }
  return type;
}

}  // namespace tessera::kernels
