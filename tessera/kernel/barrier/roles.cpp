#include "tessera/kernel/barrier/roles.h"

#include <algorithm>
#include <array>

#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

/// A cast, or a function of CUDA that only computes, if its name is not taken by another.
bool is_harmless_call(const known_names& names, std::string_view name) {
  static constexpr std::array<std::string_view, 18> functions = {"min",   "max",   "abs",   "fabs", "sqrt", "ceil",
                                                                 "floor", "round", "trunc", "rint", "log",  "log2",
                                                                 "log10", "exp",   "exp2",  "pow",  "fmin", "fmax"};
  if (is_type_word(name) || name == "sizeof") return true;
  const std::string_view stem = name.ends_with("f") ? name.substr(0, name.size() - 1) : name;
  return (is_among(functions, name) || is_among(functions, stem)) && names.is_free(name);
}

/// Operators that neither change anything nor read memory.
bool is_harmless(const std::vector<token>& code, std::size_t i) {
  const token& t = code[i];
  const token before = i > 0 ? code[i - 1] : token{};
  static constexpr std::array<std::string_view, 25> harmless = {
      "+", "-", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "!",
      "~", "?", ":", "(", ")", ",", ".",  "^",  "|",  "<<", ">>", "::"};
  if (t.is("*") || t.is("&")) {
    if (!before.is(")")) return before.is_identifier() || before.kind == token_kind::number;
    std::size_t k = i - 1;  // a cast would make it read memory: some operator says that it is none
    while (k > 0 && !code[k].is("(")) {
      const bool word = code[k].is_identifier() || code[k].is("*") || code[k].is("::") || code[k].is(")");
      if (!word) return true;
      --k;
    }
    return false;
  }
  return is_among(harmless, t.text);
}

}  // namespace

variable_roles::variable_roles(const outline& source, const known_names& names, split_structure& structure,
                               token_range body)
    : source_(source),
      names_(names),
      structure_(structure),
      same_(structure.variables.size(), true),
      indexed_(structure.variables.size(), false) {
  for (std::string_view p : names_.parameters())
    if (names_.may_change(body, p, names_.parameter(p))) changed_parameters_.push_back(p);
  find_same();
  require_same();
  find_indexed();
}

bool variable_roles::is_made_of(token_range range, made_of basis) {
  if (range.empty()) return false;
  const std::vector<token> code = names_.expanded(range);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const token before = i > 0 ? code[i - 1] : token{}, next = i + 1 < code.size() ? code[i + 1] : token{};
    if (before.is("::") || next.is("::")) return false;
    if (code[i].is_identifier() && !before.is(".") && !is_known(code[i].text, next, range.begin, basis)) return false;
    if (code[i].kind == token_kind::punctuation && !is_harmless(code, i)) return false;
    if (code[i].is("(") && before.is_identifier() && !is_harmless_call(names_, before.text)) return false;
  }
  return true;
}

bool variable_roles::is_known(std::string_view word, const token& next, std::size_t position, made_of basis) {
  static constexpr std::array<std::string_view, 6> words = {"sizeof",   "true",    "false",
                                                            "warpSize", "nullptr", "static_cast"};
  if (const block_variable* v = structure_.find(word, position)) {
    if (basis == made_of::index && names_.of_type(v->declared.type) != held::number) return false;
    if (!same_[structure_.index_of(*v)]) return basis != made_of::block && indexed_[structure_.index_of(*v)];
    return basis != made_of::thread || is_steady(*v);
  }
  if (names_.is_parameter(word)) {
    const bool changed = is_among(changed_parameters_, word);
    const held content = names_.parameter(word);
    return !changed && (basis == made_of::thread || content == held::number ||
                        (basis == made_of::block && content != held::pointer));
  }
  if (word == "threadIdx") return basis != made_of::block;
  if (is_index_name(word) || is_among(words, word)) return true;
  if (names_.of_type(std::string(word)) == held::number) return true;  // of a cast
  if (next.is("(")) return is_harmless_call(names_, word);
  return names_.is_constant(word);
}

/// Keeps its value as long as anything declared in its scope lives.
bool variable_roles::is_steady(const block_variable& v) const {
  if (v.changes.empty()) return true;
  if (!v.counts_a_loop) return false;
  // Only the head of its own loop may change it: that stands before the loop's body.
  const std::size_t last = *std::max_element(v.changes.begin(), v.changes.end());
  for (std::size_t i = v.item; i <= last; ++i)
    if (structure_.items[i].kind != item_kind::head) return false;
  return true;
}

/// Assumes all variables to be the same for all threads, and takes back what cannot be.
void variable_roles::find_same() {
  for (block_variable& v : structure_.variables)
    same_[structure_.index_of(v)] = is_plain(v) && (v.declared.extents.empty() || is_table(v)) && !changes_elsewhere(v);
  for (bool again = true; again;) {
    again = false;
    for (block_variable& v : structure_.variables) {
      const bool same = v.is_constant || (same_[structure_.index_of(v)] && begins_same(v));
      again = again || same != same_[structure_.index_of(v)];
      same_[structure_.index_of(v)] = same;
    }
  }
}

