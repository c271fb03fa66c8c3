#include "tessera/kernel/source/registered.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/kernel/source/token.h"
#include "tessera/kernel/wrap/rewrite.h"

namespace tessera::kernels {
namespace {

constexpr std::string_view prefix = "__tessera_registered_";

/// With a blank before and behind each.
constexpr std::string_view keywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t "
    "class compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield "
    "decltype default delete do double dynamic_cast else enum explicit export extern false float for friend "
    "goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register requires return short signed sizeof static static_assert static_cast struct "
    "switch reinterpret_cast template this thread_local throw true try typedef typeid typename union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq ";

bool is_word(std::string_view name) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 && name != "_" &&
         std::all_of(name.begin(), name.end(), fits);
}

std::string position(const std::string& file, std::string_view name, std::string_view member) {
  return cat(file, ", .reductions ", name, ", .", member);
}

/// What does not close what it opens would reach into other texts.
void check_text(const std::string& text, const std::string& place) {
  std::vector<char> open;
  bool any = false;
  const auto refuse = [&](std::string_view reason) { throw argument_error(cat(place, ": ", reason)); };
  token_list list;
  try {
    list = tokenise(text, place);
  } catch (const compile_error& e) {
    throw argument_error(e.what());
  }
  for (const token& t : list.tokens) {
    if (t.kind == token_kind::comment) continue;
    any = true;
    if (t.text.size() != 1) continue;
    const char c = t.text[0];
    if (c == '(' || c == '[' || c == '{') open.push_back(c);
    if (c != ')' && c != ']' && c != '}') continue;
    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (open.empty() || open.back() != wanted) refuse(cat("`", c, "` closes nothing"));
    open.pop_back();
  }
  if (!any) refuse("it is empty");
  if (!open.empty()) refuse(cat("`", open.back(), "` is not closed"));
}

/// One function; what follows it has no line of the user.
void append(std::string& out, const std::string& head, const std::string& begin, const std::string& text,
            const std::string& place, std::string_view end) {
  out += cat("\n#line 1 \"tessera/reductions\"\n", head, " {\n", begin, "\n#line 1 \"", quoted(place), "\"\n", text,
             "\n#line 1 \"tessera/reductions\"\n", end, "}\n");
}

}  // namespace

void check_reductions(std::span<const registered_reduction> reductions, const std::string& file) {
  if (reductions.size() > most_registered)
    throw argument_error(
        cat(file, ", .reductions: a kernel has at most ", most_registered, " operations, not ", reductions.size()));
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const registered_reduction& r = reductions[i];
    const auto refuse = [&](std::string_view reason) {
      throw argument_error(cat(file, ", .reductions: `", r.name, "` ", reason));
    };
    if (parse_reduce_op(r.name)) refuse("is a built-in operation; choose another name");
    if (!is_word(r.name)) refuse("is no name: letters, digits and underscores are, and no digit comes first");
    if (keywords.find(cat(" ", r.name, " ")) != std::string_view::npos) refuse("is a word of C++; choose another name");
    for (std::size_t j = 0; j < i; ++j)
      if (reductions[j].name == r.name) refuse("is given twice");
    check_text(r.identity, position(file, r.name, "identity"));
    check_text(r.combine, position(file, r.name, "combine"));
  }
}

std::string reduction_functions(std::span<const registered_reduction> reductions, const std::string& file) {
  std::string out;
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    const registered_reduction& r = reductions[i];
    const auto number = static_cast<int>(i);
    append(out, cat("template <class __tessera_t> __device__ __tessera_t ", identity_function(number), "()"),
           "__tessera_t __tessera_e =", r.identity, position(file, r.name, "identity"), ";\nreturn __tessera_e;\n");
    append(out,
           cat("template <class __tessera_t> __device__ void ", combine_function(number),
               "(__tessera_t& a, const __tessera_t& b)"),
           "", r.combine, position(file, r.name, "combine"), "");
  }
  return out;
}

bool is_reduction_function(std::string_view name) { return name.starts_with(prefix); }

std::string combine_function(int number) { return cat(prefix, "combine_", number); }
std::string identity_function(int number) { return cat(prefix, "identity_", number); }

}  // namespace tessera::kernels
