#include "tessera/kernel/analysis/atomic_use.h"

#include <algorithm>
#include <array>
#include <vector>

#include "tessera/kernel/source/macro_calls.h"

namespace tessera::kernels {
namespace {

struct atomic_function {
  std::string_view name;
  reduce_op op;
};
constexpr std::array<atomic_function, 7> atomic_functions{{{"atomicAdd", reduce_op::add},
                                                           {"atomicSub", reduce_op::add},
                                                           {"atomicMin", reduce_op::min},
                                                           {"atomicMax", reduce_op::max},
                                                           {"atomicAnd", reduce_op::bit_and},
                                                           {"atomicOr", reduce_op::bit_or},
                                                           {"atomicXor", reduce_op::bit_xor}}};

/// The tokens of a kernel's body, and what stands where.
class body_tokens {
 public:
  explicit body_tokens(std::vector<token> code) : code_(std::move(code)) {}

  [[nodiscard]] std::size_t size() const { return code_.size(); }
  [[nodiscard]] bool is(std::size_t i, std::string_view text) const { return i < code_.size() && code_[i].is(text); }

  /// True if `i` is the word `name` and no member of something.
  [[nodiscard]] bool is_name(std::size_t i, std::string_view name) const {
    return code_[i].is_identifier() && is(i, name) &&
           (i == 0 || !(is(i - 1, ".") || is(i - 1, "->") || is(i - 1, "::")));
  }

  /// The operation of the call whose first argument is the address of an element of the word at `i`, if it is a
  /// statement of its own.
  [[nodiscard]] std::optional<reduce_op> call_around(std::size_t i) const {
    std::size_t open = i - 1;  // of the arguments
    std::size_t behind = i + 1;
    if (i >= 2 && is(i - 1, "&") && is(behind, "[")) {
      open = i - 2;
      behind = closing(behind) + 1;
      if (!is(behind, ",")) return std::nullopt;
    } else if (!is(behind, ",") && !is(behind, "+")) {
      return std::nullopt;
    }
    if (open == 0 || open >= size() || !is(open, "(")) return std::nullopt;
    const std::size_t end = closing(open);
    if (!is(end, ")") || !is(end + 1, ";") || !begins_statement(open - 1)) return std::nullopt;
    for (const atomic_function& f : atomic_functions)
      if (is(open - 1, f.name)) return f.op;
    return std::nullopt;
  }

 private:
  /// The bracket that closes the one at `open`, or size().
  [[nodiscard]] std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
      if ((is(i, ")") || is(i, "]") || is(i, "}")) && --depth == 0) return i;
    }
    return size();
  }
  [[nodiscard]] std::size_t opening(std::size_t close) const {
    int depth = 0;
    for (std::size_t i = close + 1; i-- > 0;) {
      if (is(i, ")") || is(i, "]") || is(i, "}")) ++depth;
      if ((is(i, "(") || is(i, "[") || is(i, "{")) && --depth == 0) return i;
    }
    return size();
  }
  [[nodiscard]] bool begins_statement(std::size_t i) const {
    if (i == 0 || is(i - 1, ";") || is(i - 1, "{") || is(i - 1, "}") || is(i - 1, "else") || is(i - 1, "do"))
      return true;
    if (!is(i - 1, ")")) return false;
    const std::size_t open = opening(i - 1);  // if (...), or a cast
    return open < size() && open > 0 && (is(open - 1, "if") || is(open - 1, "for") || is(open - 1, "while"));
  }

  std::vector<token> code_;
};

bool declares_atomics(const outline& source) {
  const auto is_atomic = [](std::string_view name) { return name.starts_with("atomic"); };
  return std::any_of(source.declarations.begin(), source.declarations.end(),
                     [&](const declaration& d) { return std::any_of(d.names.begin(), d.names.end(), is_atomic); });
}

}  // namespace

std::optional<reduce_op> find_atomic_use(const outline& source, const declaration& kernel, std::string_view name) {
  if (name.empty() || declares_atomics(source)) return std::nullopt;
  std::optional<std::vector<token>> code = expand_calls(source, kernel.body);
  if (!code) return std::nullopt;
  const body_tokens body(std::move(*code));
  std::optional<reduce_op> found;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (!body.is_name(i, name)) continue;
    const std::optional<reduce_op> op = i > 0 ? body.call_around(i) : std::nullopt;
    if (!op || (found && *found != *op)) return std::nullopt;
    found = op;
  }
  return found;
}

}  // namespace tessera::kernels