/// Numbers and pointers: nothing happens when they are copied, and all operators are known.
bool variable_roles::is_plain(const block_variable& v) const {
  const held content = names_.of_type(v.declared.type);
  return !v.declared.is_reference && (content == held::number || content == held::pointer);
}

/// `const int weights[] = {1, 2, 1}`
bool variable_roles::is_table(const block_variable& v) const {
  return v.declared.is_const && !v.declared.initial.empty() && source_.code[v.declared.initial.begin].is("{");
}

bool variable_roles::begins_same(const block_variable& v) {
  token_range initial = v.declared.initial;
  if (is_table(v)) initial = {initial.begin + 1, initial.end - 1};
  const bool same = initial.empty() ? !v.changes.empty() : is_made_of(initial, made_of::block);
  return same && std::all_of(v.changes.begin(), v.changes.end(), [&](std::size_t i) {
           const split_item& item = structure_.items[i];
           const token_range value = item.change->value;
           return !changes_for_some(v, i) && (value.empty() || is_made_of(value, made_of::block)) &&
                  (item.condition.empty() || is_made_of(item.condition, made_of::block));
         });
}

/// Whether the change `item` of a variable is made by some of the threads that have it.
bool variable_roles::changes_for_some(const block_variable& v, std::size_t item) {
  const std::size_t home = structure_.items[v.item].region;
  for (std::size_t r = structure_.items[item].region; r != no_region && r != home; r = structure_.regions[r].parent)
    if (is_divergent(structure_.controls[structure_.regions[r].control])) return true;
  return false;
}

/// Whether anything but plain assignments beside the barriers may change it.
bool variable_roles::changes_elsewhere(const block_variable& v) {
  if (v.declared.is_const || v.is_constant) return false;
  for (std::size_t i = 0; i < structure_.items.size(); ++i) {
    const token_range range = structure_.items[i].range;
    if (structure_.find(v.name, range.begin) != &v) continue;  // outside, or another one of that name
    if (std::find(v.changes.begin(), v.changes.end(), i) != v.changes.end()) continue;
    if (names_.may_change(range, v.name, names_.of_type(v.declared.type))) return true;
  }
  return false;
}

void variable_roles::require_same() {
  for (const split_item& item : structure_.items) {
    const bool head = item.kind == item_kind::head || item.kind == item_kind::jump;
    if (!head) continue;
    if (item.kind == item_kind::jump) require_same_jump(item);
    const split_control* control = item.control == no_region ? nullptr : &structure_.controls[item.control];
    // Where only warps meet, or no threads at all, a condition may hold for some threads.
    const bool some = control != nullptr && !control->is_loop && !control->has_barrier;
    if (!some && !item.condition.empty() && !is_made_of(item.condition, made_of::block))
      refuse_cut(source_, item.condition.begin, "a condition around a barrier that may differ between threads");
    for (const std::size_t v : item.variables)
      if (!same_[v])
        refuse_cut(source_, item.range.begin, "the variable of a loop around a barrier may differ between threads");
    if (!item.change) continue;
    const block_variable* v = structure_.find(source_.code[item.change->name].text, item.change->name);
    if (v == nullptr || !same_[structure_.index_of(*v)])
      refuse_cut(source_, item.range.begin, "the variable of a loop around a barrier may differ between threads");
  }
}

/// All threads that are in the loop make the jump, or none.
void variable_roles::require_same_jump(const split_item& item) {
  for (std::size_t r = item.region; r != no_region; r = structure_.regions[r].parent) {
    const split_control& around = structure_.controls[structure_.regions[r].control];
    if (around.is_loop) return;
    if (is_divergent(around))
      refuse_cut(source_, item.range.begin, "a jump out of a loop around a barrier that not all threads make");
  }
}

bool variable_roles::only_computes(std::string_view function) const { return is_harmless_call(names_, function); }

bool variable_roles::is_thread_index(std::size_t position) {
  const block_variable* v = structure_.find(source_.code[position].text, position);
  return v != nullptr && indexed_[structure_.index_of(*v)] && read_index(source_, v->declared.initial).has_value();
}

void variable_roles::find_indexed() {
  for (block_variable& v : structure_.variables) {
    if (same_[structure_.index_of(v)] || !v.declared.extents.empty() || !is_plain(v) || v.is_static) continue;
    const bool fixed = v.declared.is_const || !names_.may_change(v.scope, v.name, names_.of_type(v.declared.type));
    indexed_[structure_.index_of(v)] = fixed && is_made_of(v.declared.initial, made_of::thread);
  }
}

}  // namespace tessera::kernels
