#include "tessera/kernel/wrap/prelude.h"

#include <algorithm>
#include <array>
#include <set>

#include "tessera/base/text.h"
#include "tessera/kernel/barrier/warp_functions.h"
#include "tessera/kernel/strip/strip_text.h"
#include "tessera/kernel/wrap/device_text.h"

namespace tessera::kernels {
namespace {

using word_set = std::set<std::string_view>;

/// The names that a piece of text defines: whatever is called in it, or given to one of its own macros.
word_set find_words(std::string_view piece) {
  word_set words;
  const token_list list = tokenise(device_text(piece), "");
  for (std::size_t i = 0; i + 1 < list.tokens.size(); ++i) {
    const token& t = list.tokens[i];
    const bool called = list.tokens[i + 1].is("(");
    const bool given = i >= 2 && list.tokens[i - 1].is("(") && list.tokens[i - 2].text.starts_with("__tessera_");
    if (t.is_identifier() && (called || given)) words.insert(t.text);
  }
  return words;
}

word_set used_words(const parsed_kernel& source) {
  word_set words;
  for (std::size_t i = 0; i < source.needed.needed.size(); ++i) {
    if (!source.needed.needed[i]) continue;
    for (const token& t : expand_macros(source.parsed, source.parsed.declarations[i].all))
      if (t.is_identifier()) words.insert(t.text);
  }
  return words;
}

/// `sinf` and `__sinf` come from `sin`, by macro.
bool asks_for(const word_set& used, const word_set& defined) {
  for (std::string_view word : used) {
    if (defined.contains(word)) return true;
    std::string_view stem = word;
    if (stem.starts_with("__")) stem.remove_prefix(2);
    if (stem.ends_with("f")) stem.remove_suffix(1);
    if (stem.size() < word.size() && defined.contains(stem)) return true;
  }
  return false;
}

bool mentions(const word_set& used, std::string_view part) {
  for (std::string_view word : used)
    if (word.find(part) != std::string_view::npos) return true;
  return false;
}

void append(std::string& out, std::string_view name) {
  out += cat("#line 1 \"tessera/", name, "\"\n", device_text(name), "\n");
}

}  // namespace

bool is_device_function(std::string_view name) {
  static const std::set<std::string_view> all = [] {
    word_set words;
    for (std::string_view piece : {"types.h", "basics.h", "math_names.h", "intrinsics.h", "atomics.h"})
      words.merge(find_words(piece));
    return words;
  }();
  std::string_view stem = name;  // `sinf` and `__sinf` come from `sin`, by macro
  if (stem.starts_with("__")) stem.remove_prefix(2);
  if (stem.ends_with("f")) stem.remove_suffix(1);
  return all.contains(name) || all.contains(stem) || name.starts_with("make_");  // make_float4
}

std::string make_prelude(const parsed_kernel& source, std::string_view driver, bool instrumented) {
  // Used by threads that outlive static objects.
  static const auto& math_words = *new word_set(find_words("math_names.h"));
  static const auto& intrinsic_words = *new word_set(find_words("intrinsics.h"));
  const word_set used = used_words(source);
  std::string out;
  for (std::string_view name : {"abi.h", "constants.h", "traits.h", "types.h", "basics.h"}) append(out, name);
  if (asks_for(used, math_words))
    for (std::string_view name : {"math.h", "math_more.h", "math_names.h"}) append(out, name);
  if (asks_for(used, intrinsic_words)) append(out, "intrinsics.h");
  if (mentions(used, "atomic")) append(out, "atomics.h");
  if (mentions(used, "half") || mentions(used, "bfloat16")) append(out, "half.h");
  if (mentions(used, "cuC") || mentions(used, "Complex")) append(out, "complex.h");
  if (instrumented) append(out, "access_hooks.h");
  const bool strips = used.contains(strip_name);
  if (driver == "split_driver.h" || strips) append(out, "kept.h");
  append(out, driver);
  if (driver == "split_driver.h") append(out, "crossings.h");
  if (strips) append(out, "strip_driver.h");
  const bool warps = std::any_of(used.begin(), used.end(), [](std::string_view word) { return meets_warp(word); });
  if (driver == "split_driver.h" && warps) append(out, "warp_driver.h");
  return out;
}

}  // namespace tessera::kernels
