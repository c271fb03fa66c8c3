#include "tessera/kernel/wrap/unrolling.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "tessera/base/text.h"
#include "tessera/kernel/source/token.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

/// A loop with the request in front of it.
struct requested_loop {
  token directive;
  std::size_t begin = 0, end = 0;  ///< Of the loop; into the tokens that are code.
  long long turns = 0;
  bool has_loops = false;  ///< Within it.

  [[nodiscard]] bool holds(const requested_loop& other) const { return begin < other.begin && other.begin < end; }
};

class loop_reader {
 public:
  explicit loop_reader(const std::vector<token>& code) : code_(code) {}

  /// The loop at `at`, if it counts from a number to a number.
  [[nodiscard]] std::optional<requested_loop> read(std::size_t at) const {
    if (!is(at, "for") || !is(at + 1, "(")) return std::nullopt;
    const std::size_t inside = behind_bracket(at + 1);
    const std::optional<long long> turns = turns_of({at + 2, inside - 1});
    if (!turns) return std::nullopt;
    const std::size_t end = statement_end(inside);
    bool has_loops = false;
    for (std::size_t i = inside; i < end; ++i) has_loops = has_loops || is(i, "for") || is(i, "while");
    return requested_loop{{}, at, end, *turns, has_loops};
  }

 private:
  struct range {
    std::size_t begin, end;
  };

  [[nodiscard]] bool is(std::size_t at, std::string_view text) const { return at < code_.size() && code_[at].is(text); }

  [[nodiscard]] std::size_t behind_bracket(std::size_t at) const {
    int depth = 0;
    for (; at < code_.size(); ++at) {
      if (is(at, "(") || is(at, "{") || is(at, "[")) ++depth;
      if ((is(at, ")") || is(at, "}") || is(at, "]")) && --depth == 0) return at + 1;
    }
    return at;
  }

  [[nodiscard]] std::size_t statement_end(std::size_t at) const {
    while (at < code_.size() && !is(at, ";") && !is(at, "{"))
      at = is(at, "(") || is(at, "[") ? behind_bracket(at) : at + 1;
    return is(at, "{") ? behind_bracket(at) : at + 1;
  }

  /// A whole number, perhaps in parentheses.
  [[nodiscard]] std::optional<long long> number(range r) const {
    while (r.end - r.begin > 2 && is(r.begin, "(") && is(r.end - 1, ")")) ++r.begin, --r.end;
    if (r.end != r.begin + 1) return std::nullopt;
    const std::string_view text = code_[r.begin].text;
    long long value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

  /// Of the head `TYPE NAME = FIRST; NAME < LAST; ++NAME`, or with a step.
  [[nodiscard]] std::optional<long long> turns_of(range head) const {
    std::vector<std::size_t> ends;
    for (std::size_t i = head.begin; i < head.end; ++i)
      if (is(i, ";")) ends.push_back(i);
    const auto sign =
        std::find_if(code_.begin() + static_cast<std::ptrdiff_t>(head.begin),
                     code_.begin() + static_cast<std::ptrdiff_t>(head.end), [](const token& t) { return t.is("="); });
    const auto equals = static_cast<std::size_t>(sign - code_.begin());
    if (ends.size() != 2 || equals >= ends[0] || equals <= head.begin + 1) return std::nullopt;
    const std::string_view name = code_[equals - 1].text;
    const std::size_t test = ends[0] + 1, change = ends[1] + 1;
    if (!is(test, name) || !is(test + 1, "<")) return std::nullopt;
    const std::optional<long long> first = number({equals + 1, ends[0]}), last = number({test + 2, ends[1]}),
                                   step = step_of({change, head.end}, name);
    if (!first || !last || !step || *step <= 0 || *last <= *first) return std::nullopt;
    return (*last - *first + *step - 1) / *step;
  }

  [[nodiscard]] std::optional<long long> step_of(range change, std::string_view name) const {
    const std::size_t at = change.begin;
    if (change.end == at + 2 && ((is(at, "++") && is(at + 1, name)) || (is(at, name) && is(at + 1, "++")))) return 1;
    if (change.end > at + 2 && is(at, name) && is(at + 1, "+=")) return number({at + 2, change.end});
    return std::nullopt;
  }

  const std::vector<token>& code_;
};

/// "#pragma unroll" and nothing else.
bool is_request(const token& t) {
  if (t.kind != token_kind::directive) return false;
  std::string words;
  for (const char c : t.text) words += c == ' ' || c == '\t' ? "" : std::string(1, c);
  return words == "#pragmaunroll";
}

std::vector<requested_loop> requested_loops(const std::vector<token>& tokens) {
  std::vector<token> code;
  std::vector<std::pair<token, std::size_t>> requests;  // with the position of the code behind it
  for (const token& t : tokens) {
    if (is_request(t)) requests.emplace_back(t, code.size());
    if (t.is_code()) code.push_back(t);
  }
  std::vector<requested_loop> loops;
  for (const auto& [directive, at] : requests)
    if (std::optional<requested_loop> loop = loop_reader(code).read(at)) {
      loop->directive = directive;
      loops.push_back(*loop);
    }
  return loops;
}

}  // namespace

std::string with_unrolling(const std::string& text) {
  const token_list list = tokenise(text, "kernel");
  const std::vector<requested_loop> loops = requested_loops(list.tokens);
  std::vector<long long> copies(loops.size(), 0);  // of a statement in it; 0: too many
  for (std::size_t k = loops.size(); k-- > 0;) {
    long long inside = 1;
    for (std::size_t j = k + 1; j < loops.size() && loops[k].holds(loops[j]); ++j) inside = std::max(inside, copies[j]);
    if (loops[k].turns <= most_copies / inside) copies[k] = loops[k].turns * inside;
  }
  text_edits edits(text);
  const requested_loop* around = nullptr;  // the outermost one that is unrolled
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const bool within = around != nullptr && around->holds(loops[k]);
    if (copies[k] == 0 || !(within || loops[k].has_loops)) continue;
    if (!within) around = &loops[k];
    edits.replace(loops[k].directive, cat("__tessera_unroll(", loops[k].turns, ")"));
  }
  return edits.apply();
}

}  // namespace tessera::kernels
