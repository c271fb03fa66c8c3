#pragma once

#include <array>

#include "tests/nd/fuzz/reference/elementwise.h"

namespace tessera::fuzz {

/// The slots of a program as NumPy has them, and what its statements do, at once and in plain loops.
class reference {
 public:
  /// Does the step. Throws `invalid_step`, and has changed nothing then.
  void apply(const step& s);
  /// What a part shows.
  [[nodiscard]] plain_array get(const part& p) const;
  [[nodiscard]] const plain_array& slot(int n) const { return slots_[static_cast<std::size_t>(n)]; }

 private:
  [[nodiscard]] argument_value argument_of(const part& p) const;
  [[nodiscard]] plain_array result_of(const step& s) const;
  [[nodiscard]] plain_array new_array(const step& s) const;
  [[nodiscard]] plain_array called(const step& s) const;
  [[nodiscard]] plain_array arranged_parts(const step& s) const;
  [[nodiscard]] plain_array taken(const step& s) const;
  [[nodiscard]] std::vector<bool> mask_of(const part& mask, const plain_array& shown) const;
  void assign(const plain_array& target, const argument_value& value, const std::vector<bool>* mask = nullptr);

  std::array<plain_array, slots> slots_;
};

/// Element `n` of the data that a program with the number `seed` begins with.
[[nodiscard]] std::vector<std::byte> data_of(scalar_kind type, std::int64_t count, std::int64_t seed);
/// How many numbers `arange` gives.
[[nodiscard]] std::int64_t arange_count(const std::array<std::int64_t, 3>& numbers);

}  // namespace tessera::fuzz
