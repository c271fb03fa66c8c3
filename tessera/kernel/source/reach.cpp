#include "tessera/kernel/source/reach.h"

#include <algorithm>
#include <map>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/index/grid_stride.h"
#include "tessera/kernel/index/index_use.h"
#include "tessera/kernel/source/registered.h"

namespace tessera::kernels {
namespace {

using name_index = std::map<std::string_view, std::vector<std::size_t>>;

name_index index_names(const outline& source) {
  name_index result;
  for (std::size_t i = 0; i < source.declarations.size(); ++i)
    for (std::string_view name : source.declarations[i].names) result[name].push_back(i);
  return result;
}

bool is_operator(const outline& source, const declaration& d) {
  return d.kind == declaration_kind::function && d.name > d.all.begin && source.code[d.name - 1].is("operator");
}

// Declarations that count whether or not they are named: operators, variables a program may set, `using`, and what
// registered operations consist of.
bool is_root(const outline& source, const declaration& d) {
  const token& first = source.code[d.all.begin];
  if (first.is("using")) return true;
  if (is_operator(source, d)) return has_qualifier(source, d, "__device__");
  if (d.kind == declaration_kind::function && is_reduction_function(source.name_of(d).text)) return true;
  if (d.kind != declaration_kind::other) return false;
  return source.mentions(d.all, "__constant__") || source.mentions(d.all, "__device__");
}

/// Which declarations each declaration names; computed when first asked.
class name_graph {
 public:
  explicit name_graph(const outline& source)
      : source_(source), names_(index_names(source)), edges_(source.declarations.size()), known_(edges_.size()) {}

  const std::vector<std::size_t>& named_by(std::size_t i) {
    if (known_[i]) return edges_[i];
    known_[i] = true;
    std::vector<bool> seen(edges_.size());
    const declaration& d = source_.declarations[i];
    const bool is_function = d.kind == declaration_kind::function;
    const std::size_t skip = is_function ? d.name : d.all.end;
    add(i, expand_macros(source_, {d.all.begin, skip}), seen);
    if (is_function) add(i, expand_macros(source_, {d.name + 1, d.all.end}), seen);
    return edges_[i];
  }

 private:
  void add(std::size_t i, const std::vector<token>& tokens, std::vector<bool>& seen) {
    for (const token& t : tokens) {
      if (!t.is_identifier()) continue;
      const auto found = names_.find(t.text);
      if (found == names_.end()) continue;
      for (std::size_t other : found->second) {
        if (seen[other]) continue;
        seen[other] = true;
        edges_[i].push_back(other);
      }
    }
  }

  const outline& source_;
  name_index names_;
  std::vector<std::vector<std::size_t>> edges_;
  std::vector<bool> known_;
};

bool reaches_itself(name_graph& graph, const outline& source, std::size_t start) {
  std::vector<bool> seen(source.declarations.size());
  std::vector<std::size_t> todo = {start};
  while (!todo.empty()) {
    const std::size_t i = todo.back();
    todo.pop_back();
    for (std::size_t other : graph.named_by(i)) {
      if (other == start) return true;
      if (seen[other] || source.declarations[other].kind != declaration_kind::function) continue;
      seen[other] = true;
      todo.push_back(other);
    }
  }
  return false;
}

bool starts_with_any(std::string_view word, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return word.starts_with(p); });
}

void note_word(feature_set& f, const std::vector<token>& tokens, std::size_t i) {
  const std::string_view word = tokens[i].text;
  if (word[0] != '_' && word[0] != 'a') return;  // nearly all of them
  if (word.starts_with("__syncthreads")) f.barriers = true;
  if (starts_with_any(word, {"__shfl", "__ballot", "__any", "__all", "__activemask", "__syncwarp", "__match_",
                             "__reduce_", "__lane"}))
    f.warp_functions = true;
  if (word.starts_with("atomic")) f.atomics = true;
  if (word == "asm" || word == "__asm__" || word == "__asm") f.inline_assembly = true;
  if (word != "__shared__") return;
  const std::size_t from = i > 4 ? i - 4 : 0;
  const std::size_t to = std::min(tokens.size(), i + 2);
  const bool is_extern =
      std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(from), tokens.begin() + static_cast<std::ptrdiff_t>(to),
                  [](const token& t) { return t.is("extern"); });
  (is_extern ? f.extern_shared : f.static_shared) = true;
}

struct refusal {
  std::string_view word;
  std::string_view reason;
};
constexpr std::array<refusal, 12> refusals = {{
    {"cudaTextureObject_t", "textures are not supported: read the array through a pointer"},
    {"cudaSurfaceObject_t", "surfaces are not supported: use a pointer"},
    {"texture", "textures are not supported: read the array through a pointer"},
    {"tex1D", "textures are not supported: read the array through a pointer"},
    {"tex2D", "textures are not supported: read the array through a pointer"},
    {"tex3D", "textures are not supported: read the array through a pointer"},
    {"tex1Dfetch", "textures are not supported: read the array through a pointer"},
    {"surf2Dwrite", "surfaces are not supported: use a pointer"},
    {"this_grid", "grid-wide synchronisation is not supported: a launch may run in parts; split the kernel in two"},
    {"grid_group", "grid-wide synchronisation is not supported: a launch may run in parts; split the kernel in two"},
    {"this_multi_grid", "grid-wide synchronisation is not supported: split the kernel in two"},
    {"<<<", "a kernel that launches kernels is not supported: launch from the host"},
}};

