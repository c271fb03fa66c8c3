#include "tessera/plan/access/text.h"

#include <sstream>
#include <vector>

#include "tessera/base/index.h"
#include "tessera/base/text.h"

namespace tessera::plan {

namespace {

using op = expression::op;

enum class strength : std::uint8_t { sum, product, factor };

struct printed {
  std::string text;
  strength binds = strength::factor;
};

std::string wrapped(const printed& p, strength least) { return p.binds < least ? cat("(", p.text, ")") : p.text; }

std::string name_text(std::span<const std::string> names, std::int64_t index, std::string_view prefix) {
  const auto i = static_cast<std::size_t>(index);
  return i < names.size() ? names[i] : cat(prefix, index);
}

printed combined(op code, const printed& a, const printed& b) {
  switch (code) {
    case op::add:
      if (b.text.starts_with('-')) return {wrapped(a, strength::sum) + b.text, strength::sum};
      return {cat(wrapped(a, strength::sum), "+", wrapped(b, strength::sum)), strength::sum};
    case op::subtract:
      return {cat(wrapped(a, strength::sum), "-", wrapped(b, strength::product)), strength::sum};
    case op::multiply:
      return {cat(wrapped(b, strength::factor), "*", wrapped(a, strength::factor)), strength::product};
    case op::divide:
      return {cat(wrapped(a, strength::product), "/", wrapped(b, strength::factor)), strength::product};
    case op::modulo:
      return {cat(wrapped(a, strength::product), "%", wrapped(b, strength::factor)), strength::product};
    case op::minimum:
      return {cat("min(", a.text, ", ", b.text, ")"), strength::factor};
    case op::maximum:
      return {cat("max(", a.text, ", ", b.text, ")"), strength::factor};
    case op::constant:
    case op::name:
      break;
  }
  return {"?", strength::factor};
}

std::string range_text(const index_range& range, std::span<const std::string> bound) {
  std::string first = range.first ? to_string(*range.first, bound) : "";
  const std::string last = range.last ? to_string(*range.last, bound) : "";
  if (range.table) return cat(range.table->name, "(", first, ")");
  if (range.first && range.first == range.last && range.step == 1) return first;
  return cat(first, ":", last, range.step == 1 ? "" : cat(":", range.step));
}

std::string view_text(const storage_view& view) {
  std::string text = " as [";
  for (int a = 0; a < view.shape.rank(); ++a) text += cat(a == 0 ? "" : ", ", view.shape[a]);
  return view.offset == 0 ? text + "]" : cat(text, "] at ", view.offset, " ");
}

}  // namespace

std::string_view mode_name(access_mode mode) {
  switch (mode) {
    case access_mode::none:
      return "none";
    case access_mode::read:
      return "read";
    case access_mode::write:
      return "write";
    case access_mode::readwrite:
      return "readwrite";
    case access_mode::reduce:
      return "reduce";
    case access_mode::atomic:
      return "atomic";
  }
  return "?";
}

std::string mode_text(access_mode mode, reduce_op op, std::span<const std::string> operations) {
  if (!combines(mode)) return std::string(mode_name(mode));
  const bool named = is_registered(op) && registered_number(op) < std::ssize(operations);
  return cat(mode_name(mode), "(", named ? operations[index(registered_number(op))] : to_string(op), ")");
}

std::string to_string(const expression& e, std::span<const std::string> bound) {
  std::vector<printed> stack;
  for (const auto& s : e.code()) {
    if (s.code == op::constant) {
      stack.push_back({cat(s.value), s.value < 0 ? strength::sum : strength::factor});
    } else if (s.code == op::name) {
      stack.push_back({name_text(bound, s.value, "name"), strength::factor});
    } else {
      const printed right = std::move(stack.back());
      stack.pop_back();
      stack.back() = combined(s.code, stack.back(), right);
    }
  }
  return stack.empty() ? "0" : stack.back().text;
}

std::string describe(const interval_table& table) {
  std::ostringstream hash;
  hash << std::hex << table.rows.hash();
  return cat("table ", table.name, ": ", table.rows.size(), table.rows.size() == 1 ? " row" : " rows", " of hash 0x",
             hash.str());
}

std::string to_string(const access_rule& rule, const rule_names& names) {
  std::string text = cat(mode_text(rule.mode, rule.op, names.operations), " ",
                         name_text(names.parameters, rule.parameter, "argument"));
  if (rule.view) text += view_text(*rule.view);
  for (std::size_t i = 0; i < rule.indices.size(); ++i)
    text += cat(i == 0 ? "[" : ", ", range_text(rule.indices[i], names.bound));
  return rule.indices.empty() ? text : text + "]";
}

}  // namespace tessera::plan
