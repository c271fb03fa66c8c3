#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "tessera/plan/access/access.h"

/// Short ways to write expressions and rules in tests.
namespace tessera::plan {

inline expression n(int index) { return expression::name(index); }
inline expression c(std::int64_t value) { return expression::constant(value); }
inline expression operator+(const expression& a, const expression& b) {
  return expression::combine(expression::op::add, a, b);
}
inline expression operator-(const expression& a, const expression& b) {
  return expression::combine(expression::op::subtract, a, b);
}
inline expression operator*(const expression& a, const expression& b) {
  return expression::combine(expression::op::multiply, a, b);
}
inline expression operator/(const expression& a, const expression& b) {
  return expression::combine(expression::op::divide, a, b);
}
inline expression operator%(const expression& a, const expression& b) {
  return expression::combine(expression::op::modulo, a, b);
}

inline index_range point(const expression& e) { return {e, e, 1}; }
inline index_range slice(std::optional<expression> first, std::optional<expression> last, std::int64_t step = 1) {
  return {std::move(first), std::move(last), step};
}

inline access_rule rule(std::vector<index_range> indices, std::optional<storage_view> view = std::nullopt) {
  access_rule r;
  r.view = view;
  r.indices = std::move(indices);
  return r;
}

}  // namespace tessera::plan