// Of the words that are refused, of `grid`, `asm` and `__asm__`, and of literals.
constexpr std::string_view first_letters = "cstg<a_\"RuUL";

[[noreturn]] void refuse(const token_list& list, const token& at, std::string_view kernel, std::string_view reason) {
  throw compile_error(cat(list.position(at), ": kernel `", kernel, "`: ", reason));
}

void refuse_words(const std::vector<token>& tokens, const token_list& list, std::string_view kernel) {
  bool assembly = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const token& t = tokens[i];
    if (first_letters.find(t.text[0]) == std::string_view::npos) continue;  // nearly all of them
    for (const refusal& r : refusals)
      if (t.is(r.word) && (r.word != "texture" || (i + 1 < tokens.size() && tokens[i + 1].is("<"))))
        refuse(list, t, kernel, r.reason);
    if (t.is("grid") && i + 2 < tokens.size() && tokens[i + 1].is(".") && tokens[i + 2].is("sync"))
      refuse(list, t, kernel, refusals[8].reason);
    assembly = assembly || t.is("asm") || t.is("__asm__");
    const bool reads_grid =
        assembly && t.kind == token_kind::literal &&
        (t.text.find("%ctaid") != std::string_view::npos || t.text.find("%nctaid") != std::string_view::npos ||
         t.text.find("%gridid") != std::string_view::npos);
    if (reads_grid)
      refuse(list, t, kernel, "assembly that reads grid registers is not supported: use blockIdx and gridDim");
  }
}

/// Every compiled module would have one of its own, and no name to share it by.
void refuse_local_statics(const outline& source, const declaration& d, const token_list& list) {
  const std::vector<token> code = expand_macros(source, d.body);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code[i].is("static")) continue;
    std::size_t end = i;
    const auto is_fixed = [](const token& t) { return t.is("const") || t.is("constexpr") || t.is("__shared__"); };
    bool fixed = false;
    for (; end < code.size() && !code[end].is(";") && !code[end].is("=") && !code[end].is("{") && !code[end].is("(");
         ++end)
      fixed = fixed || is_fixed(code[end]);
    if (fixed || (end < code.size() && code[end].is("("))) continue;  // or a member function of a local class
    throw compile_error(
        cat(list.position(code[i]), ": a static variable in function `", source.name_of(d).text,
            "`, which devices and variants of the kernel would not share; declare it __device__ at file "
            "scope"));
  }
}

}  // namespace

bool is_index_name(std::string_view word) {
  return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

bool has_qualifier(const outline& source, const declaration& d, std::string_view word) {
  if (d.kind != declaration_kind::function && d.kind != declaration_kind::prototype) return false;
  return source.mentions(source.head(d), word);
}

reach find_reach(const outline& source, std::size_t kernel) {
  const std::size_t count = source.declarations.size();
  reach result{.kernel = kernel, .needed = std::vector<bool>(count), .recursive = std::vector<bool>(count)};
  name_graph graph(source);
  std::vector<std::size_t> todo = {kernel};
  for (std::size_t i = 0; i < count; ++i)
    if (is_root(source, source.declarations[i])) todo.push_back(i);
  for (std::size_t i : todo) result.needed[i] = true;
  while (!todo.empty()) {
    const std::size_t i = todo.back();
    todo.pop_back();
    for (std::size_t other : graph.named_by(i)) {
      const declaration& d = source.declarations[other];
      const bool another_kernel = other != kernel && has_qualifier(source, d, "__global__");
      if (result.needed[other] || another_kernel) continue;
      result.needed[other] = true;
      todo.push_back(other);
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    if (result.needed[i] && source.declarations[i].kind == declaration_kind::function)
      result.recursive[i] = reaches_itself(graph, source, i);
  return result;
}

feature_set find_features(const outline& source, const reach& needed) {
  feature_set f;
  for (std::size_t i = 0; i < needed.needed.size(); ++i) {
    if (!needed.needed[i]) continue;
    const std::vector<token> tokens = expand_macros(source, source.declarations[i].all);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      note_word(f, tokens, k);
      if (i != needed.kernel && is_index_name(tokens[k].text)) f.indexed_helpers = true;
    }
    f.recursion = f.recursion || needed.recursive[i];
  }
  const index_use use = find_index_use(source, source.declarations[needed.kernel]);
  f.wide_index = use.wide || (use.wide_blocks && !f.indexed_helpers);
  if (!f.needs_block() && !f.indexed_helpers) {
    f.reblockable = use.only_global;
    f.grid_stride = find_grid_stride(source, needed).has_value();
    if (f.grid_stride) f.reblockable[0] = true;
  }
  return f;
}

std::optional<token> find_block_word(const outline& source, const reach& needed) {
  feature_set seen;
  for (std::size_t i = 0; i < needed.needed.size(); ++i) {
    if (!needed.needed[i]) continue;
    const std::vector<token> tokens = expand_macros(source, source.declarations[i].all);
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      note_word(seen, tokens, k);
      if (seen.needs_block()) return tokens[k];
    }
  }
  return std::nullopt;
}

void refuse_unsupported(const outline& source, const reach& needed, const token_list& list) {
  const declaration& kernel = source.declarations[needed.kernel];
  const std::string_view name = source.name_of(kernel).text;
  for (std::size_t i = 0; i < needed.needed.size(); ++i) {
    if (!needed.needed[i]) continue;
    refuse_words(expand_macros(source, source.declarations[i].all), list, name);
    if (source.declarations[i].kind == declaration_kind::function)
      refuse_local_statics(source, source.declarations[i], list);
  }
}

}  // namespace tessera::kernels
