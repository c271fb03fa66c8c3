#include "tessera/base/settings/check_list.h"

#include <algorithm>
#include <array>

#include "tessera/base/error.h"
#include "tessera/base/text.h"

namespace tessera {
namespace {

struct named_check {
  std::string_view name;
  bool check_list::*switched;
};
constexpr std::array<named_check, 7> known{{{"uninitialised", &check_list::uninitialised},
                                            {"unwritten", &check_list::unwritten},
                                            {"access", &check_list::access},
                                            {"overdeclared", &check_list::overdeclared},
                                            {"guards", &check_list::guards},
                                            {"lines", &check_list::lines},
                                            {"ranks", &check_list::ranks}}};

}  // namespace

check_list parse_checks(std::string_view text) {
  check_list list;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    bool found = word == "all";
    for (const named_check& c : known)
      if (word == "all" || word == c.name) list.*c.switched = found = true;
    if (!found)
      throw argument_error(cat("'", word,
                               "' is no check; all, uninitialised, unwritten, access, overdeclared, guards, lines or "
                               "ranks is expected"));
  }
  return list;
}

std::string to_string(const check_list& checks) {
  if (checks == check_list::all()) return "all";
  std::string text;
  for (const named_check& c : known)
    if (checks.*c.switched) text += cat(text.empty() ? "" : ",", c.name);
  return text;
}

}  // namespace tessera
