#include "tessera/algo/exec/moved_text.h"

#include "tessera/base/text.h"

namespace tessera::algo {

using kind = bound_argument::kind;

bool is_moved_counting(const bound_argument& a) {
  return a.as == kind::counting && a.given->at != call_argument::place::own;
}

std::string moved_text::parameters() const {
  return cat(", const ", argument.given->type, "* ", name, ", long long ", name, "at",
             argument.as == kind::backward ? "" : cat(", long long ", name, "end"));
}

std::string moved_text::rule(const std::string& flat) const {
  const bool previous = argument.given->is_previous;
  if (argument.as == kind::shifted)
    return cat(", read ", flat, "[lo + ", name, previous ? "at - 1 : hi + " : "at : hi + ", name, "at]");
  return cat(", read ", flat, "[", name, "at - hi : ", name, "at - lo", previous ? " + 1]" : "]");
}

std::string moved_text::value(const std::string& index, bool all_exist) const {
  const call_argument& given = *argument.given;
  const std::string i = !given.is_previous ? index : all_exist ? "(i - 1)" : "(i > 0 ? i - 1 : i)";
  const std::string at = cat(name, given.at == call_argument::place::backward ? "at - " : "at + ", i);
  if (argument.as == kind::counting)
    return cat("(", given.type, ")(", name, " + (", given.type, ")(", is_moved_counting(argument) ? at : i, "))");
  if (argument.as == kind::backward || all_exist) return cat(name, "[", at, "]");
  return cat("(", at, " >= 0 && ", at, " < ", name, "end ? ", name, "[", at, "] : tessera::algo::nothing<", given.type,
             ">())");
}

std::string moved_text::condition(const std::string& lo, const std::string& hi) const {
  const std::string before = argument.given->is_previous ? " - 1" : "";
  std::string text = argument.given->is_previous ? cat(lo, " > 0") : "";
  const auto require = [&](const auto&... words) { text += cat(text.empty() ? "" : " && ", words...); };
  if (argument.as == kind::shifted)
    require(lo, before, " + ", name, "at >= 0 && ", hi, before, " + ", name, "at <= ", name, "end");
  if (argument.as == kind::backward_at_edge)
    require(name, "at - (", hi, before, ") >= -1 && ", name, "at - (", lo, before, ") < ", name, "end");
  return text;
}

}  // namespace tessera::algo
