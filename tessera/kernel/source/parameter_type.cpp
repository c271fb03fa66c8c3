#include "tessera/kernel/source/parameter_type.h"

#include <algorithm>
#include <array>
#include <optional>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera::kernels {
namespace {

using words = std::vector<token>;

template <std::size_t N>
bool one_of(const token& t, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), t.text) != list.end();
}

constexpr std::array<std::string_view, 9> decorations = {"volatile", "__restrict__", "__restrict",
                                                         "restrict", "register",     "struct",
                                                         "class",    "typename",     "__grid_constant__"};
constexpr std::array<std::string_view, 9> arithmetic_words = {"unsigned", "signed", "char",   "short", "int",
                                                              "long",     "float",  "double", "bool"};

struct named_type {
  std::string_view name;
  scalar_kind kind;
};
constexpr std::array<named_type, 41> named_types = {{
    {"int8_t", scalar_kind::int8},
    {"int16_t", scalar_kind::int16},
    {"int32_t", scalar_kind::int32},
    {"int64_t", scalar_kind::int64},
    {"uint8_t", scalar_kind::uint8},
    {"uint16_t", scalar_kind::uint16},
    {"uint32_t", scalar_kind::uint32},
    {"uint64_t", scalar_kind::uint64},
    {"size_t", scalar_kind::uint64},
    {"ssize_t", scalar_kind::int64},
    {"ptrdiff_t", scalar_kind::int64},
    {"intptr_t", scalar_kind::int64},
    {"uintptr_t", scalar_kind::uint64},
    {"half", scalar_kind::float16},
    {"__half", scalar_kind::float16},
    {"bfloat16", scalar_kind::bfloat16},
    {"__nv_bfloat16", scalar_kind::bfloat16},
    {"nv_bfloat16", scalar_kind::bfloat16},
    {"uchar", scalar_kind::uint8},
    {"ushort", scalar_kind::uint16},
    {"uint", scalar_kind::uint32},
    {"ulong", scalar_kind::uint64},
    {"u_char", scalar_kind::uint8},
    {"int_fast8_t", scalar_kind::int8},
    {"int_fast16_t", scalar_kind::int64},
    {"int_fast32_t", scalar_kind::int64},
    {"int_fast64_t", scalar_kind::int64},
    {"int_least8_t", scalar_kind::int8},
    {"int_least16_t", scalar_kind::int16},
    {"int_least32_t", scalar_kind::int32},
    {"int_least64_t", scalar_kind::int64},
    {"uint_fast8_t", scalar_kind::uint8},
    {"uint_fast16_t", scalar_kind::uint64},
    {"uint_fast32_t", scalar_kind::uint64},
    {"uint_fast64_t", scalar_kind::uint64},
    {"uint_least8_t", scalar_kind::uint8},
    {"uint_least16_t", scalar_kind::uint16},
    {"uint_least32_t", scalar_kind::uint32},
    {"uint_least64_t", scalar_kind::uint64},
    {"intmax_t", scalar_kind::int64},
    {"uintmax_t", scalar_kind::uint64},
}};

constexpr std::array<named_type, 12> vector_bases = {{
    {"char", scalar_kind::int8},
    {"uchar", scalar_kind::uint8},
    {"short", scalar_kind::int16},
    {"ushort", scalar_kind::uint16},
    {"int", scalar_kind::int32},
    {"uint", scalar_kind::uint32},
    {"long", scalar_kind::int64},
    {"ulong", scalar_kind::uint64},
    {"longlong", scalar_kind::int64},
    {"ulonglong", scalar_kind::uint64},
    {"float", scalar_kind::float32},
    {"double", scalar_kind::float64},
}};

