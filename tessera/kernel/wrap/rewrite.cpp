#include "tessera/kernel/wrap/rewrite.h"

#include <algorithm>
#include <array>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

/// Headers whose device part is in the text put before every kernel, or that have none.
constexpr std::array<std::string_view, 53> known_headers = {"cuda.h",
                                                            "cuda_runtime.h",
                                                            "cuda_runtime_api.h",
                                                            "device_launch_parameters.h",
                                                            "cuda_fp16.h",
                                                            "cuda_bf16.h",
                                                            "cuComplex.h",
                                                            "vector_types.h",
                                                            "vector_functions.h",
                                                            "math_constants.h",
                                                            "math.h",
                                                            "cmath",
                                                            "stdint.h",
                                                            "cstdint",
                                                            "inttypes.h",
                                                            "cinttypes",
                                                            "stddef.h",
                                                            "cstddef",
                                                            "float.h",
                                                            "cfloat",
                                                            "limits.h",
                                                            "climits",
                                                            "assert.h",
                                                            "cassert",
                                                            "stdio.h",
                                                            "cstdio",
                                                            "stdlib.h",
                                                            "cstdlib",
                                                            "string.h",
                                                            "cstring",
                                                            "time.h",
                                                            "ctime",
                                                            "sys/time.h",
                                                            "unistd.h",
                                                            "iostream",
                                                            "fstream",
                                                            "sstream",
                                                            "iomanip",
                                                            "vector",
                                                            "string",
                                                            "map",
                                                            "set",
                                                            "memory",
                                                            "algorithm",
                                                            "numeric",
                                                            "chrono",
                                                            "random",
                                                            "thread",
                                                            "mutex",
                                                            "functional",
                                                            "stdexcept",
                                                            "stdbool.h",
                                                            "mpi.h"};

/// Those of them that CUDA compilers take from the toolkit.
constexpr std::array<std::string_view, 4> toolkit_headers = {"cuda_fp16.h", "cuda_bf16.h", "cuComplex.h",
                                                             "math_constants.h"};

bool is_cut(std::string_view name, device::kernel_language language) {
  const auto among = [&](const auto& names) { return std::find(names.begin(), names.end(), name) != names.end(); };
  return among(known_headers) && !(language == device::kernel_language::cuda && among(toolkit_headers));
}

bool is_extern_shared(const std::vector<token>& code, std::size_t i) {
  if (!code[i].is("extern")) return false;
  for (std::size_t k = i + 1; k < code.size() && k < i + 12 && !code[k].is(";"); ++k)
    if (code[k].is("__shared__")) return true;
  return false;
}

/// `extern __shared__ __align__(16) T s[][8];` read: T, s, [8].
struct extern_shared {
  std::string type;
  std::string name;
  std::string extents;
};

extern_shared read_extern_shared(const outline& source, token_range statement) {
  extern_shared result;
  const std::vector<token>& code = source.code;
  std::size_t i = statement.begin;
  for (; i < statement.end && !code[i].is("["); ++i) {
    if (code[i].is("extern") || code[i].is("__shared__") || code[i].is("volatile")) continue;
    if (code[i].is("__align__") || code[i].is("__attribute__") || code[i].is("alignas")) {
      i = std::max(source.match[std::min(i + 1, statement.end - 1)], i);
      continue;
    }
    if (!result.name.empty()) result.type += cat(result.type.empty() ? "" : " ", result.name);
    result.name = code[i].text;
  }
  if (i < statement.end) result.extents = source.text({source.match[i] + 1, statement.end});
  return result;
}

}  // namespace

parsed_kernel take_apart(const kernel_text& kernel) {
  parsed_kernel result;
  result.list = tokenise(kernel.source, kernel.file);
  result.parsed = make_outline(select_active(result.list, kernel.defines));
  for (std::size_t i = 0; i < result.parsed.declarations.size(); ++i) {
    const declaration& d = result.parsed.declarations[i];
    const bool found = d.kind == declaration_kind::function && result.parsed.name_of(d).is(kernel.name) &&
                       d.scope == kernel.scope && has_qualifier(result.parsed, d, "__global__");
    if (!found) continue;
    result.needed = find_reach(result.parsed, i);
    return result;
  }
  throw compile_error(cat(kernel.file, ":1:1: no kernel named `", kernel.name, "`"));
}

