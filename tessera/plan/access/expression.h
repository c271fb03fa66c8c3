#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::plan {

/// All integers lo <= x <= hi; empty if lo > hi.
struct interval {
  std::int64_t lo = 0;
  std::int64_t hi = -1;
  [[nodiscard]] bool empty() const { return lo > hi; }
  bool operator==(const interval&) const = default;
};

/// An integer expression over bound names, stored as postfix code in the normal form of `expression_builder`.
class expression {
 public:
  static constexpr int max_depth = 32;  ///< Operands that are open at one time.
  static constexpr int max_names = 32;
  enum class op : std::uint8_t { constant, name, add, subtract, multiply, divide, modulo, minimum, maximum };
  struct step {
    op code = op::constant;
    std::int64_t value = 0;  ///< The constant, or the index of the name; otherwise unused.
    bool operator==(const step&) const = default;
  };

  expression() = default;
  static expression constant(std::int64_t value);
  static expression name(int index);
  /// Folds constants; throws `argument_error` if they overflow, if the right side of `/` or `%` is not a positive
  /// constant, or beyond `max_depth`.
  static expression combine(op code, const expression& left, const expression& right);

  /// Interval arithmetic (rule A2): `/` rounds down, `%k` is exact within one period and [0, k-1] otherwise.
  /// Requires names.size() above every index used. Empty if a name that occurs is. Saturates instead of overflowing,
  /// and a bound that once left 64 bits stays a bound.
  [[nodiscard]] interval evaluate(std::span<const interval> names) const;

  /// Bit i is set if name i occurs.
  [[nodiscard]] std::uint32_t names_used() const;
  [[nodiscard]] std::span<const step> code() const { return code_; }
  bool operator==(const expression&) const = default;

 private:
  friend class expression_builder;
  std::vector<step> code_;
};

}  // namespace tessera::plan