std::optional<dtype> find_name(std::string_view name) {
  if (name == "cuComplex" || name == "cuFloatComplex") return dtype::make(scalar_kind::float32, 2);
  if (name == "cuDoubleComplex") return dtype::make(scalar_kind::float64, 2);
  if (name == "dim3") return dtype::make(scalar_kind::uint32, 3);
  for (const named_type& t : named_types)
    if (t.name == name) return dtype::make(t.kind);
  if (name.empty() || name.back() < '1' || name.back() > '4') return std::nullopt;
  for (const named_type& t : vector_bases)
    if (t.name == name.substr(0, name.size() - 1)) return dtype::make(t.kind, name.back() - '0');
  return std::nullopt;
}

std::optional<dtype> arithmetic(const words& type) {
  const auto count = [&](std::string_view word) {
    return std::count_if(type.begin(), type.end(), [&](const token& t) { return t.is(word); });
  };
  if (type.empty() ||
      !std::all_of(type.begin(), type.end(), [](const token& t) { return one_of(t, arithmetic_words); }))
    return std::nullopt;
  const bool is_unsigned = count("unsigned") > 0;
  if (count("float") > 0) return dtype::make(scalar_kind::float32);
  if (count("double") > 0) return count("long") > 0 ? std::nullopt : std::optional(dtype::make(scalar_kind::float64));
  if (count("bool") > 0) return dtype::make(scalar_kind::boolean);
  if (count("char") > 0) return dtype::make(is_unsigned ? scalar_kind::uint8 : scalar_kind::int8);
  if (count("short") > 0) return dtype::make(is_unsigned ? scalar_kind::uint16 : scalar_kind::int16);
  if (count("long") > 0) return dtype::make(is_unsigned ? scalar_kind::uint64 : scalar_kind::int64);
  return dtype::make(is_unsigned ? scalar_kind::uint32 : scalar_kind::int32);
}

/// What `name` stands for: the words of its typedef or alias at namespace scope.
std::optional<words> find_alias(std::string_view name, const outline& source) {
  for (const declaration& d : source.declarations) {
    if (d.all.end - d.all.begin < 4 || d.is_template) continue;
    const auto at = [&](std::size_t i) -> const token& { return source.code[i]; };
    const std::size_t last = d.all.end - 2;  // Before the semicolon.
    if (at(d.all.begin).is("typedef") && at(last).is(name) && d.body.empty())
      return words(source.code.begin() + static_cast<std::ptrdiff_t>(d.all.begin) + 1,
                   source.code.begin() + static_cast<std::ptrdiff_t>(last));
    if (at(d.all.begin).is("using") && at(d.all.begin + 1).is(name) && at(d.all.begin + 2).is("="))
      return words(source.code.begin() + static_cast<std::ptrdiff_t>(d.all.begin) + 3,
                   source.code.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  }
  return std::nullopt;
}

/// A type being taken apart.
struct shape {
  words base;  ///< Without cv, decorations, `*`.
  int pointers = 0;
  bool is_reference = false;
  bool is_function = false;
  bool target_const = false;
  bool value_const = false;
};

shape take_apart(const words& tokens) {
  shape s;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const token& t = tokens[i];
    if (t.is("const"))
      (s.pointers == 0 ? s.target_const : s.value_const) = true;
    else if (t.is("*"))
      ++s.pointers;
    else if (t.is("&") || t.is("&&"))
      s.is_reference = true;
    else if (t.is("(") || t.is(")"))
      s.is_function = true;
    else if (t.is("["))
      ++s.pointers, i = tokens.size();
    else if (!one_of(t, decorations))
      s.base.push_back(t);
  }
  if (s.pointers == 0) s.value_const = std::exchange(s.target_const, false);
  return s;
}