std::string text_edits::apply() const {
  std::vector<edit> sorted = edits_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const edit& a, const edit& b) {
    return a.at != b.at ? a.at < b.at : a.length == 0 && b.length > 0;  // Insertions before what they stand before.
  });
  std::string result;
  std::size_t done = 0;
  for (const edit& e : sorted) {
    result.append(text_, done, e.at - done);
    result += e.with;
    done = e.at + e.length;
  }
  result.append(text_, done, std::string::npos);
  return result;
}

std::vector<std::string_view> cut_unneeded(const parsed_kernel& source, device::kernel_language language,
                                           text_edits& edits) {
  std::vector<std::string_view> left;
  for (const token& t : source.list.tokens) {
    bool in_quotes = false;
    const std::string_view name =
        t.kind == token_kind::directive ? included_name(t.text, in_quotes) : std::string_view{};
    if (name.empty()) continue;
    if (is_cut(name, language))
      edits.replace(t, "");
    else
      left.push_back(name);
  }
  for (std::size_t i = 0; i < source.needed.needed.size(); ++i) {
    if (source.needed.needed[i]) continue;
    const token_range all = source.parsed.declarations[i].all;
    for (std::size_t k = all.begin; k < all.end; ++k) edits.replace(source.parsed.code[k], " ");
  }
  return left;
}

std::size_t specifier_position(const outline& source, const declaration& d) {
  std::size_t at = d.all.begin;
  while (at < d.name && source.code[at].is("template")) {
    int depth = 0;
    for (++at; at < d.name; ++at) {
      const token& t = source.code[at];
      depth += t.is("<") ? 1 : t.is(">") ? -1 : t.is(">>") ? -2 : 0;
      if (depth <= 0) break;
    }
    ++at;
  }
  if (source.code[at].is("extern") && source.code[at + 1].kind == token_kind::literal) at += 2;
  return at;
}

void force_inlining(const parsed_kernel& source, text_edits& edits) {
  const outline& parsed = source.parsed;
  for (std::size_t i = 0; i < parsed.declarations.size(); ++i) {
    const declaration& d = parsed.declarations[i];
    if (!source.needed.needed[i] || d.kind != declaration_kind::function) continue;
    const std::size_t at = specifier_position(parsed, d);
    if (at > d.name) continue;
    bool is_inline = false;
    for (std::string_view word : {"inline", "__inline__", "__inline", "__forceinline__", "constexpr"})
      is_inline = is_inline || parsed.mentions(parsed.head(d), word);
    edits.insert_before(parsed.code[at], cat(source.needed.recursive[i] ? "" : "__attribute__((always_inline)) ",
                                             is_inline ? "" : "inline "));
  }
}

std::vector<shared_variable> replace_extern_shared(const parsed_kernel& source, text_edits& edits) {
  std::vector<shared_variable> result;
  const outline& parsed = source.parsed;
  for (std::size_t i = 0; i < parsed.declarations.size(); ++i) {
    const declaration& d = parsed.declarations[i];
    if (!source.needed.needed[i]) continue;
    for (std::size_t k = d.all.begin; k < d.all.end; ++k) {
      if (!is_extern_shared(parsed.code, k)) continue;
      token_range statement{k, k};
      while (statement.end < d.all.end && !parsed.code[statement.end].is(";")) ++statement.end;
      const extern_shared s = read_extern_shared(parsed, statement);
      for (std::size_t j = k; j < statement.end; ++j) edits.replace(parsed.code[j], " ");
      const bool outside = d.kind != declaration_kind::function;
      const std::string pointer = cat(s.type, " (*)", s.extents);
      if (outside) result.push_back({d.scope + s.name, pointer});
      edits.insert_before(parsed.code[k], outside ? cat("static thread_local ", s.type, " (*", s.name, ")", s.extents)
                                                  : cat(s.type, " (*", s.name, ")", s.extents, " = (", pointer,
                                                        ")__tessera::dynamic_shared()"));
      k = statement.end;
    }
  }
  return result;
}

std::vector<settable_variable> settable_variables(const parsed_kernel& source) {
  std::vector<settable_variable> result;
  for (const file_variable& v : list_variables(source.parsed, source.list))
    if (!v.is_const && source.needed.needed[v.declaration]) result.push_back({v.name, v.declaration});
  return result;
}

std::string quoted(const std::string& file) {
  std::string text;
  for (char c : file) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text;
}

}  // namespace tessera::kernels
