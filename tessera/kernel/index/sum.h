#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "tessera/kernel/source/token.h"

namespace tessera::kernels {

enum class index_kind : std::uint8_t { thread, block, block_size };
/// threadIdx.x, blockIdx.y, ...
struct index_atom {
  index_kind kind;
  int axis;
};
/// Variables that hold one of them.
using alias_table = std::map<std::string_view, index_atom>;

/// 0, 1, 2 for x, y, z; -1 for anything else.
[[nodiscard]] int axis_of(std::string_view member);
[[nodiscard]] std::optional<index_kind> kind_of(std::string_view word);
/// True for the words of integer types of 32 bits.
[[nodiscard]] bool is_narrow_word(std::string_view word);

/// True for the words that make an integer type one of 64 bits.
[[nodiscard]] bool is_wide_word(std::string_view word);

/// A sum blockIdx.D * blockDim.D + threadIdx.D, found.
struct index_sum {
  std::size_t end;  ///< Behind its last token.
  int axis;
  bool wide;  ///< Its product is computed in 64 bits.
};

/// Reads such a sum at `begin`: in any order, with casts to integers, through `__mul24` or aliases. What stands
/// around it is not looked at.
[[nodiscard]] std::optional<index_sum> read_index_sum(std::span<const token> code, std::size_t begin,
                                                      const alias_table& aliases);

}  // namespace tessera::kernels
