#include "tessera/plan/access/expression.h"

#include <algorithm>
#include <array>
#include <limits>

#include "tessera/base/checked.h"
#include "tessera/plan/access/access.h"
#include "tessera/plan/access/expression_builder.h"

namespace tessera::plan {

namespace {

using op = expression::op;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();

// A lower bound of `least` means "none", and so does an upper bound of `greatest`: they stay what they are under every
// operation. Otherwise a bound that was cut to 64 bits could come back into range by a division and be wrong.

std::int64_t add(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) return a < 0 ? least : greatest;
  return r;
}

std::int64_t subtract(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_sub_overflow(a, b, &r)) return a < 0 ? least : greatest;
  return r;
}

std::int64_t multiply(std::int64_t a, std::int64_t b) {
  std::int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) return (a < 0) != (b < 0) ? least : greatest;
  return r;
}

interval sum(interval a, interval b) {
  return {a.lo == least || b.lo == least ? least : add(a.lo, b.lo),
          a.hi == greatest || b.hi == greatest ? greatest : add(a.hi, b.hi)};
}

interval difference(interval a, interval b) {
  return {a.lo == least || b.hi == greatest ? least : subtract(a.lo, b.hi),
          a.hi == greatest || b.lo == least ? greatest : subtract(a.hi, b.lo)};
}

interval scaled(interval a, std::int64_t k) {
  if (k == 0) return {0, 0};
  if (k < 0) return {a.hi == greatest ? least : multiply(a.hi, k), a.lo == least ? greatest : multiply(a.lo, k)};
  return {a.lo == least ? least : multiply(a.lo, k), a.hi == greatest ? greatest : multiply(a.hi, k)};
}

interval product(interval a, interval b) {
  if (b.lo == b.hi) return scaled(a, b.lo);
  if (a.lo == a.hi) return scaled(b, a.lo);
  if (a.lo == least || b.lo == least || a.hi == greatest || b.hi == greatest) return {least, greatest};
  const auto [lo, hi] =
      std::minmax({multiply(a.lo, b.lo), multiply(a.lo, b.hi), multiply(a.hi, b.lo), multiply(a.hi, b.hi)});
  return {lo, hi};
}

/// `k` > 0.
interval quotient(interval a, std::int64_t k) {
  return {a.lo == least ? least : floor_div(a.lo, k), a.hi == greatest ? greatest : floor_div(a.hi, k)};
}

interval remainder(interval a, std::int64_t k) {
  if (a.lo == least || a.hi == greatest || floor_div(a.lo, k) != floor_div(a.hi, k)) return {0, k - 1};
  const auto rest = [k](std::int64_t x) { return x % k < 0 ? x % k + k : x % k; };
  return {rest(a.lo), rest(a.hi)};
}

interval operate(op code, interval a, interval b) {
  switch (code) {
    case op::add:
      return sum(a, b);
    case op::subtract:
      return difference(a, b);
    case op::multiply:
      return product(a, b);
    case op::divide:
      return quotient(a, b.lo);
    case op::modulo:
      return remainder(a, b.lo);
    case op::minimum:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case op::maximum:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    case op::constant:
    case op::name:
      break;
  }
  return {least, greatest};
}

}  // namespace

expression expression::constant(std::int64_t value) {
  expression e;
  e.code_.push_back({op::constant, value});
  return e;
}

expression expression::name(int index) {
  expression_builder b;
  b.name(index);
  return b.take();
}

expression expression::combine(op code, const expression& left, const expression& right) {
  expression_builder b;
  b.append(left);
  b.append(right);
  b.apply(code);
  return b.take();
}

interval expression::evaluate(std::span<const interval> names) const {
  union slot {  // leaves the stack uninitialised
    slot() {}
    interval value;
  };
  slot stack[max_depth];
  std::size_t top = 0;
  for (const step& s : code_) {
    if (s.code == op::name) {
      const interval& i = names[static_cast<std::size_t>(s.value)];
      if (i.empty()) return {};
      stack[top++].value = i;
    } else if (s.code == op::constant) {
      stack[top++].value = {s.value, s.value};
    } else {
      --top;
      stack[top - 1].value = operate(s.code, stack[top - 1].value, stack[top].value);
    }
  }
  return top == 0 ? interval{0, 0} : stack[0].value;
}

std::uint32_t expression::names_used() const {
  std::uint32_t used = 0;
  for (const step& s : code_)
    if (s.code == op::name) used |= std::uint32_t{1} << s.value;
  return used;
}

}  // namespace tessera::plan