/// Replaces aliases until the base is known or stays unknown.
std::optional<dtype> resolve(shape& s, const outline& source, int depth = 0) {
  if (const auto type = arithmetic(s.base)) return type;
  const bool is_std = s.base.size() == 3 && s.base[0].is("std") && s.base[1].is("::");
  if (s.base.size() != 1 && !is_std) return std::nullopt;
  const std::string_view name = s.base.back().text;
  constexpr int deepest_alias = 16;
  const auto alias = find_alias(name, source);
  if (!alias || depth == deepest_alias) return find_name(name);
  const shape inner = take_apart(*alias);
  const bool outer_const = s.pointers > 0 ? s.target_const : s.value_const;
  if (inner.pointers > 0) {
    s.target_const = inner.target_const;  // `const` outside an alias of a pointer concerns the pointer.
  } else {
    (s.pointers > 0 ? s.target_const : s.value_const) = outer_const || inner.value_const;
  }
  s.pointers += inner.pointers;
  s.is_reference = s.is_reference || inner.is_reference;
  s.base = inner.base;
  return resolve(s, source, depth + 1);
}

/// Where the parameter's own name stands, or the end.
std::size_t find_name_position(const words& tokens) {
  std::size_t last = tokens.size();
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("<")) ++depth;
    if (tokens[i].is(">")) --depth;
    if (tokens[i].is(">>")) depth -= 2;
    if (tokens[i].is("[") || (tokens[i].is(")") && last != tokens.size())) break;
    if (tokens[i].is_identifier() && depth == 0) last = i;
  }
  if (last == tokens.size() || last == 0) return tokens.size();
  const token& candidate = tokens[last];
  if (one_of(candidate, arithmetic_words) || one_of(candidate, decorations) || candidate.is("const"))
    return tokens.size();
  if (tokens[last - 1].is("::")) return tokens.size();
  const bool behind_type =
      std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(last),
                  [](const token& t) { return t.is_identifier() && !one_of(t, decorations) && !t.is("const"); });
  return behind_type ? last : tokens.size();
}

words without_default(std::span<const token> tokens) {
  words result;
  for (const token& t : tokens) {
    if (t.is("=")) break;
    result.push_back(t);
  }
  return result;
}

std::string join(const words& tokens) {
  std::string text;
  for (const token& t : tokens) {
    const bool glue = text.empty() || t.is("*") || t.is("::") || t.is("<") || t.is(">") || t.is(",") || t.is("&") ||
                      t.is("[") || t.is("]") || text.ends_with("::") || text.ends_with('<') || text.ends_with('[');
    if (!glue) text += ' ';
    text += t.text;
  }
  return text;
}

}  // namespace

parameter parse_parameter(std::span<const token> tokens, const outline& source, const std::string& position) {
  words all = without_default(tokens);
  const std::size_t name = find_name_position(all);
  parameter p;
  if (name < all.size()) {
    p.name = all[name].text;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(name));
  }
  p.type_text = join(all);
  const std::string subject = p.name.empty() ? cat("a parameter of type `", p.type_text, "`")
                                             : cat("parameter `", p.name, "` of type `", p.type_text, "`");
  shape s = take_apart(all);
  const std::optional<dtype> type = resolve(s, source);
  if (s.is_function)
    throw compile_error(cat(position, ": ", subject, " is a pointer to a function or to arrays; pass a plain pointer"));
  if (s.is_reference)
    throw compile_error(cat(position, ": ", subject, " is a reference, which a kernel cannot take; pass it by value"));
  if (s.pointers > 1)
    throw compile_error(cat(position, ": ", subject,
                            " is a pointer to pointers: the inner addresses would have to hold on every device; "
                            "pass one flat array instead"));
  if (s.base.empty()) throw compile_error(cat(position, ": ", subject, " has no type"));
  p.is_pointer = s.pointers == 1;
  p.is_const = p.is_pointer ? s.target_const : s.value_const;
  p.is_struct = !type.has_value();
  if (p.is_struct) p.structure = join(s.base);
  p.type = type.value_or(dtype::structure(0, 1));
  if (p.is_pointer && s.base.size() == 1 && s.base[0].is("void"))
    throw compile_error(cat(position, ": ", subject, " is `void*`: the element type must be known"));
  return p;
}

}  // namespace tessera::kernels
