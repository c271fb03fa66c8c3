#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tessera/base/error.h"
#include "tessera/base/text.h"
#include "tessera/plan/annotation/annotation.h"
#include "tests/support/messages.h"

namespace tessera::plan {

/// A kernel's arrays by shape and its constants by value: all that an annotation is bound with. Arrays whose name
/// starts with "c_" point to const.
struct fake_launch {
  std::vector<std::pair<std::string, extents>> arrays;
  std::map<std::string, std::int64_t> constants;
  std::vector<std::string> scalars;
  std::vector<named_intervals> tables{};

  [[nodiscard]] std::vector<parameter_info> parameters() const {
    std::vector<parameter_info> p;
    for (const auto& [name, shape] : arrays) p.push_back({name, true, name.starts_with("c_")});
    for (const auto& name : scalars) p.push_back({name, false, false});
    return p;
  }

  [[nodiscard]] access_pattern bind(std::string_view text) const {
    annotation a = parse_annotation(text);
    check_against(a, parameters());
    std::vector<std::optional<std::int64_t>> values;
    for (const constant_slot& slot : a.constants()) {
      const auto c = constants.find(slot.name);
      values.push_back(c == constants.end() ? std::nullopt : std::optional(c->second));
    }
    std::vector<array_argument> arguments;
    for (const auto& [name, shape] : arrays) arguments.push_back({&shape, true});
    return plan::bind(a, {values, arguments, tables});
  }

  /// The boxes of every rule for the blocks `part`.
  [[nodiscard]] std::vector<std::vector<box>> boxes(std::string_view text, const domain& d, const box& part) const {
    const access_pattern p = bind(text);
    const auto names = name_intervals(p.names, d, part, padding::exclude);
    std::vector<std::vector<box>> all;
    for (const access_rule& r : p.rules)
      CHECK(evaluate(r, names, arrays[static_cast<std::size_t>(r.parameter)].second, all.emplace_back()));
    return all;
  }
};

using support::message_of;
using support::says;

inline std::string parse_error(std::string_view text) {
  return message_of<annotation_error>([&] { (void)parse_annotation(text); });
}

}  // namespace tessera::plan
