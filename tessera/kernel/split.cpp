#include "tessera/kernel/split.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"
#include "tessera/kernel/split_names.h"
#include "tessera/kernel/split_structure.h"

namespace tessera::kernels {
namespace {

/// Decides what each variable is, and cuts the kernel.
class splitter {
 public:
  splitter(const outline& source, const reach& needed)
      : source_(source),
        body_(source.declarations[needed.kernel].body),
        names_(source, needed),
        structure_(read_structure(source, body_)),
        same_(structure_.variables.size(), true),
        indexed_(structure_.variables.size(), false) {}

  split_plan run() {
    for (std::string_view p : names_.parameters())
      if (names_.may_change(body_, p)) changed_parameters_.push_back(p);
    find_same();
    require_same();
    find_indexed();
    make_stretches();
    carry();
    refuse_stale_addresses();
    plan_.body = body_;
    plan_.barriers = std::move(structure_.barriers);
    plan_.shared = std::move(structure_.shared);
    return std::move(plan_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[noreturn]] void refuse(std::size_t where, std::string_view why) const {
    throw split_refused{cat("line ", source_.code[where].line, ": ", why)};
  }
  [[nodiscard]] std::size_t index_of(const block_variable& v) const {
    return static_cast<std::size_t>(&v - structure_.variables.data());
  }

  // ---- expressions

  enum class made_of : std::uint8_t {
    block,   ///< The same for all threads of a block when it is evaluated.
    thread,  ///< Depends on the thread's index besides, and gives the same whenever it is evaluated.
  };

  [[nodiscard]] bool is_made_of(token_range range, made_of what) {
    if (range.empty()) return false;
    const std::vector<token> code = expand_macros(source_, range);
    for (std::size_t i = 0; i < code.size(); ++i) {
      const token before = i > 0 ? code[i - 1] : token{}, next = i + 1 < code.size() ? code[i + 1] : token{};
      if (code[i].is_identifier() && !before.is(".") && !is_known(code[i].text, next, range.begin, what)) return false;
      if (code[i].kind == token_kind::punctuation && !is_harmless(code[i], before)) return false;
    }
    return true;
  }

  /// Operators that neither change anything nor read memory.
  static bool is_harmless(const token& t, const token& before) {
    static constexpr std::array<std::string_view, 25> harmless = {
        "+", "-", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!",
        "~", "?", ":", "(", ")", ",", ".",  "^",  "|",  "<<", ">>", "::"};
    if (t.is("*") || t.is("&")) return before.is_identifier() || before.kind == token_kind::number || before.is(")");
    return std::find(harmless.begin(), harmless.end(), t.text) != harmless.end();
  }

  [[nodiscard]] bool is_known(std::string_view word, const token& next, std::size_t where, made_of what) {
    static constexpr std::array<std::string_view, 16> words = {
        "sizeof",   "true",     "false",   "warpSize", "size_t",  "int8_t", "uint8_t", "int16_t",
        "uint16_t", "uint32_t", "int64_t", "uint64_t", "int32_t", "min",    "max",     "abs"};
    if (const block_variable* v = structure_.find(word, where)) {
      if (!same_[index_of(*v)]) return what == made_of::thread && indexed_[index_of(*v)];
      return what == made_of::block || is_steady(*v);
    }
    if (names_.is_parameter(word)) {
      const bool changed =
          std::find(changed_parameters_.begin(), changed_parameters_.end(), word) != changed_parameters_.end();
      return !changed && (what == made_of::thread || names_.is_scalar_parameter(word));
    }
    if (word == "threadIdx") return what == made_of::thread;
    if (is_index_name(word) || is_type_word(word)) return true;
    if (std::find(words.begin(), words.end(), word) != words.end()) return true;
    if (next.is("(")) return source_.macros.contains(word);  // its body follows
    return names_.is_constant(word);
  }

  /// Keeps its value as long as anything declared in its scope lives.
  [[nodiscard]] bool is_steady(const block_variable& v) const {
    return v.changes.empty() || (v.counts_a_loop && std::all_of(v.changes.begin(), v.changes.end(), [&](std::size_t i) {
                                   return structure_.items[i].kind == item_kind::head;
                                 }));
  }

  // ---- variables

  /// Assumes all variables to be the same for all threads, and takes back what cannot be.
  void find_same() {
    for (block_variable& v : structure_.variables)
      same_[index_of(v)] = v.declared.extents.empty() && !v.declared.is_reference && !changes_elsewhere(v);
    for (bool again = true; again;) {
      again = false;
      for (block_variable& v : structure_.variables) {
        const split_item& home = structure_.items[v.item];
        bool same = v.is_constant || (same_[index_of(v)] && begins_same(v));
        if (home.kind == item_kind::declaration)  // its variables stay together
          same = same && std::all_of(home.variables.begin(), home.variables.end(), [&](auto k) { return same_[k]; });
        again = again || same != same_[index_of(v)];
        same_[index_of(v)] = same;
      }
    }
  }

  [[nodiscard]] bool begins_same(const block_variable& v) {
    const bool initial =
        v.declared.initial.empty() ? !v.changes.empty() : is_made_of(v.declared.initial, made_of::block);
    return initial && std::all_of(v.changes.begin(), v.changes.end(), [&](std::size_t i) {
             const token_range value = structure_.items[i].change->value;
             return value.empty() || is_made_of(value, made_of::block);
           });
  }

  /// Whether anything but plain assignments beside the barriers may change it.
  [[nodiscard]] bool changes_elsewhere(const block_variable& v) {
    if (v.declared.is_const || v.is_constant) return false;
    for (std::size_t i = 0; i < structure_.items.size(); ++i) {
      const token_range range = structure_.items[i].range;
      if (structure_.find(v.name, range.begin) != &v) continue;  // outside, or another one of that name
      if (std::find(v.changes.begin(), v.changes.end(), i) != v.changes.end()) continue;
      if (names_.may_change(range, v.name)) return true;
    }
    return false;
  }

  void require_same() {
    for (const split_item& item : structure_.items) {
      const bool head = item.kind == item_kind::head || item.kind == item_kind::jump;
      if (!head) continue;
      if (!item.condition.empty() && !is_made_of(item.condition, made_of::block))
        refuse(item.condition.begin, "a condition around a barrier that may differ between threads");
      for (const std::size_t v : item.variables)
        if (!same_[v]) refuse(item.range.begin, "the variable of a loop around a barrier may differ between threads");
      if (!item.change) continue;
      const block_variable* v = structure_.find(source_.code[item.change->name].text, item.change->name);
      if (v == nullptr || !same_[index_of(*v)])
        refuse(item.range.begin, "the variable of a loop around a barrier may differ between threads");
    }
  }

  void find_indexed() {
    for (block_variable& v : structure_.variables) {
      if (same_[index_of(v)] || !v.declared.extents.empty() || v.declared.is_reference) continue;
      const bool fixed = v.declared.is_const || !names_.may_change(v.scope, v.name);
      indexed_[index_of(v)] = fixed && is_made_of(v.declared.initial, made_of::thread);
    }
  }

  // ---- stretches

  [[nodiscard]] bool is_per_thread(const split_item& item) {
    if (item.kind == item_kind::plain) return true;
    if (item.kind == item_kind::declaration) return !same_[item.variables.front()];
    if (item.kind != item_kind::change) return false;
    const block_variable* v = structure_.find(source_.code[item.change->name].text, item.change->name);
    return v == nullptr || !same_[index_of(*v)];
  }

  void make_stretches() {
    home_.assign(structure_.variables.size(), none);
    bool open = false;
    for (const split_item& item : structure_.items) {
      const bool inside = is_per_thread(item);
      if (inside && !open) plan_.stretches.push_back({item.range, {}, {}, false});
      if (inside) {
        stretch& s = plan_.stretches.back();
        s.statements.end = item.range.end;
        for (const std::size_t v : item.variables) home_[v] = plan_.stretches.size() - 1;
        in_loop_.resize(plan_.stretches.size());
        in_loop_.back() = item.in_loop;
      }
      open = inside;
    }
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) {
      stretch& s = plan_.stretches[k];
      const bool last = k + 1 == plan_.stretches.size() && !in_loop_[k];
      for (std::size_t i = s.statements.begin; i < s.statements.end && !last; ++i)
        s.returns = s.returns || source_.code[i].is("return");
    }
  }

