#include "tessera/kernel/analysis/shared_atomics.h"

#include <algorithm>
#include <array>

#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/flat/meeting.h"
#include "tessera/kernel/flat/variables.h"

namespace tessera::kernels {
namespace {

class shared_atomics {
 public:
  shared_atomics(const outline& source, const declaration& kernel)
      : source_(source), body_(kernel.body), parameters_(kernel.parameters) {
    find_variables();
  }

  [[nodiscard]] const std::map<std::string_view, std::size_t>& variables() const { return axes_; }

  [[nodiscard]] std::vector<std::size_t> find() const {
    std::vector<std::size_t> calls;
    for (std::size_t i = body_.begin; i + 1 < body_.end && !axes_.empty(); ++i)
      if (is_atomic(i) && source_.code[i + 1].is("(") && is_shared(i + 2)) calls.push_back(i);
    return calls;
  }

 private:
  /// Variables of a name that means nothing else in the kernel, with the number of their axes.
  void find_variables() {
    for (const placed_statement& s : all_statements(source_, body_)) {
      token_range range = s.range;
      bool shared = false;
      for (; range.begin < range.end; ++range.begin) {
        const token& t = source_.code[range.begin];
        if (!t.is("static") && !t.is("__shared__") && !t.is("extern")) break;
        shared = shared || t.is("__shared__");
      }
      const auto declared = shared ? read_declaration(source_, range) : std::nullopt;
      if (!declared || has_pointers(range)) continue;
      for (const declarator& d : *declared)
        axes_[source_.code[d.name].text] =
            static_cast<std::size_t>(std::count(d.extents.begin(), d.extents.end(), '['));
    }
    const std::vector<local_variable> all =
        axes_.empty() ? std::vector<local_variable>() : local_variables(source_, body_);
    std::erase_if(axes_, [&](const auto& variable) {
      const auto declarations =
          std::count_if(all.begin(), all.end(), [&](const local_variable& v) { return v.name == variable.first; });
      return declarations != 1 || is_hidden(variable.first);
    });
  }

  /// Pointers or references; an extent may be a product.
  [[nodiscard]] bool has_pointers(token_range declaration) const {
    for (std::size_t i = declaration.begin; i < declaration.end; ++i) {
      if (source_.code[i].is("*") || source_.code[i].is("&")) return true;
      if (source_.code[i].is("[") && source_.match[i] > i) i = source_.match[i];
    }
    return false;
  }

  /// By a parameter, a lambda's parameter, or the variable of a loop over a range.
  [[nodiscard]] bool is_hidden(std::string_view name) const {
    for (std::size_t i = parameters_.begin; i < parameters_.end; ++i)
      if (source_.code[i].is(name)) return true;
    for (std::size_t i = body_.begin; i < body_.end; ++i) {
      const token& before = source_.code[i - 1];
      if (source_.code[i].is("[") && !before.is_identifier() && !before.is("]") && !before.is(")")) return true;
      if (source_.code[i].is(name) && source_.code[i + 1].is(":")) return true;
    }
    return source_.macros.contains(name);
  }

  [[nodiscard]] bool is_atomic(std::size_t i) const {
    static constexpr std::array<std::string_view, 11> functions = {"atomicAdd", "atomicSub", "atomicMin", "atomicMax",
                                                                   "atomicAnd", "atomicOr",  "atomicXor", "atomicExch",
                                                                   "atomicCAS", "atomicInc", "atomicDec"};
    const token& before = source_.code[i - 1];
    if (!is_among(functions, source_.code[i].text) || source_.macros.contains(source_.code[i].text)) return false;
    if (before.is("::") || before.is(".") || before.is("->")) return false;
    return std::none_of(source_.declarations.begin(), source_.declarations.end(),
                        [&](const declaration& d) { return is_among(d.names, source_.code[i].text); });
  }

  /// Whether `&name[...][...],` `&name,` `name + ...,` or `name,` of a shared variable stands at `i`.
  [[nodiscard]] bool is_shared(std::size_t i) const {
    const bool address = source_.code[i].is("&");
    if (address) ++i;
    const auto found = axes_.find(source_.code[i].text);
    if (found == axes_.end()) return false;
    std::size_t subscripts = 0;
    for (++i; address && source_.code[i].is("[") && source_.match[i] > i; i = source_.match[i] + 1) ++subscripts;
    if (address) return subscripts == found->second && source_.code[i].is(",");
    return found->second == 1 && (source_.code[i].is(",") || source_.code[i].is("+"));
  }

  const outline& source_;
  token_range body_, parameters_;
  std::map<std::string_view, std::size_t> axes_;
};

}  // namespace

std::map<std::string_view, std::size_t> find_shared_variables(const outline& source, const declaration& kernel) {
  return shared_atomics(source, kernel).variables();
}

std::vector<std::size_t> find_shared_atomics(const outline& source, const declaration& kernel) {
  return shared_atomics(source, kernel).find();
}

}  // namespace tessera::kernels
