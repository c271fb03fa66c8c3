#pragma once

#include <array>
#include <vector>

#include "tests/fuzz/frame/random.h"
#include "tests/nd/fuzz/program/program.h"

namespace tessera::fuzz {

/// Types, shapes and numbers of one program, which have something to do with each other. Refers to the source of draws.
class value_source {
 public:
  explicit value_source(random_source& random) : random_(random) {}

  /// Draws what the others are like. `is_large`: shapes have more elements than host values of 8 bytes.
  void begin(bool is_large);
  [[nodiscard]] scalar_kind type();
  [[nodiscard]] std::vector<std::int64_t> shape();
  /// A number that can stand beside an array of a type.
  [[nodiscard]] plain_number number(scalar_kind beside);

 private:
  scalar_kind any_type();
  std::vector<std::int64_t> any_shape();

  random_source& random_;
  bool is_large_ = false;
  std::array<scalar_kind, 2> types_{};
  std::vector<std::int64_t> base_;
};

}  // namespace tessera::fuzz