  // ---- what stretches have in common

  void carry() {
    for (std::string_view p : changed_parameters_)
      plan_.carried.push_back({std::string(p), cat("decltype(", p, ")"), "", "", false, true});
    carried_.assign(structure_.variables.size(), none);
    // What a stretch uses may be computed from what others declare: found for all before anything is numbered.
    std::vector<std::vector<bool>> uses;
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) uses.push_back(used_by(k));
    for (std::size_t v = 0; v < structure_.variables.size(); ++v)
      if (std::any_of(uses.begin(), uses.end(), [&](const auto& used) { return used[v]; })) number(v);
    for (std::size_t k = 0; k < plan_.stretches.size(); ++k) {
      stretch& s = plan_.stretches[k];
      for (std::size_t p = 0; p < changed_parameters_.size(); ++p)
        if (names_.mentions(s.statements, changed_parameters_[p])) s.uses.push_back(p);
      for (std::size_t v = 0; v < structure_.variables.size(); ++v) {
        if (uses[k][v]) s.uses.push_back(carried_[v]);
        if (home_[v] == k && carried_[v] != none && !indexed_[v]) s.declares.push_back(carried_[v]);
      }
    }
  }

  /// The variables of earlier stretches that stretch `k` uses.
  [[nodiscard]] std::vector<bool> used_by(std::size_t k) {
    const stretch& s = plan_.stretches[k];
    std::vector<bool> used(structure_.variables.size());
    for (std::size_t v = used.size(); v-- > 0;) {
      const block_variable& variable = structure_.variables[v];
      if (home_[v] == none || home_[v] >= k) continue;
      const bool visible = structure_.find(variable.name, s.statements.begin) == &variable;
      bool mentioned = visible && names_.mentions(s.statements, variable.name);
      for (std::size_t w = v + 1; w < used.size() && !mentioned; ++w)  // by what is computed anew
        mentioned = used[w] && indexed_[w] && names_.mentions(structure_.variables[w].declared.initial, variable.name);
      if (mentioned && !visible) refuse(variable.declared.name, cat("`", variable.name, "` is hidden by another"));
      used[v] = mentioned;
    }
    return used;
  }

