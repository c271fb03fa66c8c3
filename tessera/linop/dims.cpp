#include "tessera/linop/dims.h"

#include <algorithm>
#include <cctype>

#include "tessera/base/config.h"
#include "tessera/base/error.h"
#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::linop {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_name(std::string_view text) {
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t\n");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

/// Names of one meaning meet, whatever their numbers.
bool meets(const dim& a, const dim& b) { return a.name == b.name; }

/// Throws unless the shorter list meets the end of the longer one.
void require_meeting(const dims& a, const std::string& a_text, const dims& b, const std::string& b_text) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t k = 0; k < common; ++k) {
    const dim &at_a = a[a.size() - common + k], &at_b = b[b.size() - common + k];
    if (!meets(at_a, at_b))
      throw argument_error(cat(a_text, " (", to_string(a), ") does not fit ", b_text, " (", to_string(b),
                               "): ", to_string(at_a), " meets ", to_string(at_b),
                               "; lists are compared from their ends, and rearrange() changes their order"));
  }
}

}  // namespace

std::string to_string(const dim& d) { return d.number == 0 ? d.name : cat(d.name, d.number); }

std::string to_string(const dims& list) {
  if (list.empty()) return "()";
  std::string text;
  for (const dim& d : list) text += cat(text.empty() ? "" : " ", to_string(d));
  return text;
}

std::string to_string(const signature& s) { return cat(to_string(s.in), " -> ", to_string(s.out)); }

dim parse_dim(std::string_view text) {
  if (!is_name(text))
    throw argument_error(cat("'", text, "' is no name of a dimension: letters, digits and _, the first one a letter"));
  std::size_t digits = text.size();
  while (is_digit(text[digits - 1])) --digits;
  while (digits < text.size() && text[digits] == '0') ++digits;  // zeros in front belong to the name
  constexpr std::size_t most_digits = 6;
  if (digits == text.size() || text.size() - digits > most_digits) return {std::string(text), 0};
  return {std::string(text.substr(0, digits)), std::stoi(std::string(text.substr(digits)))};
}

dims parse_dims(std::string_view text, std::string_view context) {
  dims list;
  for (const std::string_view word : words_of(text)) {
    if (word == "()") continue;
    if (!is_name(word))
      throw argument_error(cat(context, ": '", word, "' of \"", text,
                               "\" is no name of a dimension: letters, digits and _, the first one a letter"));
    const dim d = parse_dim(word);
    if (place_of(d, list) >= 0) throw argument_error(cat(context, ": ", word, " is named twice in \"", text, "\""));
    list.push_back(d);
  }
  return list;
}

std::pair<dims, dims> parse_arrow(std::string_view text, std::string_view context) {
  const std::size_t arrow = text.find("->");
  if (arrow == std::string_view::npos) {
    const dims both = parse_dims(text, context);
    return {both, both};
  }
  if (text.find("->", arrow + 2) != std::string_view::npos)
    throw argument_error(cat(context, ": \"", text, "\" has more than one arrow"));
  return {parse_dims(text.substr(0, arrow), context), parse_dims(text.substr(arrow + 2), context)};
}

int place_of(const dim& d, const dims& list) {
  const auto found = std::find(list.begin(), list.end(), d);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

std::string suggestion(const dim& d, const dims& list) {
  std::vector<std::string> names;
  for (const dim& each : list) names.push_back(to_string(each));
  const std::string near = nearest_name(to_string(d), names);
  return near.empty() ? cat("; there are ", to_string(list)) : cat(", did you mean ", near, "?");
}

dim unused(const dim& d, const dims& a, const dims& b) {
  dim made = d;
  while (place_of(made, a) >= 0 || place_of(made, b) >= 0) ++made.number;
  return made;
}

signature chained(const signature& left, const std::string& left_name, const signature& right,
                  const std::string& right_name) {
  require_meeting(right.out, cat("the output of ", right_name), left.in, cat("the input of ", left_name));
  const std::size_t common = std::min(left.in.size(), right.out.size());
  // What passes through one of them lies in front.
  const dims through_left(right.out.begin(), right.out.end() - static_cast<std::ptrdiff_t>(common));
  dims through_right(left.in.begin(), left.in.end() - static_cast<std::ptrdiff_t>(common));
  for (dim& d : through_right) d = unused(d, right.in, right.out);
  signature made;
  made.in = through_right;
  made.in.insert(made.in.end(), right.in.begin(), right.in.end());
  // What the middle is called on the right, place by place of left.in.
  dims middle = through_right;
  middle.insert(middle.end(), right.out.end() - static_cast<std::ptrdiff_t>(common), right.out.end());
  made.out = through_left;
  for (const dim& d : left.out) {
    const int passed = place_of(d, left.in);
    made.out.push_back(passed >= 0 ? middle[index(passed)] : dim{});
  }
  for (std::size_t k = 0; k < left.out.size(); ++k) {
    dim& d = made.out[through_left.size() + k];
    if (d.name.empty()) d = unused(left.out[k], made.in, made.out);
  }
  return made;
}

signature added(const signature& a, const std::string& a_name, const signature& b, const std::string& b_name) {
  require_meeting(a.in, cat("the input of ", a_name), b.in, cat("the input of ", b_name));
  require_meeting(a.out, cat("the output of ", a_name), b.out, cat("the output of ", b_name));
  const bool a_is_longer = a.in.size() + a.out.size() >= b.in.size() + b.out.size();
  const signature &longer = a_is_longer ? a : b, &shorter = a_is_longer ? b : a;
  const bool fits = longer.in.size() >= shorter.in.size() && longer.out.size() >= shorter.out.size() &&
                    longer.in.size() - shorter.in.size() == longer.out.size() - shorter.out.size();
  if (!fits)
    throw argument_error(cat(a_name, " (", to_string(a), ") and ", b_name, " (", to_string(b),
                             ") cannot be added: they change the number of dimensions differently"));
  signature made = longer;
  const std::size_t in_front = longer.in.size() - shorter.in.size();
  for (std::size_t k = 0; k < made.out.size(); ++k) {
    const int passed = place_of(made.out[k], made.in);
    if (passed < 0) continue;
    // One index in the sum if it is one in both.
    const bool in_shorter = k >= in_front && index(passed) >= in_front;
    const bool is_one = in_shorter ? shorter.out[k - in_front] == shorter.in[index(passed) - in_front]
                                   : k < in_front && index(passed) == k;
    if (!is_one) made.out[k] = unused(made.out[k], made.in, made.out);
  }
  return made;
}

}  // namespace tessera::linop
