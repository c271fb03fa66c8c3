#include "tessera/linop/step/access.h"

#include <algorithm>
#include <optional>

#include "tessera/base/defects.h"
#include "tessera/base/index.h"
#include "tessera/linop/step/prepare.h"

namespace tessera::linop {
namespace {

using plan::expression;
using op = plan::expression::op;

expression scaled(const expression& e, std::int64_t n) {
  return n == 1 ? e : expression::combine(op::multiply, e, expression::constant(n));
}

class access_writer {
 public:
  explicit access_writer(const step& s) : step_(s), ranges_(ranges_of(s)) {
    const std::size_t n = s.axes();
    for (std::size_t v = 0; v < n; ++v) loops_.push_back(loop(v, n));
    fixed_.resize(s.quotients.size());
  }

  plan::access_pattern write(int first_array) {
    plan::access_pattern pattern;
    for (int k = 0; k < std::min(step_.shape.rank(), 3); ++k)
      pattern.names.push_back({plan::bound_name::kind::global, k, std::nullopt});
    pattern.rules.push_back(result_rule(first_array));
    for (std::size_t f = 0; f < step_.factors.size(); ++f)
      add_rules(step_.factors[f], first_array + 1 + static_cast<int>(f), pattern);
    return pattern;
  }

 private:
  struct bounds {
    expression lo, hi;
  };

  /// Loop `v` as an expression of the names x, y, z.
  [[nodiscard]] expression loop(std::size_t v, std::size_t axes) const {
    if (v + 1 == axes) return expression::name(0);
    if (v + 2 == axes) return expression::name(1);
    std::int64_t behind = 1;
    for (std::size_t w = v + 1; w + 2 < axes; ++w) behind *= step_.shape[static_cast<int>(w)];
    expression made = expression::name(2);
    if (behind > 1) made = expression::combine(op::divide, made, expression::constant(behind));
    bool is_first = true;
    for (std::size_t w = 0; w < v; ++w) is_first = is_first && step_.shape[static_cast<int>(w)] == 1;
    if (!is_first) made = expression::combine(op::modulo, made, expression::constant(step_.shape[static_cast<int>(v)]));
    return made;
  }

  [[nodiscard]] plan::access_rule result_rule(int parameter) const {
    plan::access_rule rule;
    rule.parameter = parameter;
    rule.mode = step_.beta == 0.0 ? plan::access_mode::write : plan::access_mode::readwrite;
    if (!is_contiguous(step_.result)) {
      for (const expression& at : loops_) rule.indices.push_back({at, at});
      return rule;
    }
    extents seen = step_.shape;
    if (seen.rank() > 3) {
      std::int64_t outer = 1;
      for (int k = 0; k < seen.rank() - 2; ++k) outer *= seen[k];
      seen = {outer, seen[seen.rank() - 2], seen[seen.rank() - 1]};
    }
    if (!(seen == step_.result.shape())) rule.view = plan::storage_view{seen, 0};
    for (int k = seen.rank() - 1; k >= 0; --k) {
      const expression at = expression::name(k);
      rule.indices.push_back({at, at});
    }
    return rule;
  }

  /// One rule, or one for each value of the quotients that take few: together with the value the rest of an index is
  /// known exactly, as in what a circular shift reads.
  void add_rules(const factor& f, int parameter, plan::access_pattern& pattern) {
    std::vector<std::size_t> listed;
    std::int64_t rules = 1;
    constexpr std::int64_t most_values = 3, most_rules = 9;
    for (std::size_t q = 0; q < step_.quotients.size(); ++q) {
      const value_range r = ranges_[step_.loops() + q];
      const std::int64_t values = r.hi - r.lo + 1;
      const bool is_used =
          std::any_of(f.at.begin(), f.at.end(), [&](const affine& a) { return a.factor(step_.loops() + q) != 0; });
      if (!is_used || values > most_values || rules * values > most_rules) continue;
      rules *= values;
      listed.push_back(q);
    }
    for (std::int64_t n = 0; n < rules; ++n) {
      std::int64_t rest = n;
      for (const std::size_t q : listed) {
        const value_range r = ranges_[step_.loops() + q];
        fixed_[q] = r.lo + rest % (r.hi - r.lo + 1);
        rest /= r.hi - r.lo + 1;
      }
      pattern.rules.push_back(factor_rule(f, parameter));
    }
    std::fill(fixed_.begin(), fixed_.end(), std::nullopt);
  }

  [[nodiscard]] plan::access_rule factor_rule(const factor& f, int parameter) const {
    plan::access_rule rule;
    rule.parameter = parameter;
    rule.mode = plan::access_mode::read;
    if (!(f.shape == f.array.shape())) rule.view = plan::storage_view{f.shape, 0};
    for (const affine& a : f.at) {
      const bounds b = bounds_of(a);
      rule.indices.push_back({b.lo, b.hi});
    }
    return rule;
  }

  [[nodiscard]] bounds bounds_of(const affine& a) const {
    bounds made{expression::constant(a.offset), expression::constant(a.offset)};
    for (std::size_t v = 0; v < a.factors.size(); ++v) {
      const std::int64_t n = a.factors[v];
      if (n == 0) continue;
      const bounds of_v = bounds_of_variable(v);
      made.lo = expression::combine(op::add, made.lo, scaled(n > 0 ? of_v.lo : of_v.hi, n));
      made.hi = expression::combine(op::add, made.hi, scaled(n > 0 ? of_v.hi : of_v.lo, n));
    }
    return made;
  }

  [[nodiscard]] bounds bounds_of_variable(std::size_t v) const {
    if (v < step_.axes()) return {loops_[v], loops_[v]};
    if (v < step_.loops())
      return {expression::constant(0),
              expression::constant(std::max<std::int64_t>(ranges_[v].hi - (planted("sum_read_short") ? 1 : 0), 0))};
    const std::size_t q = v - step_.loops();
    if (fixed_[q]) return {expression::constant(*fixed_[q]), expression::constant(*fixed_[q])};
    const bounds of = bounds_of(step_.quotients[q].of);
    const expression divisor = expression::constant(step_.quotients[q].divisor);
    return {expression::combine(op::divide, of.lo, divisor), expression::combine(op::divide, of.hi, divisor)};
  }

  const step& step_;
  const std::vector<value_range> ranges_;
  std::vector<expression> loops_;
  std::vector<std::optional<std::int64_t>> fixed_;
};

}  // namespace

std::shared_ptr<const plan::bound_accesses> accesses_of(const step& s, int first_array) {
  return plan::bind_accesses(access_writer(s).write(first_array));
}

}  // namespace tessera::linop
