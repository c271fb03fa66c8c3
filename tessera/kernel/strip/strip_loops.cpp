#include "tessera/kernel/strip/strip_loops.h"

#include <algorithm>
#include <set>

#include "tessera/kernel/barrier/statements.h"
#include "tessera/kernel/flat/variables.h"
#include "tessera/kernel/index/sum.h"

namespace tessera::kernels {
namespace {

/// How an index moves: from a thread to its neighbour, and from a turn of the loop to the next.
struct movement {
  bool beside = false;    ///< Neighbouring threads use neighbouring elements.
  bool apart = false;     ///< Neighbouring threads use elements at a distance.
  bool at_steps = false;  ///< The next turn uses an element at a distance.
};

class strip_loop_finder {
 public:
  strip_loop_finder(const outline& source, const declaration& kernel)
      : source_(source), code_(source.code), body_(kernel.body) {
    find_indices();
  }

  std::vector<std::size_t> find() const {
    std::vector<std::size_t> loops;
    for (std::size_t i = body_.begin; i < body_.end && !indices_.empty(); ++i)
      if (code_[i].is("for") && pays(i)) loops.push_back(i);
    return loops;
  }

 private:
  /// Variables that hold the thread's index in the grid along x.
  void find_indices() {
    for (std::size_t i = body_.begin; i + 3 < body_.end; ++i) {
      if (!code_[i].is_identifier() || !code_[i + 1].is("=")) continue;
      const auto sum = read_index_sum(code_, i + 2, {});
      if (sum && sum->axis == 0 && (code_[sum->end].is(";") || code_[sum->end].is(","))) indices_.insert(code_[i].text);
    }
  }

  /// Of the loop at `at`, whose counter must be its own.
  [[nodiscard]] bool pays(std::size_t at) const {
    const std::size_t inside = after_parentheses(source_, at + 1, body_.end);
    if (inside >= body_.end) return false;
    const auto declared = read_declaration(source_, {at + 2, statement_end(source_, at + 2, inside)});
    if (!declared || declared->size() != 1) return false;
    const std::string_view counter = code_[declared->front().name].text;
    movement all;
    for (const token_range range : places({inside, statement_end(source_, at, body_.end)})) {
      const movement m = read(range, counter);
      all.at_steps = all.at_steps || (m.at_steps && m.beside);
      all.apart = all.apart || m.apart;
    }
    return all.at_steps && !all.apart;
  }

  /// Subscripts, and what variables begin as, which may become one.
  [[nodiscard]] std::vector<token_range> places(token_range range) const {
    std::vector<token_range> found;
    for (std::size_t i = range.begin + 1; i < range.end; ++i) {
      const bool behind = code_[i - 1].is_identifier() || code_[i - 1].is("]");
      if (code_[i].is("[") && behind && source_.match[i] > i) found.push_back({i + 1, source_.match[i]});
      if (!code_[i].is("=") || !code_[i - 1].is_identifier() || !is_type_word(code_[i - 2].text)) continue;
      found.push_back({i + 1, std::min(range.end, statement_end(source_, i + 1, range.end) - 1)});
    }
    return found;
  }

  /// A sum, by its terms.
  [[nodiscard]] movement read(token_range sum, std::string_view counter) const {
    movement result;
    std::size_t begin = sum.begin;
    for (std::size_t i = sum.begin; i <= sum.end; ++i) {
      if (i < sum.end && source_.match[i] > i) i = source_.match[i];
      const bool edge = i >= sum.end || (i > begin && (code_[i].is("+") || code_[i].is("-")));
      if (!edge) continue;
      const token_range term{begin, std::min(i, sum.end)};
      begin = i + 1;
      if (source_.holds(term, {"["}))
        continue;  // an element: where it leads is not known, how it is reached stands apart
      const bool index = std::any_of(indices_.begin(), indices_.end(),
                                     [&](std::string_view name) { return source_.holds(term, {name}); });
      const bool product = source_.holds(term, {"*", "/", "%", "<<", ">>"});
      result.beside = result.beside || (index && !product);
      result.apart = result.apart || (index && product);
      result.at_steps = result.at_steps || (product && source_.holds(term, {counter}));
    }
    return result;
  }

  const outline& source_;
  const std::vector<token>& code_;
  token_range body_;
  std::set<std::string_view> indices_;
};

}  // namespace

std::vector<std::size_t> find_strip_loops(const outline& source, const declaration& kernel) {
  return strip_loop_finder(source, kernel).find();
}

}  // namespace tessera::kernels