  void number(std::size_t v) {
    const block_variable& variable = structure_.variables[v];
    const declarator& d = variable.declared;
    const std::string name(variable.name);
    carried_[v] = plan_.carried.size();
    const std::string again = indexed_[v] ? cat(d.type, " ", name, " = ", source_.text(d.initial)) : std::string();
    if (again.empty() && d.is_reference) refuse(d.name, cat("the reference `", name, "` lives across a barrier"));
    if (again.empty() && d.type.find("auto") != std::string::npos)
      refuse(d.name, cat("`", name, "`, whose type is not written, lives across a barrier"));
    plan_.carried.push_back({name, d.type, d.extents, again, d.is_const, false});
  }

  /// A variable has another address in every stretch: nothing that is kept may hold one.
  void refuse_stale_addresses() {
    const bool holds_address = std::any_of(plan_.carried.begin(), plan_.carried.end(), [](const carried_variable& v) {
      return v.declaration.empty() && may_hold_address(v.type);
    });
    if (!holds_address) return;
    for (const block_variable& v : structure_.variables) {
      const auto axes = static_cast<std::size_t>(std::count(v.declared.extents.begin(), v.declared.extents.end(), '['));
      if (!same_[index_of(v)] && names_.may_point_at(v.scope, v.name, axes))
        refuse(v.declared.name, cat("an address of `", v.name, "` may live across a barrier"));
    }
    for (std::string_view p : changed_parameters_)
      if (names_.may_point_at(body_, p, 0))
        refuse(body_.begin, cat("an address of `", p, "` may live across a barrier"));
  }

  /// Pointers, and types that are not known to hold none.
  static bool may_hold_address(const std::string& type) {
    const token_list words = tokenise(type, "");
    return std::any_of(words.tokens.begin(), words.tokens.end(), [](const token& t) {
      const bool vector = t.text.back() >= '1' && t.text.back() <= '4';  // float4
      return t.is("*") || (t.is_identifier() && !is_type_word(t.text) && !t.text.ends_with("_t") && !vector);
    });
  }

  const outline& source_;
  token_range body_;
  known_names names_;
  split_structure structure_;
  std::vector<bool> same_;     // per variable: the same for all threads of a block
  std::vector<bool> indexed_;  // computed from the thread's index alone
  std::vector<std::size_t> home_, carried_;
  std::vector<bool> in_loop_;  // per stretch
  std::vector<std::string_view> changed_parameters_;
  split_plan plan_;
};

}  // namespace

split_plan plan_split(const outline& source, const reach& needed) try {
  for (std::size_t i = 0; i < needed.needed.size(); ++i)
    if (needed.needed[i] && i != needed.kernel && source.mentions(source.declarations[i].all, "__syncthreads"))
      throw split_refused{"a barrier in a function that the kernel calls"};
  return splitter(source, needed).run();
} catch (const split_refused& refused) {
  split_plan plan;
  plan.refusal = refused.why;
  return plan;
}

}  // namespace tessera::kernels
