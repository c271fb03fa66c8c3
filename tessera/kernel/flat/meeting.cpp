#include "tessera/kernel/flat/meeting.h"

#include <algorithm>

#include "tessera/kernel/barrier/statements.h"

namespace tessera::kernels {
namespace {

class statement_lister {
 public:
  explicit statement_lister(const outline& source) : source_(source) {}

  void list(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t next = statement_end(source_, i, end);
      if (next <= i) return;
      add({i, next}, true);
      i = next;
    }
  }

  std::vector<placed_statement> found;

 private:
  [[nodiscard]] const token& at(std::size_t i) const { return source_.code[i]; }

  void add(token_range range, bool in_braces) {
    if (range.empty()) return;
    found.push_back({range, in_braces});
    std::size_t i = range.begin;
    if (at(i).is("{")) return list(i + 1, range.end - 1);
    if (at(i).is("do")) return add({i + 1, statement_end(source_, i + 1, range.end)}, false);
    const bool head = at(i).is("if") || at(i).is("for") || at(i).is("while") || at(i).is("switch");
    if (!head) return;
    const bool condition = at(i).is("if");
    ++i;
    if (i < range.end && at(i).is("constexpr")) ++i;
    const std::size_t then = after_parentheses(source_, i, range.end);
    if (then >= range.end) return;
    const std::size_t end = statement_end(source_, then, range.end);
    add({then, end}, false);
    if (condition && end < range.end && at(end).is("else")) add({end + 1, range.end}, false);
  }

  const outline& source_;
};

bool is_barrier(std::string_view word) { return word.starts_with("__syncthreads"); }

}  // namespace

std::vector<placed_statement> all_statements(const outline& source, token_range body) {
  statement_lister lister(source);
  lister.list(body.begin, body.end);
  return std::move(lister.found);
}

meeting_points::meeting_points(const parsed_kernel& source) : source_(source) {
  const std::vector<declaration>& all = source.parsed.declarations;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const bool candidate =
          source.needed.needed[n] && n != source.needed.kernel && all[n].kind == declaration_kind::function;
      if (!candidate || functions_.contains(source.parsed.name_of(all[n]).text) || !inside(all[n].body)) continue;
      grown = functions_.insert(source.parsed.name_of(all[n]).text).second;
    }
  }
}

bool meeting_points::inside(token_range range) const {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::string_view word = source_.parsed.code[i].text;
    if (is_barrier(word) || meets_warp(word) || functions_.contains(word)) return true;
  }
  return false;
}

bool meeting_points::is_call(std::size_t i) const {
  const std::vector<token>& code = source_.parsed.code;
  if (functions_.contains(code[i].text)) return true;
  return find_warp_function(code[i].text) != nullptr;
}

std::vector<token_range> arguments_of(const outline& source, std::size_t open) {
  std::vector<token_range> result;
  const std::size_t close = source.match[open];
  if (close <= open + 1) return result;
  std::size_t begin = open + 1;
  for (std::size_t i = begin; i <= close; ++i) {
    if (i < close && !source.code[i].is(",")) {
      i = std::max(source.match[i], i);
      if (i < close) continue;
    }
    result.push_back({begin, i});
    begin = i + 1;
  }
  return result;
}

}  // namespace tessera::kernels
